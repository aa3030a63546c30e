//! The brake of everything that sends many operations: it stops where responses in a row prove nothing about the plants,
//! before the list is full of such plants.
//!
//! Must not know what is sent, or who decides whether it goes on.

use crate::domain::{Exchange, FailureKind, OperationKind, Outcome};
use crate::text::capitalized;

/// How many operations in a row prove nothing before nothing new is sent. The sentences below say five.
pub(super) const IN_A_ROW: u8 = 5;

/// Why the ends of operations prove nothing about their plants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BrakeCause {
    #[default]
    Unknown,
    /// A web page or a redirect came in place of a plant.
    Pages,
    /// The path, or the method, is not a Plant Store's.
    NoStore,
    /// There is no connection to the store.
    NotConnected,
    /// Not the same cause each time.
    Several,
}

impl BrakeCause {
    /// Returns the cause of one end; `None` if the end is that of a store, or was decided here. A rejection with a page is a
    /// store's where its status is about the plant: some frameworks respond 409 with a page.
    fn of(exchange: &Exchange) -> Option<Self> {
        let is_add = matches!(exchange.operation.kind, OperationKind::Add(_));
        match (exchange.status(), exchange.outcome()) {
            (Some(300..=399), _) => Some(Self::Pages),
            (Some(405 | 501), _) => Some(Self::NoStore),
            (Some(404), _) if is_add => Some(Self::NoStore),
            (_, Outcome::Unknown) => Some(Self::Unknown),
            (Some(200..=299 | 401 | 403), _) if exchange.is_page() => Some(Self::Pages),
            _ if matches!(exchange.failure(), Some(FailureKind::NotConnected | FailureKind::NotConnectedInTime)) => {
                Some(Self::NotConnected)
            }
            _ => None,
        }
    }

    /// Says what came five times, and what may be wrong.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Unknown => "five outcomes in a row are unknown: the store, or the way to it, has a problem",
            Self::Pages => {
                "five responses in a row are web pages or redirects, not a Plant Store's: the base URL or the token may be \
                 wrong"
            }
            Self::NoStore => {
                "five responses in a row (404, 405 or 501) are not a Plant Store's: the base URL may be wrong"
            }
            Self::NotConnected => "five operations in a row were not sent: there is no connection to the store",
            Self::Several => {
                "five outcomes in a row prove nothing: the base URL or the token may be wrong, or the store has a problem"
            }
        }
    }

    /// Returns the reason as a sentence.
    pub fn sentence(self) -> String {
        format!("{}.", capitalized(self.reason()))
    }
}

/// Counts ends that prove nothing. Once on, it stays on until it is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Brake {
    in_a_row: u8,
    cause: BrakeCause,
    keeps_going: bool,
}

impl Brake {
    /// With `keeps_going`, the brake never goes on.
    pub fn new(keeps_going: bool) -> Self {
        Self { keeps_going, ..Self::default() }
    }

    /// Counts the end of an operation, in the order in which they are known. One that was not sent for another reason than
    /// the store says nothing about the store.
    pub fn count(&mut self, exchange: &Exchange) {
        match BrakeCause::of(exchange) {
            _ if self.is_on() => {}
            Some(cause) => {
                let is_same = self.in_a_row == 0 || self.cause == cause;
                self.cause = if is_same { cause } else { BrakeCause::Several };
                self.in_a_row = self.in_a_row.saturating_add(1);
            }
            None if exchange.outcome() == Outcome::NotSent => {}
            None => self.in_a_row = 0,
        }
    }

    pub fn is_on(self) -> bool {
        !self.keeps_going && self.in_a_row >= IN_A_ROW
    }

    /// Returns why it is on; `None` if it is not.
    pub fn cause(self) -> Option<BrakeCause> {
        self.is_on().then_some(self.cause)
    }

