//! Lifecycle of a caller's key: its expiry, revocation, rotation and state.
//!
//! A key is never changed into another one. Rotation creates a second key with the same rights, which replaces the first; both
//! work until the overlap ends.

use serde::{Deserialize, Serialize};

use crate::insight::days::read_day;
use crate::moment::{DAY_MS, HOUR_MS, Moment};
use crate::problem::{Field, Problem};

/// Number of days before its expiry from which a key is marked.
pub const EXPIRING_WITHIN_DAYS: i64 = 14;
/// Number of days without use after which a key is marked.
pub const UNUSED_AFTER_DAYS: i64 = 30;
/// Maximum lifetime that can be given, in days: ten years.
const DAYS_MAX: i64 = 3_650;
/// Prefix of every key's id.
pub const ID_PREFIX: &str = "key_";
/// Number of letters and digits after the prefix.
const ID_LETTERS: usize = 20;

/// Expiry, revocation and replacement of a key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyLife {
    /// `None`: it works until it is revoked.
    pub expires_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    /// The key that replaces it.
    pub replaced_by: Option<String>,
}

/// State of a key at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    Active,
    /// It expires within [`EXPIRING_WITHIN_DAYS`].
    Expiring,
    /// Another key replaced it, and it works until the overlap ends.
    Replaced,
    Expired,
    Revoked,
}

impl KeyState {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expiring => "expiring",
            Self::Replaced => "replaced",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }

    /// Its name on screen.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Active => "Active",
            Self::Expiring => "Expires soon",
            Self::Replaced => "Replaced",
            Self::Expired => "Expired",
            Self::Revoked => "Revoked",
        }
    }

    /// Whether a request with such a key is answered.
    #[must_use]
    pub fn works(self) -> bool {
        matches!(self, Self::Active | Self::Expiring | Self::Replaced)
    }
}

impl KeyLife {
    #[must_use]
    pub fn state(&self, now: Moment) -> KeyState {
        let ends = |by: Moment| self.expires_at.is_some_and(|end| end <= by);
        if self.revoked_at.is_some() {
            KeyState::Revoked
        } else if ends(now) {
            KeyState::Expired
        } else if self.replaced_by.is_some() {
            KeyState::Replaced
        } else if ends(now.plus_ms(EXPIRING_WITHIN_DAYS * DAY_MS)) {
            KeyState::Expiring
        } else {
            KeyState::Active
        }
    }

    /// Refuses a request with a key that was revoked or has expired.
    pub fn must_work(&self, now: Moment) -> Result<(), Problem> {
        match self.state(now) {
            KeyState::Revoked => Err(Problem::KeyRevoked),
            KeyState::Expired => Err(Problem::KeyExpired),
            _ => Ok(()),
        }
    }

    /// Refuses to replace a key that was revoked, or that another key has replaced already.
    pub fn must_be_replaceable(&self) -> Result<(), Problem> {
        match (self.revoked_at, &self.replaced_by) {
            (Some(_), _) => Err(Problem::KeyChanged { state: "revoked".to_owned() }),
            (None, Some(_)) => Err(Problem::KeyChanged { state: "replaced".to_owned() }),
            (None, None) => Ok(()),
        }
    }

    /// Returns its life after another key has replaced it. The overlap never extends the expiry.
    #[must_use]
    pub fn replaced(&self, by: &str, overlap: Overlap, now: Moment) -> Self {
        let end = now.plus_ms(overlap.ms());
        let expires_at = Some(self.expires_at.map_or(end, |before| before.min(end)));
        Self { expires_at, replaced_by: Some(by.to_owned()), ..self.clone() }
    }

    /// Returns the expiry of a key that replaces one with this life: its lifetime is as long as that of the first.
    #[must_use]
    pub fn renewed(&self, created_at: Moment, now: Moment) -> Option<Moment> {
        self.expires_at.map(|end| now.plus_ms((end.0 - created_at.0).max(0)))
    }
}

/// Period for which a replaced key still works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Overlap {
    None,
    Hour,
    #[default]
    Day,
    Week,
}

impl Overlap {
    pub const ALL: [Self; 4] = [Self::None, Self::Hour, Self::Day, Self::Week];

