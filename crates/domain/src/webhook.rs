//! Webhooks: the events, the schedule of retries, and the allowed addresses.
//!
//! A message holds ids and words of this program: never a text, and never a user.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde::{Deserialize, Serialize};

use super::moment::{DAY_MS, HOUR_MS, MINUTE_MS};
use super::problem::{Field, Problem};

/// Longest address in bytes.
pub const URL_MAX_BYTES: usize = 2048;
/// Retention in milliseconds of deliveries that succeeded or were given up.
pub const KEPT_MS: i64 = 30 * DAY_MS;
/// Time in milliseconds after which a failing address is no longer tried.
pub const FAILING_MS: i64 = 5 * DAY_MS;
/// Pauses before the retries: about a day in total.
const PAUSES_MS: [i64; 9] =
    [5_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS];
/// Maximum wait of a delivery in milliseconds: at least the longest pause with its jitter.
pub const LONGEST_WAIT_MS: i64 = 10 * HOUR_MS;
/// Share by which a pause is randomly longer or shorter, so that retries do not all come at once.
const JITTER: f64 = 0.2;

/// An event that a webhook reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Event {
    PendingCreated,
    FactApproved,
    FactRejected,
    ErasureFinished,
    /// Sent on request, to try an address.
    Test,
}

impl Event {
    /// Events that an endpoint can subscribe to.
    pub const ALL: [Self; 4] = [Self::PendingCreated, Self::FactApproved, Self::FactRejected, Self::ErasureFinished];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PendingCreated => "pending.created",
            Self::FactApproved => "fact.approved",
            Self::FactRejected => "fact.rejected",
            Self::ErasureFinished => "erasure.finished",
            Self::Test => "webhook.test",
        }
    }

    /// Its description for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::PendingCreated => "A fact waits for review",
            Self::FactApproved => "A fact was approved",
            Self::FactRejected => "A fact was rejected",
            Self::ErasureFinished => "An erasure was finished",
            Self::Test => "A test",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|event| event.as_str() == name);
        known.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|event| event.as_str()).collect();
            Problem::invalid(Field::Event, format!("must be one of {}", names.join(", ")))
        })
    }
}

/// Parses the events of a subscription: at least one, each once.
pub fn chosen(names: &[String]) -> Result<Vec<Event>, Problem> {
    let wanted = names.iter().map(|name| Event::parse(name)).collect::<Result<Vec<_>, _>>()?;
    if wanted.is_empty() {
        return Err(Problem::invalid(Field::Event, "must be chosen"));
    }
    Ok(Event::ALL.into_iter().filter(|event| wanted.contains(event)).collect())
}

/// Returns the pause after this many attempts, in milliseconds; `None`: the delivery is given up. `chance` is from 0 to 1.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a day in milliseconds fits both ways")]
pub fn pause_ms(attempts: i64, chance: f64) -> Option<i64> {
    let pause = PAUSES_MS.get(usize::try_from(attempts).ok()?.checked_sub(1)?)?;
    Some((*pause as f64 * (1.0 + JITTER * (2.0 * chance - 1.0))) as i64)
}

/// The networks that a delivery may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Public addresses only.
    Public,
    /// Public addresses and this machine.
    Loopback,
    /// Public addresses, this machine and private networks.
    Private,
}

impl Reach {
    /// Whether a delivery may go to this address.
    #[must_use]
    pub fn admits(self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        match self {
            _ if is_public(address) => true,
            Self::Public => false,
            Self::Loopback => address.is_loopback(),
            Self::Private => address.is_loopback() || is_private(address),
        }
    }
}

/// Whether an address is in a private network. Link-local addresses are excluded: cloud machines serve their secrets there.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_private() || in_net(v4, [100, 64, 0, 0], 10),
        IpAddr::V6(v6) => v6.is_unique_local(),
    }
}

/// Whether an address is publicly routed, by the registries of special addresses (RFC 6890).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(v4: Ipv4Addr) -> bool {
    const SPECIAL: [([u8; 4], u32); 14] = [
        ([0, 0, 0, 0], 8),
        ([10, 0, 0, 0], 8),
        ([100, 64, 0, 0], 10),
        ([127, 0, 0, 0], 8),
        ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12),
        ([192, 0, 0, 0], 24),
        ([192, 0, 2, 0], 24),
        ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16),
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24),
        ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 3),
    ];
    !SPECIAL.iter().any(|(net, bits)| in_net(v4, *net, *bits))
}

fn in_net(v4: Ipv4Addr, net: [u8; 4], bits: u32) -> bool {
    let mask = u32::MAX << (32 - bits);
    u32::from(v4) & mask == u32::from(Ipv4Addr::from(net)) & mask
}

/// Only `2000::/3` is allocated. Addresses that embed an IPv4 address are judged by it, and documentation ranges are refused.
fn is_public_v6(v6: Ipv6Addr) -> bool {
    let parts = v6.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match parts {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => is_public_v4(v4(high, low)),
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_is_tried_for_about_a_day() {
        let sum: i64 = (1..).map_while(|attempts| pause_ms(attempts, 0.5)).sum();
        assert!((22 * HOUR_MS..26 * HOUR_MS).contains(&sum), "{sum}");
        assert_eq!(pause_ms(0, 0.5), None);
        assert_eq!((pause_ms(1, 0.0), pause_ms(1, 1.0)), (Some(4_000), Some(6_000)));
    }

    #[test]
    fn events_are_chosen_by_name() {
        let names = |names: &[&str]| chosen(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            names(&["fact.rejected", "pending.created", "fact.rejected"]),
            Ok(vec![Event::PendingCreated, Event::FactRejected])
        );
        assert!(names(&[]).is_err() && names(&["webhook.test"]).is_err() && names(&["fact.*"]).is_err());
    }

    #[test]
    fn what_is_not_of_the_internet_is_refused() {
        let admits = |reach: Reach, address: &str| reach.admits(address.parse().expect("an address"));
        for public in ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::101:101"] {
            assert!(admits(Reach::Public, public), "{public}");
        }
        let inside = [
            "127.0.0.1",
            "10.1.2.3",
            "172.31.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "2001:db8::1",
            "ff02::1",
        ];
        for address in inside {
            assert!(!admits(Reach::Public, address), "{address}");
        }
        assert!(admits(Reach::Loopback, "127.0.0.1") && admits(Reach::Loopback, "::1") && !admits(Reach::Loopback, "10.0.0.1"));
        assert!(admits(Reach::Private, "10.0.0.1") && admits(Reach::Private, "fd00::1") && admits(Reach::Private, "127.0.0.1"));
        assert!(!admits(Reach::Private, "169.254.169.254") && !admits(Reach::Private, "fe80::1"));
    }
}
