//! The fields of a user's profile: what they may be, and how many are kept.

use super::moment::Moment;
use super::problem::{Field, Problem};

/// Most fields of a profile, and the longest name and value in characters.
pub const FIELDS_MAX: usize = 50;
pub const FIELD_NAME_MAX_CHARS: usize = 64;
pub const FIELD_VALUE_MAX_CHARS: usize = 500;
/// The field that says in which language an assistant answers commands.
pub const LANGUAGE_FIELD: &str = "preferred_language";

/// One field of a profile.
#[derive(Clone, PartialEq, Eq)]
pub struct ProfileField {
    pub name: String,
    pub value: String,
    pub updated_at: Moment,
}

/// Checks the name of a field.
pub fn check_field_name(name: &str) -> Result<(), Problem> {
    let fits = (1..=FIELD_NAME_MAX_CHARS).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if fits { Ok(()) } else { Err(Problem::invalid(Field::Key, "must match [a-z0-9_]{1,64}")) }
}

/// The value of a field: trimmed, not blank, at most 500 characters.
pub fn field_value(value: &str) -> Result<String, Problem> {
    let value = value.trim();
    match value.chars().count() {
        0 => Err(Problem::invalid(Field::Value, "must not be blank")),
        1..=FIELD_VALUE_MAX_CHARS => Ok(value.to_owned()),
        chars => {
            Err(Problem::invalid(Field::Value, format!("must be {FIELD_VALUE_MAX_CHARS} characters or fewer; it is {chars}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_plain_names_and_short_values() {
        assert!(["user_name", "a", "0", &"x".repeat(64)].iter().all(|name| check_field_name(name).is_ok()));
        assert!(["", "User", "a-b", "a b", "é", &"x".repeat(65)].iter().all(|name| check_field_name(name).is_err()));
        assert_eq!(field_value("  id ").as_deref(), Ok("id"));
        assert!(field_value(&"é".repeat(500)).is_ok() && field_value(&"é".repeat(501)).is_err() && field_value(" \n").is_err());
    }
}
