//! Measures several sides in turn.

/// Does the work of one side once, and returns the measured value.
pub(crate) type Side<'a, T> = Box<dyn FnMut() -> T + 'a>;

/// Measures every side once in each round, after a warm-up of each. The rounds begin with each side in turn. Returns the
/// values of each side, round by round.
pub(crate) fn in_turn<T>(rounds: usize, mut sides: Vec<Side<'_, T>>) -> Vec<Vec<T>> {
    for side in &mut sides {
        side();
    }
    let mut measured: Vec<Vec<T>> = sides.iter().map(|_| Vec::with_capacity(rounds)).collect();
    for round in 0..rounds {
        for step in 0..sides.len() {
            let at = (round + step) % sides.len();
            measured[at].push(sides[at]());
        }
    }
    measured
}
