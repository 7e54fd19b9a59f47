//! Callers' keys for the console's calls. A secret leaves this file only for the page that was posted to make it.

use std::collections::HashMap;

use axum::http::header;
use axum::http::request::Parts;
use leptos::prelude::use_context;
use serde_json::json;

use crate::keys::shapes::{
    Desk, Details, FirstCall, KeyChange, KeyEntry, KeyForm, KeyList, KeyPage, KeyPost, KeyQuery, Snippet, key_path,
};
use crate::notice::{Notice, Refused};
use crate::server::dates;
use crate::server::{Console, PostedForm, SignedIn, outward, say};
use access::callers::{self, Scope, scopes_of};
use domain::access::key::{ID_PREFIX, KeysShown, Overlap, is_key_id, is_unused, read_expiry};
use domain::access::rights::Right;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::{MINUTE_MS, Moment};
use domain::problem::{Faults, Problem};
use service::people::keys::{Key, KeyFilter, KeyRequest, RevocationReach};

/// Keys on one page.
const PAGE: u32 = 50;
/// Letters of an id in the list, after its prefix.
const SHORT_LETTERS: usize = 6;
/// Fallback address if no public address is configured and the request has no `Host` header.
const LOCAL: &str = "http://127.0.0.1:3000";
/// The question in the examples.
const QUESTION: &str = "What do you know about me?";

/// The result of a post to a key's page.
pub(crate) type Outcome = KeyPost;

pub async fn keys(operator: &SignedIn, query: KeyQuery) -> Result<KeyList, Refused> {
    let (console, keepsake) = (&operator.console, &operator.console.keepsake);
    let now = keepsake.clock.now();
    let shown = KeysShown::parse(&query.state);
    let filter = KeyFilter { shown, after: query.after, limit: PAGE + 1 };
    let mut keys = outward(console, keepsake.people.keys(&operator.viewer, &filter).await)?;
    let more = keys.len() > PAGE as usize;
    keys.truncate(PAGE as usize);
    let (mut about, mut before_it) = (None, Vec::new());
    if let Some(id) = query.about {
        let key = outward(console, keepsake.people.key(&operator.viewer, &id).await)?;
        before_it = outward(console, keepsake.people.replaced_by_key(&operator.viewer, &key).await)?;
        about = Some(row(&key, now));
    }
    Ok(KeyList {
        shown,
        counts: outward(console, keepsake.people.count_keys(&operator.viewer).await)?,
        next: keys.last().filter(|_| more).map(|key| key.id.clone()),
        rows: keys.iter().map(|key| row(key, now)).collect(),
        about,
        before_it: before_it.iter().map(|key| row(key, now)).collect(),
        desk: desk(operator).await?,
    })
}

/// The page of a key; if it was posted, also the result of the post.
pub async fn key_page(operator: &SignedIn, id: String) -> Result<KeyPage, Refused> {
    let posted = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.key.get_or_init(|| key_posted(operator, &form, &id)).await.clone()),
        None => None,
    };
    let refused = match &posted {
        Some(KeyPost::NotMade { problem, .. } | KeyPost::NotReplaced { problem, .. } | KeyPost::Refused(problem)) => {
            say(problem.clone());
            true
        }
        _ => false,
    };
    let details = match operator.console.keepsake.people.key(&operator.viewer, &id).await {
        Ok(key) => Some(details(operator, &key).await?),
        // The form is shown again.
        Err(service::Error::Refused(Problem::NotFound { .. })) if refused => None,
        Err(error) => return outward(&operator.console, Err(error)),
    };
    Ok(KeyPage { id, details, posted, desk: desk(operator).await? })
}

pub async fn revoke_key(operator: &SignedIn, id: &str, with_replaced: bool) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let reach = if with_replaced { RevocationReach::WithReplaced } else { RevocationReach::Key };
    outward(&operator.console, operator.console.keepsake.people.revoke(manager, id, reach).await)?;
    leptos_axum::redirect(&key_path(id));
    Ok(Notice::Key(KeyChange::Revoked))
}

async fn desk(operator: &SignedIn) -> Result<Desk, Refused> {
    Ok(Desk {
        may_manage: operator.viewer.may(Right::Manage),
        asks_password: operator.asks_password().await?,
        fresh: operator.console.keepsake.clock.id(ID_PREFIX.trim_end_matches('_')),
    })
}

