//! What queries of memories have in common: the keys of a user's rows, and the time of a statement.

/// Number of bits of `memory_key` below the user number.
const SEQ_BITS: u32 = 32;
/// Mask of these bits: the position of a memory among those of its user.
pub const PLACE: i64 = (1 << SEQ_BITS) - 1;

/// First and last possible key of a user's rows; the first is never used.
pub fn key_range(user_no: i64) -> (i64, i64) {
    (user_no << SEQ_BITS, ((user_no + 1) << SEQ_BITS) - 1)
}

/// When a memory's present statement was made: its last replacement, else its creation.
macro_rules! said_at {
    ($memory:literal $(, $until:literal)?) => {
        concat!(
            "COALESCE((SELECT MAX(merged_at) FROM memory_merges WHERE memory_key = ",
            $memory,
            ".memory_key AND cause = 'correction' AND NOT edited",
            $(" AND merged_at <= ", $until,)?
            "), ",
            $memory,
            ".created_at) AS said_at"
        )
    };
}
pub(super) use said_at;
