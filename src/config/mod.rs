//! Flags, environment and config file, made into one connection.
