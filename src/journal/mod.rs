//! The durable local record of every operation and every exchange.
