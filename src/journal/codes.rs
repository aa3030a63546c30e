//! The numbers that stand for the domain's values in the tables. The file format depends on them.

use std::convert::identity;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use crate::domain::{FailureKind, MemberId, Outcome, PlantId, Position, Resolution, State, Timestamp, UnlistedReason};

pub(super) trait Code {
    /// Returns the number of a value.
    fn code(&self) -> i64;
}

/// Gives each value its position in a list as code: new values are appended.
macro_rules! coded {
    ($($coded:ty: $($value:ident),+;)+) => {$(
        impl Code for $coded {
            fn code(&self) -> i64 {
                [$(<$coded>::$value),+].into_iter().zip(0..).find(|(value, _)| value == self).map_or(-1, |(_, code)| code)
            }
        }

        impl ToSql for $coded {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.code().into())
            }
        }

        impl FromSql for $coded {
            fn column_result(stored: ValueRef<'_>) -> FromSqlResult<Self> {
                let code = stored.as_i64()?;
                let value = [$(<$coded>::$value),+].into_iter().find(|value| value.code() == code);
                value.ok_or(FromSqlError::OutOfRange(code))
            }
        }
    )+};
}

coded! {
    Outcome: Accepted, Rejected, Unknown, NotSent;
    State: Stored, Unknown, Adding, Deleting;
    Resolution: MarkStored, Forget;
    UnlistedReason: Deleted, Forgotten, Rejected, NotSent;
    Kind: Add, Delete;
    FailureKind: NotRecorded, NotBuilt, NotConnected, NotConnectedInTime, CancelledBeforeSending, TimedOut, NoResponse,
        CancelledInFlight, Interrupted, TaskDied, Overtaken;
}

/// The kind of an operation, without its plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Kind {
    Add,
    Delete,
}

/// Stores a newtype as an integer, with a function to it and one back.
macro_rules! integers {
    ($($whole:ident: $to:path, $back:path;)+) => {$(
        impl ToSql for $whole {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok($to(self.0).into())
            }
        }

        impl FromSql for $whole {
            fn column_result(stored: ValueRef<'_>) -> FromSqlResult<Self> {
                stored.as_i64().map($back).map(Self)
            }
        }
    )+};
}

integers! {
    PlantId: identity, identity;
    Timestamp: identity, identity;
    MemberId: u64::cast_signed, i64::cast_unsigned;
    Position: u64::cast_signed, i64::cast_unsigned;
}
