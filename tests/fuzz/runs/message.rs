//! Runs this reader under libFuzzer.

#![no_main]

#[path = "../readers/mod.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (readers::reader("message").read)(bytes));
