//! What the images of which the footprint is measured have in common: bodies that they are run over, and the report of
//! what that took.
//!
//! An image is [`footprint!`] with the type of its machine and a function. The function is called `measured` in the
//! linked image, where the call graph starts that bounds its stack, and is given each body in turn. What stands around
//! it is the same in all images, the empty one included, over which the others are measured.
#![no_std]

#[cfg(feature = "peers")]
pub mod compcol;
pub mod counting;

/// Makes an image of `$measured`, a function of a body and the size of the pieces it comes in, over the bodies of the kind
/// `$bodies`.
///
/// The types are those of what it keeps besides history and scratch: `stack` on its stack, and `state` in statics; of the
/// latter, `history` bytes are history. It prints three lines: the deepest stack of any body, and the sizes of these types, on the
/// stack and in statics.
#[macro_export]
macro_rules! footprint {
    ($bodies:literal, $measured:path, stack: [$($machine:ty),*], state: [$($state:ty),*]
     $(, history: $history:expr)?) => {
        plimsoll_board::panics_end!();
        plimsoll_board::image!(run);

        #[allow(unsafe_code, reason = "the call graph starts at this name")]
        #[unsafe(no_mangle)]
        #[inline(never)]
        extern "Rust" fn measured(body: &[u8], piece: usize) {
            $measured(body, piece)
        }

        #[allow(unsafe_code, reason = "its size does not count, and is found by this name")]
        #[unsafe(no_mangle)]
        static BODIES: [u8; $crate::input!($bodies).len()] = *$crate::input!($bodies);

        fn run() {
            let mut rest: &[u8] = core::hint::black_box(&BODIES);
            let deepest = plimsoll_board::stack::used(&mut || {
                while let Some((body, piece, behind)) = $crate::split(rest) {
                    measured(body, piece);
                    rest = behind;
                }
            });
            let machine = 0 $(+ size_of::<$machine>())*;
            let state = 0 $(+ size_of::<$state>())* $(- $history)?;
            for number in [deepest, machine, state] {
                plimsoll_board::print_number(core::hint::black_box(number) as u64);
                plimsoll_board::print("\n");
            }
        }
    };
}

/// The bytes of a file that `plimsoll-device` has laid out.
#[macro_export]
macro_rules! input {
    ($name:literal) => {
        include_bytes!(concat!(env!("PLIMSOLL_INPUTS"), "/", $name))
    };
}

/// The first of several bodies, the size of its pieces, and the bodies behind it. Each has its piece and its length before
/// it, 16 bits each, little-endian.
#[must_use]
pub fn split(bodies: &[u8]) -> Option<(&[u8], usize, &[u8])> {
    let (&[p0, p1, n0, n1], rest) = bodies.split_first_chunk()?;
    let (body, behind) = rest.split_at_checked(usize::from(u16::from_le_bytes([n0, n1])))?;
    Some((body, usize::from(u16::from_le_bytes([p0, p1])), behind))
}

/// The pieces that a body comes in. Without the panic of a piece of no bytes.
pub fn pieces(body: &[u8], piece: usize) -> impl Iterator<Item = &[u8]> {
    body.chunks(piece.max(1))
}

/// A variable of an image, as firmware has it: static, and in `.bss` where its first value is zero. Lent anew each time
/// that the line is reached: what was lent before must be done with.
#[macro_export]
macro_rules! variable {
    ($type:ty = $value:expr) => {{
        static mut VARIABLE: $type = $value;
        #[allow(
            unsafe_code,
            reason = "only this line sees the variable, in a function that runs once at a time"
        )]
        let lent: &mut $type = unsafe { &mut *core::ptr::addr_of_mut!(VARIABLE) };
        lent
    }};
}

/// Memory for the decoded body itself, as [`variable!`] lends it. It is found by its name, and is no memory of the decoder's.
#[macro_export]
macro_rules! output {
    ($size:expr) => {{
        static mut OUTPUT: [u8; $size] = [0; $size];
        #[allow(
            unsafe_code,
            reason = "only this line sees the variable, in a function that runs once at a time"
        )]
        let lent: &mut [u8; $size] = unsafe { &mut *core::ptr::addr_of_mut!(OUTPUT) };
        lent
    }};
}
