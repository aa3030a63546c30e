//! What happens to requests on their way, by chance and the same for a seed. Must not use the product.

use fastrand::Rng;

/// What happens to one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Closes the connection before the request is carried out.
    LosesRequest,
    /// Carries the request out, and closes the connection without a response.
    LosesResponse,
    /// Responds with 500 instead of carrying the request out.
    FailsBefore,
    /// Responds with 500 after carrying the request out.
    FailsAfter,
    /// Carries the request out twice; responds as the first time.
    Repeats,
    /// Responds late.
    Delays,
    /// Carries the request out, and never responds.
    Hangs,
    /// Responds with 429 instead of carrying the request out.
    IsBusy,
}

/// The faults of a store: what happens to how many of 1000 requests.
pub(crate) struct Faults {
    random: Rng,
    chances: &'static [(u32, Fault)],
}

impl Faults {
    pub(crate) fn new(seed: u64, chances: &'static [(u32, Fault)]) -> Self {
        Self { random: Rng::with_seed(seed), chances }
    }

    /// Draws what happens to the next request.
    pub(super) fn draw(&mut self) -> Option<Fault> {
        let mut drawn = self.random.u32(0..1000);
        self.chances.iter().find_map(|(chance, fault)| match drawn.checked_sub(*chance) {
            Some(rest) => {
                drawn = rest;
                None
            }
            None => Some(*fault),
        })
    }
}
