//! The line to the host: semihosting, which QEMU answers on all three boards with `-semihosting-config
//! enable=on,target=native`.

use semihosting::io::{Write, stdout};
use semihosting::process;

/// Prints text.
pub fn print(text: &str) {
    write(text.as_bytes());
}

/// Prints a number in decimal. Formatting by `core::fmt` would bring several kilobytes and panics.
pub fn print_number(number: u64) {
    let mut digits = [0; 20]; // as many as the greatest has
    let mut rest = number;
    let mut used = 0_usize;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' | (rest % 10) as u8;
        rest /= 10;
        used = used.wrapping_add(1);
        if rest == 0 {
            break;
        }
    }
    write(digits.get(digits.len().saturating_sub(used)..).unwrap_or(&[]));
}

fn write(bytes: &[u8]) {
    if let Ok(mut output) = stdout() {
        // There is nobody to tell that nobody listens.
        let _ = output.write_all(bytes);
    }
}

/// Ends the run. Whether it went well is QEMU's exit status: 0 or 1.
pub fn exit(well: bool) -> ! {
    process::exit(i32::from(!well))
}
