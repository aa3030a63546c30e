//! What the program is about: plants, operations, exchanges, and what each proves.
//!
//! Imports nothing else of this crate, does no IO and reads no clock. Everything here is a
//! value or a pure function, so every rule of the product can be tested in a line.

pub mod body;
pub mod check;
pub mod compare;
pub mod curl;
mod ending;
pub mod exchange;
pub mod export;
pub mod figure;
pub mod import;
pub mod json;
pub mod ledger;
pub mod lives;
mod markdown;
pub mod operation;
pub mod outcome;
pub mod patience;
pub mod phases;
pub mod plain;
pub mod plant;
pub mod probe;
pub mod pulse;
pub mod report;
pub mod sentence;
pub mod store;
pub mod text;
pub mod wire;
pub mod wrap;

pub use exchange::{Answer, BodyEnd, Ending, Exchange, Failure, FailureKind, Header, Method, Request};
pub use ledger::{Departed, Departure, Details, Doubt, Record, Row, Settlement, State, Unresolved};
pub use lives::{OfAnother, Requests};
pub use operation::{Ask, Operation, OperationId, Timestamp};
pub use outcome::{Difference, Outcome};
pub use phases::{Phase, Phases};
pub use plant::{IdFault, Plant, PlantId, Slip};
pub use probe::{Credentials, MediaType, Probe};
pub use pulse::Sample;
pub use store::{StoreUrl, StoreUrlFault};
