//! Where the time of an exchange went: five phases, one after another.
//!
//! Before the first of them a client is set up; from there to the end no time is left out.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What an exchange is doing, in the order in which it does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Name,
    Connection,
    Tls,
    /// Sending the request, and waiting for the response to begin.
    Waiting,
    /// Reading the rest of the response.
    Reading,
}

/// How long each phase took. `None` where one did not take place: an address needs no name, plain
/// http no TLS, and whatever fails gets no further. What a failure, the deadline or a cancel cuts
/// short has the time up to there.
///
/// The default is an exchange of which nothing was measured. Written down in whole microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Micros", into = "Micros")]
pub struct Phases {
    /// Resolving the host, the store's or that of a proxy on the way.
    pub name: Option<Duration>,
    /// TCP, to whichever address of the host took it. Where a proxy opens a tunnel, up to and with
    /// its word that it has.
    pub connection: Option<Duration>,
    /// The TLS handshake with the store; with the proxy where the store itself is plain http.
    pub tls: Option<Duration>,
    /// From the connection made to the status line and the headers.
    pub waiting: Option<Duration>,
    /// The body, to its end or to where reading stopped.
    pub reading: Option<Duration>,
}

impl Phases {
    /// The phases of an exchange that took `elapsed`, from when each `began` after its start, in
    /// that order: each lasts until the next begins, the last until the end.
    pub fn of(began: &[(Phase, Duration)], elapsed: Duration) -> Self {
        let (mut phases, mut end) = (Self::default(), elapsed);
        for (phase, at) in began.iter().rev() {
            *phases.part(*phase).get_or_insert_default() += end.saturating_sub(*at);
            end = end.min(*at);
        }
        phases
    }

    /// What the phases leave of `elapsed`: setting up before the first of them, such as loading
    /// certificate roots. All of it where nothing was measured.
    pub fn before(&self, elapsed: Duration) -> Duration {
        elapsed.saturating_sub(self.in_order().into_iter().filter_map(|(_, took)| took).sum())
    }

    /// Each phase in one word, and how long it took, in the order in which they come.
    pub fn in_order(&self) -> [(&'static str, Option<Duration>); 5] {
        let Self { name, connection, tls, waiting, reading } = *self;
        [("name", name), ("connection", connection), ("TLS", tls), ("waiting", waiting), ("reading", reading)]
    }

    fn part(&mut self, phase: Phase) -> &mut Option<Duration> {
        match phase {
            Phase::Name => &mut self.name,
            Phase::Connection => &mut self.connection,
            Phase::Tls => &mut self.tls,
            Phase::Waiting => &mut self.waiting,
            Phase::Reading => &mut self.reading,
        }
    }
}

/// [`Phases`] as they are written down: only those that took place, in microseconds.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Micros {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    connection: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<u64>,
}

impl From<Micros> for Phases {
    fn from(Micros { name, connection, tls, waiting, reading }: Micros) -> Self {
        let read = |micros: Option<u64>| micros.map(Duration::from_micros);
        Self {
            name: read(name),
            connection: read(connection),
            tls: read(tls),
            waiting: read(waiting),
            reading: read(reading),
        }
    }
}

impl From<Phases> for Micros {
    fn from(Phases { name, connection, tls, waiting, reading }: Phases) -> Self {
        let written = |took: Option<Duration>| took.map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        Self {
            name: written(name),
            connection: written(connection),
            tls: written(tls),
            waiting: written(waiting),
            reading: written(reading),
        }
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
    fn the_last_phase_is_as_long_as_it_was_let() {
        let phases = Phases::of(&[(Phase::Connection, millis(1)), (Phase::Tls, millis(3))], millis(700));
        assert_eq!(phases, phases_of([None, Some(2), Some(697), None, None]));
        let phases = Phases::of(&[(Phase::Connection, millis(1))], millis(1));
        assert_eq!(phases, phases_of([None, Some(0), None, None, None]));
    }

    #[test]
    fn where_nothing_was_measured_all_was_before() {
        assert_eq!(Phases::of(&[], millis(3)), Phases::default());
        assert_eq!(Phases::default().before(millis(3)), millis(3));
        assert!(Phases::default().in_order().iter().all(|(_, took)| took.is_none()));
    }

    #[test]
    fn they_are_told_in_the_order_in_which_they_come() {
        let told = phases_of([1, 2, 3, 4, 5].map(Some)).in_order();
        let expected = [("name", 1), ("connection", 2), ("TLS", 3), ("waiting", 4), ("reading", 5)];
        assert_eq!(told, expected.map(|(word, took)| (word, Some(millis(took)))));
    }

    #[test]
    fn they_are_written_in_whole_microseconds_and_only_if_they_took_place() {
        let phases =
            Phases { connection: Some(Duration::from_nanos(1_999)), waiting: Some(millis(0)), ..Phases::default() };
        let text = serde_json::to_string(&phases).unwrap();
        assert_eq!(text, r#"{"connection":1,"waiting":0}"#);
        let whole = Phases { connection: Some(Duration::from_micros(1)), ..phases };
        assert_eq!(serde_json::from_str::<Phases>(&text).unwrap(), whole);
        for wrong in ["{", "\"lost\"", r#"{"waiting":-1}"#, r#"{"waiting":"1"}"#, r#"{"writing":1}"#] {
            assert!(serde_json::from_str::<Phases>(wrong).is_err(), "{wrong}");
        }
    }

    const ORDER: [Phase; 5] = [Phase::Name, Phase::Connection, Phase::Tls, Phase::Waiting, Phase::Reading];

    proptest! {
        /// Even where a clock would not be steady.
        #[test]
        fn no_time_is_left_out_or_told_twice(
            began in proptest::collection::vec((proptest::sample::select(&ORDER[..]), 0..100_u64), 0..8),
            elapsed in 0..100_u64,
        ) {
            let (began, elapsed): (Vec<_>, _) =
                (began.into_iter().map(|(phase, at)| (phase, millis(at))).collect(), millis(elapsed));
            let phases = Phases::of(&began, elapsed);
            let told: Duration = phases.in_order().into_iter().filter_map(|(_, took)| took).sum();
            prop_assert_eq!(phases.before(elapsed) + told, elapsed);
            for (phase, (_, took)) in ORDER.into_iter().zip(phases.in_order()) {
                prop_assert_eq!(took.is_some(), began.iter().any(|(began, _)| *began == phase));
            }
        }

        #[test]
        fn what_is_written_is_read_again(parts in proptest::array::uniform5(proptest::option::of(0..=u64::MAX))) {
            let [name, connection, tls, waiting, reading] = parts.map(|part| part.map(Duration::from_micros));
            let phases = Phases { name, connection, tls, waiting, reading };
            let text = serde_json::to_string(&phases).unwrap();
            prop_assert_eq!(serde_json::from_str::<Phases>(&text).unwrap(), phases);
        }
    }
}
