//! Addresses reserved for documentation: names (RFC 2606) and networks (RFC 5737, RFC 3849). They point at nobody if the text
//! says that they are samples; otherwise they may stand for real ones.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::reading::Reading;

/// Whether the text says that it shows samples.
fn shows_samples(reading: &Reading) -> bool {
    pattern!(r"\b(?:placeholders?|documentation|docs|dummy|dummies|samples?|examples?|tests|test (?:accounts?|users?|mails?|addresses|data)|seed data|demo|mocks?|fixtures?|contoh|dokumentasi|shaped like|berbentuk|accepts values)\b(?:[^.@]|\.?(?:\s|$))")
        .is_match(reading.lower().as_bytes())
}

/// `user@example.com`, shown as a sample.
pub(super) fn is_sample_mail(reading: &Reading, address: &str) -> bool {
    const NOBODY: [&str; 10] = ["user", "name", "nama", "someone", "test", "you", "foo", "nobody", "email", "username"];
    const RESERVED: [&str; 3] = ["example.com", "example.org", "example.net"];
    let lower = address.to_ascii_lowercase();
    lower.split_once('@').is_some_and(|(local, domain)| NOBODY.contains(&local) && RESERVED.contains(&domain))
        && shows_samples(reading)
}

/// `192.0.2.10`, shown as a sample.
pub(super) fn is_sample_address(reading: &Reading, address: Ipv4Addr) -> bool {
    address.is_documentation() && shows_samples(reading)
}

/// `2001:db8::1` (RFC 3849), shown as a sample.
pub(super) fn is_sample_address_v6(reading: &Reading, address: Ipv6Addr) -> bool {
    const RESERVED: [u16; 2] = [0x2001, 0xdb8];
    address.segments()[..2] == RESERVED && shows_samples(reading)
}
