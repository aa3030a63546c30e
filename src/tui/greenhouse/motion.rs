//! How far something has moved: told by the time that has passed, so that a frame is a function of state and time.

use crate::domain::Timestamp;
use crate::tui::context::Context;

/// How much slower things move before an audience.
pub(super) const SLOWER: i64 = 2;

/// All of a way, in thousandths.
pub(super) const WHOLE: u16 = 1_000;

/// How much of so many milliseconds has passed since then, in thousandths; all of it where nothing may move.
pub(super) fn passed(since: Timestamp, span: i64, cx: &Context) -> u16 {
    let pace = if cx.display.presenting { SLOWER } else { 1 };
    let passed = cx.now().0.saturating_sub(since.0);
    let thousandths = passed.saturating_mul(i64::from(WHOLE)) / (span * pace);
    // A clock that was set back does not make things move for ever.
    if cx.display.still || passed < 0 { WHOLE } else { u16::try_from(thousandths).unwrap_or(WHOLE).min(WHOLE) }
}
