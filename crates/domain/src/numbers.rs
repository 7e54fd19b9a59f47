//! Formatting of numbers for people.

/// Formats a number with thousands separators: `1,284`. Every count that is shown to people goes through it.
#[must_use]
pub fn grouped(n: impl TryInto<i64>) -> String {
    let n = n.try_into().unwrap_or(i64::MAX);
    let digits = n.unsigned_abs().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    if n < 0 {
        out.push('−');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a count with its noun: `1 message`, `1,284 messages`.
#[must_use]
pub fn several(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(count)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let cases = [(0, "0"), (999, "999"), (1_284, "1,284"), (48_213, "48,213"), (1_000_000, "1,000,000"), (-1_906, "−1,906")];
        for (n, words) in cases {
            assert_eq!(grouped(n), words);
        }
        let messages = |count| several(count, "message", "messages");
        assert_eq!([messages(0), messages(1), messages(1_284)], ["0 messages", "1 message", "1,284 messages"]);
        assert_eq!((grouped(12_345_usize), grouped(u64::MAX)), ("12,345".to_owned(), grouped(i64::MAX)));
    }
}
