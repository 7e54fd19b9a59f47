//! Times in words, in UTC. Made only on the server, so that the server's and the browser's first rendering are the same.

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use domain::moment::{HOUR_MS, Moment};

const DATE: &[BorrowedFormatItem<'_>] = format_description!("[day padding:none] [month repr:short] [year]");
const DAY: &[BorrowedFormatItem<'_>] = format_description!("[weekday] [day padding:none] [month repr:long] [year]");
const CLOCK: &[BorrowedFormatItem<'_>] = format_description!("[hour]:[minute]:[second]");
const MINUTE: &[BorrowedFormatItem<'_>] = format_description!("[hour]:[minute]");

/// `3 Feb 2025`
pub fn date(at: Moment) -> String {
    format(at, DATE)
}

/// `Friday 21 November 2025`
pub fn day(at: Moment) -> String {
    format(at, DAY)
}

/// `14:03:42`
pub fn clock(at: Moment) -> String {
    format(at, CLOCK)
}

/// `13:00–14:00`
pub fn hour(at: Moment) -> String {
    format!("{}–{}", format(at, MINUTE), format(at.plus_ms(HOUR_MS), MINUTE))
}

/// `21 Nov 2025, 14:02 UTC`
pub fn stamp(at: Moment) -> String {
    format!("{}, {} UTC", format(at, DATE), format(at, MINUTE))
}

fn format(at: Moment, shape: &[BorrowedFormatItem<'_>]) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000)).ok();
    at.and_then(|at| at.format(shape).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_as_dates() {
        let at = Moment::parse("2025-11-21T14:03:42Z").expect("valid");
        assert_eq!(
            [date(at), day(at), clock(at), hour(at.hour()), stamp(at)],
            ["21 Nov 2025", "Friday 21 November 2025", "14:03:42", "14:00–15:00", "21 Nov 2025, 14:03 UTC"]
        );
    }
}