    /// The name in forms and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Hour => "1h",
            Self::Day => "24h",
            Self::Week => "7d",
        }
    }

    /// Its description on screen.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::None => "Stops at once",
            Self::Hour => "Works for 1 hour",
            Self::Day => "Works for 24 hours",
            Self::Week => "Works for 7 days",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|overlap| overlap.as_str() == name.trim());
        known.ok_or_else(|| Problem::invalid(Field::Overlap, "must be one of none, 1h, 24h, 7d"))
    }

    fn ms(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Hour => HOUR_MS,
            Self::Day => DAY_MS,
            Self::Week => 7 * DAY_MS,
        }
    }
}

/// Filter of a list of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeysShown {
    #[default]
    All,
    /// Keys that work.
    Active,
    /// Keys that work and expire within [`EXPIRING_WITHIN_DAYS`].
    Expiring,
    /// Keys that work and were not used for [`UNUSED_AFTER_DAYS`].
    Unused,
    /// Keys that were revoked or have expired.
    Ended,
}

impl KeysShown {
    pub const ALL: [Self; 5] = [Self::All, Self::Active, Self::Expiring, Self::Unused, Self::Ended];

    /// The name in the address of the list, as `state`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Active => "active",
            Self::Expiring => "expiring",
            Self::Unused => "unused",
            Self::Ended => "revoked",
        }
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::All => "All",
            Self::Active => "Active",
            Self::Expiring => "Expiring within 14 days",
            Self::Unused => "Unused for 30 days",
            Self::Ended => "Revoked or expired",
        }
    }

    /// Unknown names mean all. `expired` is the same list as `revoked`.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        let name = if name == "expired" { Self::Ended.as_str() } else { name };
        Self::ALL.into_iter().find(|shown| shown.as_str() == name).unwrap_or_default()
    }
}

/// Whether a working key has not been used for [`UNUSED_AFTER_DAYS`], counted from its creation if it never was.
#[must_use]
pub fn is_unused(state: KeyState, created_at: Moment, last_used_at: Option<Moment>, now: Moment) -> bool {
    state.works() && last_used_at.unwrap_or(created_at) <= now.plus_ms(-UNUSED_AFTER_DAYS * DAY_MS)
}

/// Parses the expiry of a key: a number of days from now, or the last day on which it works (`2027-03-31`, UTC). An empty text
/// means that it works until it is revoked. The past is refused.
pub fn read_expiry(text: &str, now: Moment) -> Result<Option<Moment>, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |must: &str| Err(Problem::invalid(Field::Expires, must));
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return match text.parse::<i64>() {
            Ok(days) if (1..=DAYS_MAX).contains(&days) => Ok(Some(now.plus_ms(days * DAY_MS))),
            _ => wrong("must be 1 to 3650 days, or a date such as 2027-03-31"),
        };
    }
    match read_day(text).map(|day| day.plus_ms(DAY_MS)) {
        Some(end) if end <= now => wrong("must not be in the past"),
        Some(end) if end > now.plus_ms((DAYS_MAX + 1) * DAY_MS) => wrong("must be within ten years"),
        Some(end) => Ok(Some(end)),
        None => wrong("must be a number of days such as 90, or a date such as 2027-03-31"),
    }
}

