//! The terminal, the event loop, and carrying out effects.
