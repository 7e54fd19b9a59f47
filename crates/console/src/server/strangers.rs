//! Messages after a form without script, for visitors who are not signed in. They are kept in a cookie, so that nothing is stored
//! on the server.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::notice::Flash;

const COOKIE: &str = "keepsake_flash";
const AGE_S: u32 = 60;
/// Browsers drop cookies larger than 4 KiB.
const MAX_BYTES: usize = 3000;

/// Returns the cookie that holds a flash; leaves out the typed fields if they are too long.
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

/// Returns the flash in the cookies of a request.
#[must_use]
pub fn brought(headers: &HeaderMap) -> Option<Flash> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| *name == COOKIE)?;
    let fields: Vec<(String, String)> = serde_urlencoded::from_str(value).ok()?;
    serde_json::from_str(&fields.first()?.1).ok()
}