async fn key_posted(operator: &SignedIn, form: &PostedForm, id: &str) -> KeyPost {
    if !is_key_id(id) {
        return KeyPost::Refused(Problem::not_found("key"));
    }
    match form.field("act").as_str() {
        "rotate" => {
            let old = form.field("key");
            match replace_key(operator, form, &old, id).await {
                Ok(made) => made,
                Err(Refused(Problem::ShownOnce)) => KeyPost::Refused(Problem::ShownOnce),
                Err(Refused(problem)) => {
                    let now = operator.console.keepsake.clock.now();
                    let old = operator.console.keepsake.people.key(&operator.viewer, &old).await.ok();
                    KeyPost::NotReplaced { problem, old: old.map(|key| row(&key, now)) }
                }
            }
        }
        "show" => match user_of_key(operator, id).await {
            Ok(user) => KeyPost::Shown { user: user.as_str().to_owned() },
            Err(Refused(problem)) => KeyPost::Refused(problem),
        },
        _ => {
            let typed = KeyForm {
                name: form.field("name"),
                scopes: form.every("scope"),
                user: form.field("user"),
                surface: form.field("surface"),
                expires: form.field("expires"),
            };
            match make_key(operator, form, &typed, id).await {
                Ok(made) => made,
                Err(Refused(Problem::ShownOnce)) => KeyPost::Refused(Problem::ShownOnce),
                Err(Refused(problem)) => KeyPost::NotMade { problem, form: typed },
            }
        }
    }
}

async fn make_key(operator: &SignedIn, form: &PostedForm, typed: &KeyForm, id: &str) -> Result<KeyPost, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let keepsake = &operator.console.keepsake;
    let mut faults = Faults::new();
    let wanted = wanted(typed, id, keepsake.clock.now(), &mut faults);
    operator.judge_password(&mut faults, form.field("present")).await?;
    faults.settle().map_err(say)?;
    let new = outward(&operator.console, keepsake.people.make_key(manager, wanted).await)?;
    made(operator, &new.id, new.secret, None).await
}

async fn replace_key(operator: &SignedIn, form: &PostedForm, old: &str, id: &str) -> Result<KeyPost, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let overlap = Overlap::parse(&form.field("overlap")).map_err(say)?;
    operator.proved(form.field("present")).await?;
    let keepsake = &operator.console.keepsake;
    let new = outward(&operator.console, keepsake.people.replace_key(manager, old, id, overlap).await)?;
    let old = outward(&operator.console, keepsake.people.key(&operator.viewer, old).await)?;
    let until = old.life.expires_at.filter(|at| *at > keepsake.clock.now()).map(dates::stamp);
    made(operator, &new.id, new.secret, until).await
}

async fn made(operator: &SignedIn, id: &str, secret: String, old_works_until: Option<String>) -> Result<KeyPost, Refused> {
    let key = outward(&operator.console, operator.console.keepsake.people.key(&operator.viewer, id).await)?;
    let snippets = snippets(&origin(&operator.console), &secret, key.user.is_some(), key.surface.as_deref());
    Ok(KeyPost::Made { secret, snippets, may_read: scopes_of(&key.scopes).contains(&Scope::Read), old_works_until })
}

async fn user_of_key(operator: &SignedIn, id: &str) -> Result<UserId, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    outward(&operator.console, operator.console.keepsake.people.user_of_key(manager, id).await)
}

async fn details(operator: &SignedIn, key: &Key) -> Result<Details, Refused> {
    let now = operator.console.keepsake.clock.now();
    let operators = outward(&operator.console, operator.console.keepsake.people.operators(&operator.viewer).await)?;
    let names: HashMap<_, _> = operators.into_iter().map(|operator| (operator.id, operator.name)).collect();
    let created_by = key.created_by.as_ref().map(|by| match by.as_str() {
        "cli" => "Command line".to_owned(),
        by => names.get(by).cloned().unwrap_or_else(|| "A former operator".to_owned()),
    });
    Ok(Details {
        row: row(key, now),
        created_by,
        revoked: key.life.revoked_at.map(dates::stamp),
        replaces: key.replaces.clone(),
        replaced_by: key.life.replaced_by.clone(),
        first_call: first_call(key, now),
    })
}

