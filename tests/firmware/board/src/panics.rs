//! What a panic comes to. An image chooses one of two.

/// Makes the absence of panics a fact that the linker checks: the panic handler calls what does not exist, so an image
/// in which any panic is left does not link.
#[macro_export]
macro_rules! no_panics {
    () => {
        #[panic_handler]
        #[allow(unsafe_code, reason = "what is not there can only be declared as foreign")]
        fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
            unsafe extern "C" {
                safe fn a_panic_is_left_in_this_image() -> !;
            }
            a_panic_is_left_in_this_image()
        }
    };
}

/// Lets an image have panics, as code of others does: one is said and ends the run as failed.
#[macro_export]
macro_rules! panics_end {
    () => {
        #[panic_handler]
        fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
            $crate::print("panicked\n");
            $crate::exit(false)
        }
    };
}