    /// Goes on, and counts from the beginning.
    pub fn release(&mut self) {
        self.in_a_row = 0;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::exchange::JSON;
    use crate::domain::{Ending, FailureKind, Header, Operation, OperationId, Plant, PlantId, Response, Timestamp};

    /// Returns the end of an operation with this status and media type; 0 stands for one that was not sent.
    pub(in super::super) fn ended(kind: OperationKind, status: u16, media_type: &str) -> Exchange {
        let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
        let unsent = Exchange::failed(operation, FailureKind::NotConnected, String::new(), Timestamp(0));
        let headers = [Header { name: "content-type".into(), value: media_type.into() }].into();
        let (body, body_end) = (b"<html>".to_vec(), crate::domain::BodyEnd::Complete);
        let response = Response { status, reason: "".into(), version: "HTTP/1.1".into(), headers, body, body_end };
        if status == 0 { unsent } else { Exchange { ending: Ending::Responded(response), ..unsent } }
    }

    pub(in super::super) fn add(status: u16) -> Exchange {
        ended(OperationKind::add(Plant { name: "Fern".into(), id: PlantId(7), tag: "t".into() }), status, JSON)
    }

    fn of_kind(exchange: &Exchange, status: u16, media_type: &str) -> Exchange {
        ended(exchange.operation.kind.clone(), status, media_type)
    }

    fn after(ends: &[Exchange]) -> Brake {
        let mut brake = Brake::default();
        for end in ends {
            brake.count(end);
        }
        brake
    }

    fn after_adds(statuses: &[u16]) -> Brake {
        after(&statuses.iter().map(|status| add(*status)).collect::<Vec<_>>())
    }

    #[test]
    fn five_unknown_outcomes_in_a_row_put_it_on() {
        assert!(!after_adds(&[503; 4]).is_on());
        assert_eq!(after_adds(&[503; 5]).cause(), Some(BrakeCause::Unknown));
        for proof in [201, 409, 422, 429] {
            assert!(!after_adds(&[503, 503, 503, 503, proof, 503]).is_on());
        }
    }

    #[test]
    fn five_operations_in_a_row_without_a_connection_put_it_on() {
        assert_eq!(after_adds(&[201, 0, 0, 0, 0, 0]).cause(), Some(BrakeCause::NotConnected));
        assert_eq!(after_adds(&[503, 503, 0, 503, 0]).cause(), Some(BrakeCause::Several));
        assert!(!after_adds(&[0, 0, 0, 0, 201, 0]).is_on());
        let stopped = |kind| Exchange::failed(add(0).operation, kind, String::new(), Timestamp(0));
        let [cancelled, overtaken] = [FailureKind::CancelledBeforeSending, FailureKind::Overtaken].map(stopped);
        assert!(after(&[add(0), cancelled, add(0), add(0), overtaken, add(0), add(0)]).is_on());
    }

    #[test]
    fn five_responses_in_a_row_that_are_not_a_stores_put_it_on() {
        use BrakeCause::{NoStore, Pages};
        let (add, delete) = (add(0), ended(OperationKind::Delete(PlantId(7)), 0, JSON));
        for (of, status, media_type, cause) in [
            (&add, 200, "text/html; charset=utf-8", Some(Pages)),
            (&delete, 200, "Text/HTML", Some(Pages)),
            (&add, 403, "text/html", Some(Pages)),
            (&add, 201, JSON, None),
            (&add, 409, "text/html", None),
            (&delete, 404, "text/html", None),
            (&delete, 404, JSON, None),
            (&add, 404, JSON, Some(NoStore)),
            (&add, 302, "text/html", Some(Pages)),
            (&add, 405, JSON, Some(NoStore)),
            (&delete, 501, JSON, Some(NoStore)),
        ] {
            let ends = [(); 5].map(|()| of_kind(of, status, media_type));
            assert_eq!(after(&ends).cause(), cause, "{status} {media_type}");
        }
        assert_eq!(after_adds(&[404, 404, 503, 404, 405]).cause(), Some(BrakeCause::Several));
        assert_eq!(after_adds(&[503, 201, 404, 404, 404, 404, 405, 503]).cause(), Some(NoStore));
    }

    #[test]
    fn it_stays_on_until_it_is_released() {
        let mut brake = after_adds(&[503, 503, 503, 503, 503, 201]);
        assert!(brake.is_on());
        brake.release();
        assert!(!brake.is_on());
        for _ in 0..5 {
            brake.count(&add(503));
        }
        assert!(brake.is_on());
    }

    #[test]
    fn one_that_keeps_going_never_goes_on() {
        let mut brake = Brake::new(true);
        for _ in 0..1000 {
            brake.count(&add(503));
        }
        assert!(!brake.is_on());
    }
}
