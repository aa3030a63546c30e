//! The state of the terminal interface and how messages change it.
