//! What somebody who has not signed in is told after a form without script. It is kept in a cookie of theirs, so that nothing is
//! stored here.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::console::notice::Flash;

const COOKIE: &str = "keepsake_flash";
const AGE_S: u32 = 60;
/// Browsers keep no larger cookies than 4 KiB.
const MAX_BYTES: usize = 3000;

/// The cookie that holds a flash; without what was typed, if that is long.
#[must_use]
pub fn cookie(mut flash: Flash, https: bool) -> Option<HeaderValue> {
    let mut value = written(&flash);
    if value.len() > MAX_BYTES {
        flash.fields.clear();
        value = written(&flash);
    }
    let secure = if https { "; Secure" } else { "" };
    HeaderValue::from_str(&format!("{COOKIE}={value}; Path=/login; Max-Age={AGE_S}; SameSite=Lax; HttpOnly{secure}")).ok()
}

/// Deletes that cookie.
#[must_use]
pub fn no_cookie() -> HeaderValue {
    HeaderValue::from_static("keepsake_flash=; Path=/login; Max-Age=0; SameSite=Lax; HttpOnly")
}

fn written(flash: &Flash) -> String {
    let json = serde_json::to_string(flash).unwrap_or_default();
    serde_urlencoded::to_string([("flash", json)]).unwrap_or_default()
}

/// The flash that a request brings in its cookies.
#[must_use]
pub fn brought(headers: &HeaderMap) -> Option<Flash> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| *name == COOKIE)?;
    let fields: Vec<(String, String)> = serde_urlencoded::from_str(value).ok()?;
    serde_json::from_str(&fields.first()?.1).ok()
}
