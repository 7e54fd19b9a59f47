//! Signing in and out, the frame around every page, and the theme.

use axum::http::{HeaderName, HeaderValue, header};
use leptos::prelude::expect_context;
use leptos_axum::ResponseOptions;

use crate::decide::work::{fill_in_texts, undoable, verdict};
use crate::notice::{Flash, Notice, Refused};
use crate::server::dates;
use crate::server::strangers;
use crate::server::{Brought, Console, Cookie, Look, SignedIn, fail, outward, say};
use crate::session::shapes::{Frame, Theme, Welcome};
use access::operators;
use access::sessions;
use access::tries::AttemptSource;
use domain::problem::{Field, Problem};
use service::error::chain;
use service::{Error, Keepsake};

/// The cookie for the theme.
pub const THEME_COOKIE: &str = "keepsake_theme";
/// Makes a browser delete its cache and storage of this site; preferences are cookies and stay.
pub const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");
/// The device that a sign-in comes from.
#[derive(Clone)]
pub struct Device {
    /// The token that an earlier sign-in left on this device.
    pub token: Option<String>,
    /// The client's address, by which attempts are counted.
    pub address: String,
    /// Browsers reach this site by HTTPS.
    pub https: bool,
}

/// The cookie that identifies a known device.
pub const DEVICE_COOKIE: &str = "keepsake_device";
/// Its lifetime in seconds.
const DEVICE_AGE_S: u32 = 180 * 24 * 60 * 60;

impl Device {
    fn cookie(&self, token: &str) -> Option<HeaderValue> {
        let secure = if self.https { "; Secure" } else { "" };
        HeaderValue::from_str(&format!(
            "{DEVICE_COOKIE}={token}; Path=/calls/sign_in; Max-Age={DEVICE_AGE_S}; SameSite=Lax; HttpOnly{secure}"
        ))
        .ok()
    }
}

/// The cookies for preferences.
pub const DENSITY_COOKIE: &str = "keepsake_density";
pub const KEYS_COOKIE: &str = "keepsake_keys";
/// Their lifetime in seconds.
const COOKIE_AGE_S: u32 = 365 * 24 * 60 * 60;

pub async fn frame(operator: &SignedIn, look: Look) -> Result<Frame, Refused> {
    let counts = outward(&operator.console, operator.console.keepsake.facts.fact_counts(&operator.viewer).await)?;
    let flash = if look.in_part { None } else { operator.console.flashes.take(&operator.session).await };
    let mut flash = flash;
    if let Some(Ok(notice)) = flash.as_mut().map(|flash| &mut flash.outcome) {
        fill_in_texts(operator, notice).await?;
    }
    let refused = flash.as_ref().filter(|flash| matches!(flash.outcome, Err(Problem::Refused { .. })));
    let verdict = match refused.filter(|flash| flash.field("kind").is_some()).and_then(|flash| flash.field("content")) {
        Some(typed) => verdict(operator, typed).await.ok(),
        None => None,
    };
    let flash_text = match flash.as_ref().and_then(Flash::fact) {
        Some(id) => operator.console.keepsake.facts.fact(&operator.viewer, id).await.ok().map(|fact| fact.content),
        None => None,
    };
    Ok(Frame {
        operator: operator.viewer.name().to_owned(),
        rights: operator.viewer.rights(),
        environment: operator.console.environment,
        theme: look.theme,
        habits: look.habits,
        decided_today: outward(&operator.console, operator.console.keepsake.facts.decided_today(&operator.viewer).await)?.own,
        undoable: undoable(operator).await?,
        pending: counts.pending,
        warning: warning(operator),
        residue: outward(&operator.console, operator.console.keepsake.erasure.last_rehearsal().await)?
            .filter(|last| !last.clean)
            .map(|last| {
                format!(
                    "The rehearsal of an erasure left something behind ({}). Erasures may be incomplete.",
                    last.residue.join("; ")
                )
            }),
        flash,
        flash_text,
        verdict,
    })
}

/// Returns the most urgent warning for every page.
fn warning(operator: &SignedIn) -> Option<String> {
    if operator.console.keepsake.database.damage().is_some() {
        return Some("The database is damaged. Stop the server and restore a backup with `keepsake restore`.".to_owned());
    }
    let away = operator.console.keepsake.learning.provider_away().map(|away| {
        let since = dates::stamp(away.since);
        let again = away.not_before.map(|at| format!(" It asked not to be called again before {} UTC.", dates::stamp(at)));
        let again = again.unwrap_or_default();
        format!("The model provider has not answered since {since} UTC.{again} Messages wait, and nothing is lost.")
    });
    away.or_else(|| operator.console.warning.clone())
}

