//! Divides the time of an exchange into five consecutive phases.
//!
//! The time before the first phase is setup; after that every moment belongs to a phase. Must not know how
//! phases are measured.

use std::time::Duration;

/// The phases in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Name,
    Connection,
    Tls,
    /// Sending the request and waiting for the start of the response.
    Waiting,
    /// Reading the rest of the response.
    Reading,
}

/// The duration of each phase, up to the failure, time-out or cancellation. `None` for a phase that did not
/// take place: an IP address needs no name resolution, plain http needs no TLS.
///
/// The default is an exchange without measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Phases {
    /// Resolving the host name of the store or of its proxy.
    pub name: Option<Duration>,
    /// Connecting over TCP, including the request for a tunnel where a proxy opens one.
    pub connection: Option<Duration>,
    /// The TLS handshake with the store, or with the proxy of a plain http store.
    pub tls: Option<Duration>,
    /// From the connection to the status line and headers.
    pub waiting: Option<Duration>,
    /// Reading the body.
    pub reading: Option<Duration>,
}

impl Phases {
    /// Computes the durations for an exchange that took `elapsed`. `began` lists the start of each phase in
    /// order; a phase lasts until the next begins, the last until the end.
    pub fn of(began: &[(Phase, Duration)], elapsed: Duration) -> Self {
        let (mut took, mut end) = ([None; 5], elapsed);
        for (phase, at) in began.iter().rev() {
            *took[*phase as usize].get_or_insert_default() += end.saturating_sub(*at);
            end = end.min(*at);
        }
        let [name, connection, tls, waiting, reading] = took;
        Self { name, connection, tls, waiting, reading }
    }

    /// Returns the setup time before the first phase, such as loading certificate roots; all of `elapsed`
    /// without measurements.
    pub fn before(&self, elapsed: Duration) -> Duration {
        elapsed.saturating_sub(self.in_order().into_iter().filter_map(|(_, took)| took).sum())
    }

    /// Lists each phase with its name and duration, in order.
    pub fn in_order(&self) -> [(&'static str, Option<Duration>); 5] {
        let Self { name, connection, tls, waiting, reading } = *self;
        [("name", name), ("connection", connection), ("TLS", tls), ("waiting", waiting), ("reading", reading)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn phases_of(millis: [Option<u64>; 5]) -> Phases {
        let [name, connection, tls, waiting, reading] = millis.map(|part| part.map(Duration::from_millis));
        Phases { name, connection, tls, waiting, reading }
    }

    #[test]
    fn each_phase_lasts_until_the_next_begins() {
        let began = [
            (Phase::Name, millis(5)),
            (Phase::Connection, millis(7)),
            (Phase::Tls, millis(10)),
            (Phase::Waiting, millis(20)),
            (Phase::Reading, millis(50)),
        ];
        let phases = Phases::of(&began, millis(51));
        assert_eq!(phases, phases_of([Some(2), Some(3), Some(10), Some(30), Some(1)]));
        assert_eq!(phases.before(millis(51)), millis(5));
    }

    #[test]
    fn the_last_phase_ends_with_the_exchange() {
        let phases = Phases::of(&[(Phase::Connection, millis(1)), (Phase::Tls, millis(3))], millis(700));
        assert_eq!(phases, phases_of([None, Some(2), Some(697), None, None]));
        let phases = Phases::of(&[(Phase::Connection, millis(1))], millis(1));
        assert_eq!(phases, phases_of([None, Some(0), None, None, None]));
    }

    #[test]
    fn without_measurements_all_time_counts_as_setup() {
        assert_eq!(Phases::of(&[], millis(3)), Phases::default());
        assert_eq!(Phases::default().before(millis(3)), millis(3));
        assert!(Phases::default().in_order().iter().all(|(_, took)| took.is_none()));
    }

    #[test]
    fn phases_are_listed_in_order() {
        let listed = phases_of([1, 2, 3, 4, 5].map(Some)).in_order();
        let expected = [("name", 1), ("connection", 2), ("TLS", 3), ("waiting", 4), ("reading", 5)];
        assert_eq!(listed, expected.map(|(word, took)| (word, Some(millis(took)))));
    }

    const ORDER: [Phase; 5] = [Phase::Name, Phase::Connection, Phase::Tls, Phase::Waiting, Phase::Reading];

    proptest! {
        /// Holds even if the clock is set back.
        #[test]
        fn phases_and_setup_add_up_to_the_whole_time(
            began in proptest::collection::vec((proptest::sample::select(&ORDER[..]), 0..100_u64), 0..8),
            elapsed in 0..100_u64,
        ) {
            let (began, elapsed): (Vec<_>, _) =
                (began.into_iter().map(|(phase, at)| (phase, millis(at))).collect(), millis(elapsed));
            let phases = Phases::of(&began, elapsed);
            let measured: Duration = phases.in_order().into_iter().filter_map(|(_, took)| took).sum();
            prop_assert_eq!(phases.before(elapsed) + measured, elapsed);
            for (phase, (_, took)) in ORDER.into_iter().zip(phases.in_order()) {
                prop_assert_eq!(took.is_some(), began.iter().any(|(began, _)| *began == phase));
            }
        }
    }
}
