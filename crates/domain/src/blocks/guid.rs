//! The guid of a record: its id, written as a UUID, as pipelines expect it.
//!
//! Both encode the same random bits, so only the id is stored, and records that are older than guids have one too. The UUID has
//! version 8 of RFC 9562, whose bits an application may choose freely.

/// Crockford's base 32, in which ids are written: no letter that looks like a digit.
pub const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Number of letters of an id after its prefix, 5 bits each: 100 random bits.
pub const ID_LETTERS: usize = 20;

/// Prefix of a record's id.
const PREFIX: &str = "mem_";
/// Version 8 and the RFC's variant, in their bit positions.
const FIXED: u128 = (8 << 76) | (0b10 << 62);
/// Unused bits of a UUID.
const SPARE: u32 = 22;
/// Digit range of each group in the 32 digits of a UUID.
const GROUPS: [std::ops::Range<usize>; 5] = [0..8, 8..12, 12..16, 16..20, 20..32];

/// Returns the guid of the record with this id. `None`: it is not the id of a record.
#[must_use]
pub fn of_id(id: &str) -> Option<String> {
    let letters = id.strip_prefix(PREFIX).filter(|letters| letters.len() == ID_LETTERS)?;
    let mut bits = 0_u128;
    for letter in letters.bytes() {
        let place = ALPHABET.iter().position(|known| *known == letter)?;
        bits = (bits << 5) | u128::try_from(place).ok()?;
    }
    let digits = format!("{:032x}", spread(bits));
    Some(GROUPS.map(|group| &digits[group]).join("-"))
}

/// Returns the id of the record with this guid, ignoring case. `None`: it is not the guid of a record.
#[must_use]
pub fn id_of(guid: &str) -> Option<String> {
    let lower = guid.to_ascii_lowercase();
    let digits: String = lower.split('-').collect();
    let bits = gathered(u128::from_str_radix(&digits, 16).ok()?);
    let letters = (0..ID_LETTERS).rev().filter_map(|place| ALPHABET.get(usize::try_from((bits >> (5 * place)) & 31).ok()?));
    let id: String = PREFIX.chars().chain(letters.map(|letter| char::from(*letter))).collect();
    (of_id(&id)? == lower).then_some(id)
}

/// Spreads the bits of an id around the fixed ones: 48, 12 and 40.
fn spread(bits: u128) -> u128 {
    let (first, middle, last) = (bits >> 52, (bits >> 40) & 0xfff, bits & 0xff_ffff_ffff);
    (first << 80) | (middle << 64) | (last << SPARE) | FIXED
}

fn gathered(uuid: u128) -> u128 {
    let (first, middle, last) = (uuid >> 80, (uuid >> 64) & 0xfff, (uuid >> SPARE) & 0xff_ffff_ffff);
    (first << 52) | (middle << 40) | last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_and_its_guid_stand_for_each_other() {
        for (id, guid) in [
            ("mem_00000000000000000000", "00000000-0000-8000-8000-000000000000"),
            ("mem_zzzzzzzzzzzzzzzzzzzz", "ffffffff-ffff-8fff-bfff-ffffffc00000"),
            ("mem_00000000000000000001", "00000000-0000-8000-8000-000000400000"),
            ("mem_g0000000000000000000", "80000000-0000-8000-8000-000000000000"),
        ] {
            assert_eq!(of_id(id).as_deref(), Some(guid));
            assert_eq!(id_of(guid).as_deref(), Some(id));
            assert_eq!(id_of(&guid.to_uppercase()).as_deref(), Some(id));
        }
    }

    #[test]
    fn what_is_no_id_has_no_guid_and_what_is_no_guid_of_ours_has_no_id() {
        for id in ["", "mem_", "mem_1", "gf_00000000000000000000", "mem_0000000000000000000i", "mem_000000000000000000000"] {
            assert_eq!(of_id(id), None, "{id:?}");
        }
        for guid in [
            "",
            "mem_00000000000000000000",
            "00000000000080008000000000000000",
            "00000000-0000-4000-8000-000000000000",
            "00000000-0000-8000-0000-000000000000",
            "00000000-0000-8000-8000-000000000001",
            "00000000-0000-8000-8000-00000000000",
            "+0000000-0000-8000-8000-000000000000",
            "0000000é-0000-8000-8000-000000000000",
            "0000000-00000-8000-8000-000000000000",
        ] {
            assert_eq!(id_of(guid), None, "{guid:?}");
        }
    }
}