/// Whether this can be the id of a key.
#[must_use]
pub fn is_key_id(id: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    id.strip_prefix(ID_PREFIX).is_some_and(|rest| rest.len() == ID_LETTERS && rest.bytes().all(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment(1_795_176_000_000);

    fn ends_in(days: i64) -> KeyLife {
        KeyLife { expires_at: Some(NOW.plus_ms(days * DAY_MS)), ..KeyLife::default() }
    }

    #[test]
    fn a_key_has_one_state_at_a_time() {
        let revoked = KeyLife { revoked_at: Some(NOW), ..ends_in(-1) };
        let replaced = KeyLife { replaced_by: Some("key_2".to_owned()), ..ends_in(1) };
        let over = KeyLife { replaced_by: Some("key_2".to_owned()), ..ends_in(0) };
        for (life, state, answer) in [
            (KeyLife::default(), KeyState::Active, Ok(())),
            (ends_in(15), KeyState::Active, Ok(())),
            (ends_in(14), KeyState::Expiring, Ok(())),
            (ends_in(0), KeyState::Expired, Err(Problem::KeyExpired)),
            (replaced, KeyState::Replaced, Ok(())),
            (over, KeyState::Expired, Err(Problem::KeyExpired)),
            (revoked, KeyState::Revoked, Err(Problem::KeyRevoked)),
        ] {
            assert_eq!((life.state(NOW), life.must_work(NOW)), (state, answer.clone()), "{life:?}");
            assert_eq!(state.works(), answer.is_ok());
        }
    }

    #[test]
    fn a_replaced_key_never_lives_longer_than_before() {
        let end = |life: &KeyLife, overlap| life.replaced("key_2", overlap, NOW).expires_at.expect("an end").0 - NOW.0;
        let forever = KeyLife::default();
        assert_eq!(
            Overlap::ALL.map(|overlap| end(&forever, overlap)),
            [0, HOUR_MS, DAY_MS, 7 * DAY_MS],
            "each overlap is as long as it says"
        );
        assert_eq!(end(&ends_in(2), Overlap::Week), 2 * DAY_MS);
        let replaced = forever.replaced("key_2", Overlap::Day, NOW);
        assert!(forever.must_be_replaceable().is_ok() && ends_in(-3).must_be_replaceable().is_ok());
        assert_eq!(replaced.must_be_replaceable(), Err(Problem::KeyChanged { state: "replaced".to_owned() }));
        let revoked = KeyLife { revoked_at: Some(NOW), ..replaced };
        assert_eq!(revoked.must_be_replaceable(), Err(Problem::KeyChanged { state: "revoked".to_owned() }));
    }

    #[test]
    fn the_key_that_replaces_one_lives_as_long_as_that_was_given() {
        let made = NOW.plus_ms(-80 * DAY_MS);
        assert_eq!(ends_in(10).renewed(made, NOW), Some(NOW.plus_ms(90 * DAY_MS)));
        assert_eq!(KeyLife::default().renewed(made, NOW), None);
    }

    #[test]
    fn an_end_is_days_or_a_day_and_never_in_the_past() {
        let day = |text: &str| Moment::parse(text).expect("valid");
        for (text, end) in [
            ("", None),
            ("  ", None),
            ("90", Some(NOW.plus_ms(90 * DAY_MS))),
            ("2026-11-20", Some(day("2026-11-21T00:00:00Z"))),
            (" 2027-03-31 ", Some(day("2027-04-01T00:00:00Z"))),
        ] {
            assert_eq!(read_expiry(text, NOW), Ok(end), "{text:?}");
        }
        for text in ["0", "3651", "-3", "99999999999999999999", "2026-11-19", "2036-12-31", "tomorrow", "31.3.2027", "1.5"] {
            let refused = read_expiry(text, NOW).expect_err(text);
            assert!(matches!(refused, Problem::Invalid { field: Field::Expires, .. }), "{text}");
        }
    }

    #[test]
    fn a_key_counts_as_unused_from_its_making_on() {
        let days = |days: i64| NOW.plus_ms(-days * DAY_MS);
        for (made, used, unused) in [(31, None, true), (29, None, false), (99, Some(30), true), (99, Some(1), false)] {
            assert_eq!(is_unused(KeyState::Active, days(made), used.map(days), NOW), unused, "{made} {used:?}");
        }
        assert!(!is_unused(KeyState::Revoked, days(99), None, NOW), "it is of no use");
    }

    #[test]
    fn names_are_read_back() {
        for overlap in Overlap::ALL {
            assert_eq!(Overlap::parse(overlap.as_str()), Ok(overlap));
        }
        assert!(Overlap::parse("2h").is_err());
        for shown in KeysShown::ALL {
            assert_eq!(KeysShown::parse(shown.as_str()), shown);
        }
        assert_eq!((KeysShown::parse("expired"), KeysShown::parse("lost")), (KeysShown::Ended, KeysShown::All));
        assert!(is_key_id("key_0123456789abcdefghjk") && !is_key_id("key_x") && !is_key_id("op_0123456789abcdefghjk"));
    }
}
