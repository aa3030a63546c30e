//! The background task: intent, send, settle, report.
