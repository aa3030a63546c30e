//! The demo store: a real HTTP server on a loopback port.
