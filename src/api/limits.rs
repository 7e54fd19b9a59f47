//! Bounds of fields and parameters that the API itself sets.

/// Maximum length of a host's exchange id in bytes.
pub const EXTERNAL_ID_MAX_BYTES: usize = 256;
/// Longest Idempotency-Key in bytes.
pub const IDEMPOTENCY_KEY_MAX_BYTES: usize = 255;
/// Default and maximum number of rows on a page.
pub const LIMIT_DEFAULT: u32 = 50;
pub const LIMIT_MAX: u32 = 200;
/// Longest cursor in bytes.
pub const CURSOR_MAX_BYTES: usize = 256;
/// Longest list of parts of a prompt in bytes.
pub const INCLUDE_MAX_BYTES: usize = 64;
/// Default and maximum number of memory blocks on a page, and with their texts.
pub const PAGE_DEFAULT: u32 = 20;
pub const PAGE_MAX: u32 = 100;
pub const FULL_PAGE_MAX: u32 = 20;
/// Longest cursor of memory blocks in bytes: it holds a path.
pub const BLOCK_CURSOR_MAX_BYTES: usize = 2_048;
/// Longest search of memory blocks in bytes.
pub const BLOCK_QUERY_MAX_BYTES: usize = 4_096;
