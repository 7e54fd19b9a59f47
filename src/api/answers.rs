//! Types of answers whose schemas stand among the values.

use serde::{Serialize, Serializer};

use domain::erasure::receipt::Receipt;
use domain::moment::Moment;

/// A time in an answer, as RFC 3339.
#[derive(Clone, Copy)]
pub struct Timestamp(pub Moment);

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.serialize_str(&self.0.rfc3339())
    }
}

/// The receipt of an erasure; the README shows a complete one.
#[derive(Serialize)]
pub struct ReceiptAnswer {
    #[serde(flatten)]
    pub receipt: Receipt,
}