/// Returns the key that a form asks for; errors in the form are added to `faults`.
fn wanted(typed: &KeyForm, id: &str, now: Moment, faults: &mut Faults) -> KeyRequest {
    let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    faults.note(callers::check_name(&typed.name));
    let scopes = typed.scopes.iter().map(|scope| Scope::parse(scope)).collect::<Result<Vec<_>, _>>();
    let scopes = faults.note(scopes.and_then(|scopes| callers::check_scopes(&scopes).map(|()| scopes)));
    let user = Some(typed.user.as_str()).filter(|user| !user.is_empty()).map(UserId::new).transpose();
    let surface = some(&typed.surface).map(Surface::new).transpose();
    let expires_at = read_expiry(&typed.expires, now).and_then(|at| callers::check_expiry(at, now).map(|()| at));
    KeyRequest {
        id: Some(id.to_owned()),
        name: typed.name.clone(),
        scopes: scopes.unwrap_or_default(),
        user: faults.note(user).flatten(),
        surface: faults.note(surface).flatten(),
        expires_at: faults.note(expires_at).flatten(),
    }
}

fn row(key: &Key, now: Moment) -> KeyEntry {
    let (state, bound) = (key.life.state(now), key.user.is_some());
    // The exact time of a key that speaks for one user would show when the user was active and, beside the facts of a batch, who
    // contributed them.
    let used = |at: Moment| if bound { dates::date(at) } else { now.since(at) };
    KeyEntry {
        id: key.id.clone(),
        short: key.id.chars().take(ID_PREFIX.len() + SHORT_LETTERS).collect(),
        name: key.name.clone(),
        scopes: key.scopes.replace(' ', ", "),
        bound,
        surface: key.surface.clone(),
        created: dates::date(key.created_at),
        used: key.used.last_at.map(used),
        unused: is_unused(state, key.created_at, key.used.last_at, now),
        expires: key.life.expires_at.map(dates::stamp),
        state,
        replaceable: key.life.must_be_replaceable().is_ok(),
    }
}

fn first_call(key: &Key, now: Moment) -> FirstCall {
    let (Some(at), Some(call)) = (key.used.first_at, key.used.first_call.clone()) else { return FirstCall::Awaited };
    if key.user.is_some() {
        return FirstCall::On { day: dates::date(at) };
    }
    let ms = (now.0 - at.0).max(0);
    let ago = match ms {
        0..MINUTE_MS => format!("{} s ago", ms / 1_000),
        _ => now.since(at),
    };
    FirstCall::Came { ago, call }
}

/// Returns the address by which programs reach this server: as configured, or as the browser reached it.
pub(crate) fn origin(console: &Console) -> String {
    if let Some(url) = &console.public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let parts = use_context::<Parts>();
    let host = parts.as_ref().and_then(|parts| parts.headers.get(header::HOST)).and_then(|host| host.to_str().ok());
    host.map_or_else(|| LOCAL.to_owned(), |host| format!("http://{host}"))
}

/// Returns the same question, asked in three ways.
fn snippets(origin: &str, secret: &str, bound: bool, surface: Option<&str>) -> Vec<Snippet> {
    let mut question = json!({ "query": QUESTION });
    if surface.is_none() {
        question["surface"] = "web".into();
    }
    if !bound {
        question["user_id"] = "u1".into();
    }
    let curl = format!(
        "curl -sS {origin}/v1/recall \\\n  -H 'Authorization: Bearer {secret}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{question}'"
    );
    let server =
        json!({ "type": "http", "url": format!("{origin}/mcp"), "headers": { "Authorization": format!("Bearer {secret}") } });
    let mcp = format!("{:#}", json!({ "mcpServers": { "keepsake": server } }));
    let python = format!(
        "from keepsake_client import Keepsake\n\nmemory = Keepsake(\"{origin}\", \"{secret}\")\nprint(memory.recall(\"{QUESTION}\")[\"prompt\"])"
    );
    [("curl", curl), ("MCP", mcp), ("Python", python)].map(|(name, text)| Snippet { name: name.to_owned(), text }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_snippets_hold_the_key_and_ask_what_it_may_ask() {
        let all = snippets("https://keepsake.example", "ks_1", false, None);
        assert!(all.iter().all(|snippet| snippet.text.contains("ks_1") && snippet.text.contains("https://keepsake.example")));
        assert!(all[0].text.contains(r#"-d '{"query":"What do you know about me?","surface":"web","user_id":"u1"}'"#));
        let mcp: serde_json::Value = serde_json::from_str(&all[1].text).expect("JSON");
        let server = &mcp["mcpServers"]["keepsake"];
        assert_eq!(
            (&server["url"], &server["headers"]["Authorization"]),
            (&json!("https://keepsake.example/mcp"), &json!("Bearer ks_1"))
        );
        let own = snippets("https://keepsake.example", "ks_1", true, Some("telegram"));
        assert!(own[0].text.ends_with(r#"-d '{"query":"What do you know about me?"}'"#), "the key says who and where");
    }
}