pub async fn sign_out(operator: &SignedIn) -> Result<Notice, Refused> {
    operator.session.flush().await.map_err(|error| fail(&operator.console, error))?;
    expect_context::<ResponseOptions>().insert_header(CLEAR_SITE_DATA, HeaderValue::from_static("\"cache\", \"storage\""));
    leptos_axum::redirect("/login");
    Ok(Notice::SignedOut)
}

/// Returns the data for the sign-in page.
pub fn welcome() -> Result<Welcome, Refused> {
    let console: Console = expect_context();
    let flash = expect_context::<Brought>().0;
    if flash.is_some() {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, strangers::no_cookie());
    }
    Ok(Welcome { environment: console.environment, flash })
}

/// Signs in: sets a new session id, and redirects to the page that the operator wanted.
pub async fn sign_in(email: &str, password: String, next: &str) -> Result<Notice, Refused> {
    let console: Console = expect_context();
    let session = expect_context::<Cookie>().0;
    let keepsake = &console.keepsake;
    let (store, digester) = (keepsake.store.as_ref(), &keepsake.digester);
    let device = expect_context::<Device>();
    let known = operators::at_known_device(store, digester, email, device.token.as_deref()).await.map_err(Error::from);
    let (known, operator_id) = outward(&console, known)?;
    let from = if known { AttemptSource::KnownDevice } else { AttemptSource::Address(&device.address) };
    let permit = console.tries.take(email, from, keepsake.clock.steady()).map_err(say)?;
    let viewer = match operators::sign_in(store, email, password).await {
        Ok(viewer) => viewer,
        Err(refused) => {
            tracing::info!(operator = operator_id.as_deref().unwrap_or("unknown"), known_device = known, "a sign-in failed");
            // An attacker could cause any number of entries for accounts that do not exist.
            if permit.is_last && operator_id.is_some() {
                note_the_stop(keepsake.clone(), operator_id);
            }
            return outward(&console, Err(Error::from(refused)));
        }
    };
    permit.give_back();
    let token = outward(&console, operators::device_token(store, digester, viewer.id()).await.map_err(Error::from))?;
    if let Some(cookie) = token.and_then(|token| device.cookie(&token)) {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, cookie);
    }
    session.cycle_id().await.map_err(|error| fail(&console, error))?;
    sessions::begin(&session, viewer.id(), keepsake.clock.now()).await.map_err(|error| fail(&console, error))?;
    outward(&console, keepsake.audit.signed_in(&viewer).await)?;
    leptos_axum::redirect(local(next));
    Ok(Notice::Done)
}

/// Logs that sign-ins of an account are stopped. The answer does not wait for it, or it would take longer than the answer about
/// an account that does not exist.
fn note_the_stop(keepsake: Keepsake, operator_id: Option<String>) {
    tokio::spawn(async move {
        if let Err(error) = keepsake.audit.sign_ins_stopped(operator_id).await {
            tracing::error!(cause = chain(&error), "that sign-ins of an account are stopped could not be logged");
        }
    });
}

/// Stores the theme in a cookie, by which the next page is rendered.
pub fn set_theme(theme: Theme) -> Result<Notice, Refused> {
    Ok(keep(THEME_COOKIE, theme.name()))
}

/// Stores a preference in a cookie, unless it is the default.
pub fn prefer(habit: &str, value: &str) -> Result<Notice, Refused> {
    match (habit, value) {
        ("density", "compact") => Ok(keep(DENSITY_COOKIE, Some("compact"))),
        ("density", "comfortable") => Ok(keep(DENSITY_COOKIE, None)),
        ("keys", "off") => Ok(keep(KEYS_COOKIE, Some("off"))),
        ("keys", "on") => Ok(keep(KEYS_COOKIE, None)),
        _ => Err(say(Problem::invalid(Field::Value, "must be density or keys with a value it has"))),
    }
}

/// Sets a cookie that scripts and the server may read, or deletes it.
fn keep(name: &str, value: Option<&str>) -> Notice {
    let cookie = match value {
        Some(value) => format!("{name}={value}; Path=/; Max-Age={COOKIE_AGE_S}; SameSite=Lax"),
        None => format!("{name}=; Path=/; Max-Age=0; SameSite=Lax"),
    };
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, value);
    }
    Notice::Done
}

/// Returns a path on this site; anything else becomes the start page.
fn local(next: &str) -> &str {
    if is_local(next) { next } else { "/" }
}

/// Whether this is a path on this site. Two slashes, or a backslash, would lead to another host, and browsers ignore tabs and
/// line breaks between the slashes; other characters cannot be sent in a header.
#[must_use]
pub fn is_local(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_leads_to_this_site_only() {
        assert_eq!(local("/review?after=gf_1"), "/review?after=gf_1");
        for bad in [
            "",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "/\r\n/evil.example",
            "/\u{b}",
            "/\u{2028}/evil.example",
            "javascript:alert(1)",
        ] {
            assert_eq!(local(bad), "/", "{bad:?}");
        }
    }
}
