//! The user that a trusted host names in a header, for every call of a connection.

use axum::http::HeaderMap;

use domain::erasure::people::UserId;
use domain::problem::{Field, Problem};

/// A key that is bound to a user needs none.
pub const USER_HEADER: &str = "x-keepsake-user";

/// The user in `X-Keepsake-User`, if it is sent: once, UTF-8, and an id that a user may have, compared byte by byte. It is checked
/// also where something else names the user.
pub fn named_user(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(USER_HEADER).iter();
    let (first, second) = (values.next(), values.next());
    if second.is_some() {
        return Err(Problem::invalid(Field::UserId, "must be named once in X-Keepsake-User"));
    }
    let Some(value) = first else { return Ok(None) };
    let named = String::from_utf8(value.as_bytes().to_vec());
    let named = named.map_err(|_| Problem::invalid(Field::UserId, "must be UTF-8 in X-Keepsake-User"))?;
    UserId::new(&named)?;
    Ok(Some(named))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn named(values: &[&[u8]]) -> Result<Option<String>, Problem> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(USER_HEADER, HeaderValue::from_bytes(value).expect("a header"));
        }
        named_user(&headers)
    }

    #[test]
    fn a_header_names_one_user_or_nobody() {
        assert_eq!(named(&[]), Ok(None));
        assert_eq!(named(&["ann ü".as_bytes()]), Ok(Some("ann ü".to_owned())));
        for wrong in [&[b"a".as_slice(), b"b"][..], &[b""], &[b"  "], &[b"\xe9"], &[&[b'x'; 129]], &["a\u{85}".as_bytes()]] {
            assert!(named(wrong).is_err(), "{wrong:?}");
        }
    }
}
