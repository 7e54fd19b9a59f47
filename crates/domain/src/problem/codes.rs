//! The stable codes that programs rely on, with what to do about each.

/// A stable error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    pub name: &'static str,
    pub status: u16,
    /// The status instead, if a condition of the request (`If-Match`) does not hold.
    pub on_condition: Option<u16>,
    /// Whether the API returns it; the other codes occur in the console only.
    pub of_the_api: bool,
    /// Advice for the program that receives it.
    pub then: &'static str,
}

impl Code {
    /// Whether it comes with this status.
    #[must_use]
    pub fn comes_with(&self, status: u16) -> bool {
        self.status == status || self.on_condition == Some(status)
    }
}

const fn api(name: &'static str, status: u16, then: &'static str) -> Code {
    Code { name, status, on_condition: None, of_the_api: true, then }
}

const fn console(name: &'static str, status: u16, then: &'static str) -> Code {
    Code { name, status, on_condition: None, of_the_api: false, then }
}

/// Every code, by status. The contract of the API and its page are made from this list.
pub const CODES: &[Code] = &[
    api("malformed", 400, "Fix the request: it is not JSON, or a field is missing or of the wrong type; `parser` says where"),
    api("unauthenticated", 401, "Send a valid key"),
    api("key_expired", 401, "Ask for a new key: this one has ended"),
    api("key_revoked", 401, "Ask for a new key: this one was revoked"),
    console("wrong_password", 401, "Type the email and password again"),
    api("scope_missing", 403, "Use a key with the scope named in `scope`"),
    api("user_not_allowed", 403, "Use the key of that user, or one that is not bound to a user"),
    api("surface_not_allowed", 403, "Leave `surface` out, or name the one in `own`"),
    console("view_only", 403, "Ask somebody with the right named in `needs`"),
    console("not_opened", 403, "Give a reason first"),
    console("foreign_origin", 403, "Use the console itself"),
    api("not_found", 404, "Do not try again: it is not there, or belongs to somebody else"),
    api("method_not_allowed", 405, "Use a method that the header `Allow` names"),
    console("already_decided", 409, "Look at what was decided"),
    Code { on_condition: Some(412), ..api("stale", 409, "Read it again, and send the new version") },
    api("duplicate", 409, "Change the text, or delete one of the two: the memory in `id` says this"),
    api("nothing_to_undo", 409, "Nothing: the memory is as it was first saved"),
    api("cap_exceeded", 409, "Delete something first; `max` says how many there may be"),
    console("setting_changed", 409, "Look at the new value"),
    console("key_changed", 409, "Look at the key again"),
    console("shown_once", 409, "Rotate the key if you do not have its secret"),
    console("last_editor", 409, "Make somebody else an editor first"),
    console("would_merge", 409, "Open the other fact, or change the text"),
    console("near_approved", 409, "Open the other fact, change the text, or send its id in `beside`"),
    console("count_differs", 409, "Choose again"),
    console("confirm_bulk", 409, "Confirm the number of facts"),
    api("preview_changed", 409, "Look at the new preview in `now`, and confirm its token"),
    api("path_taken", 409, "Choose another path, or change the block in `id`, which is at `path`"),
    api("read_only", 409, "Set `read_only` of the block to false first"),
    api("archived", 409, "Use another store: this one can only be read"),
    api("current_version", 409, "Change or delete the block first, then redact the version"),
    api("idempotency_mismatch", 409, "Use a new `Idempotency-Key` for a new request"),
    api("erasure_running", 409, "Send it again after `Retry-After` seconds"),
    api("too_large", 413, "Send less than `max_bytes`"),
    api("invalid", 422, "Fix the value of `field`; `must` says how"),
    console("several", 422, "Fix each of the `problems`"),
    api("over_limit", 422, "Send less, or delete something first: `max` is the most, `value` what it would be"),
    api("no_match", 422, "Read the block again, and name a part that is in it as often as `expected`; `lines` says where it is"),
    api("refused", 422, "Leave out what `rules` names: a secret, personal data or an instruction"),
    api("no_user", 422, "For tools of MCP: use a key made for one user, or let the host name the user in `X-Keepsake-User`"),
    api("version_needed", 428, "Send `If-Match` with the `ETag`"),
    api("rate_limited", 429, "Send it again after `Retry-After` seconds"),
    console("too_many_tries", 429, "Wait 5 minutes"),
    api("internal", 500, "Tell the operator the number in `incident`; the cause is in the log under it"),
    api("not_counted", 500, "Tell the operator that the table named in `table` cannot be read"),
    api("busy", 503, "Send it again after `Retry-After` seconds: nothing was saved"),
    api("storage_full", 507, "Tell the operator to free some space: nothing was saved"),
];
