//! Animation: progress is computed from the time that has passed, so that a frame is a function of state and time.

use crate::domain::Timestamp;
use crate::tui::context::{Context, Motion};

/// How many times slower animations are in presentation mode.
pub(super) const SLOWER: i64 = 2;

/// The end of an animation, in thousandths.
pub(super) const WHOLE: u16 = 1_000;

/// Returns the part of an animation of `span` milliseconds that has passed, in thousandths; the whole without motion.
pub(super) fn passed(since: Timestamp, span: i64, cx: &Context) -> u16 {
    let pace = if cx.display.presenting { SLOWER } else { 1 };
    let passed = cx.now().0.saturating_sub(since.0);
    let thousandths = passed.saturating_mul(i64::from(WHOLE)) / (span * pace);
    // A clock that was set back does not animate for ever.
    if cx.display.motion == Motion::Still || passed < 0 {
        WHOLE
    } else {
        u16::try_from(thousandths).unwrap_or(WHOLE).min(WHOLE)
    }
}
