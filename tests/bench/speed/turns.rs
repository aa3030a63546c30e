//! Sides that are measured in turn.

/// One side: does its work once and returns what was measured.
pub(crate) type Side<'a, T> = Box<dyn FnMut() -> T + 'a>;

/// Measures every side once in each round, after one turn each that does not count. The one that
/// begins changes with the round. Returns what each side measured, round by round.
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
