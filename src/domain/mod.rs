//! The values and rules of the product: plants, operations, exchanges, and what each outcome proves.
//!
//! Imports no other layer, does no IO and reads no clock: everything here is a value or a pure function.

pub(crate) mod author;
pub mod compare;
pub mod curl;
mod difference;
pub mod exchange;
pub mod export;
pub mod file_format;
pub mod filter;
pub mod id_reuse;
pub(crate) mod language;
pub mod latency_stats;
pub mod ledger;
pub mod mismatch;
pub mod operation;
pub mod outcome;
pub mod pasted_curl;
pub mod phases;
pub mod plant;
pub mod probe;
pub mod report;
pub mod retry_after;
pub(crate) mod seen;
pub mod sentence;
pub mod simple_words;
pub mod store;
pub mod timestamp;
pub mod wire;

pub use author::{Author, Authors};
pub use difference::{Field, Mismatch};
pub use exchange::{
    BODY_CAP, BodyEnd, Ending, Exchange, Failure, FailureKind, Header, Method, NOT_HTTP, Request, Response, Shortened,
};
pub use id_reuse::{RelatedExchange, Requests};
pub use language::{Language, Message};
pub use latency_stats::Sample;
pub use ledger::{
    Decided, Fold, ListedPlant, MemberId, Others, PlantEntry, PlantEvent, Position, Resolution, Row, State,
    UnknownOperation, Unlisted, UnlistedReason,
};
pub use operation::{Operation, OperationId, OperationKind, RunId};
pub use outcome::{Outcome, OutcomeCounts};
pub use phases::{Phase, Phases};
pub use plant::{Details, IdFault, Plant, PlantId, Slip};
pub use probe::{Credentials, MediaType, Probe};
pub use seen::Seen;
pub use store::{StoreUrl, StoreUrlFault};
pub use timestamp::{LocalTime, Timestamp};

/// The program with its version.
pub const PROGRAM: &str = concat!("plants ", env!("CARGO_PKG_VERSION"));
