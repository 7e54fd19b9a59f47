//! The server side of a console call: the signed-in operator, the services, and the way out for problems.

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;
use tower_sessions::Session;

use crate::access::operators::{self, Viewer};
use crate::access::sessions::OPERATOR;
use crate::access::tries::Tries;
use crate::calls::review::{Candidate, Opened, Queue};
use crate::calls::session::{Environment, Frame, Theme, Welcome};
use crate::calls::{Flash, Notice, Refused};
use crate::domain::fact::Decision;
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::service::Fact;
use crate::service::Page;
use crate::service::review::Decided;
use crate::service::{self, Error, Keepsake};

/// Under which the session keeps the outcome of a form post until the next page shows it.
pub const FLASH: &str = "flash";
/// The cookie that keeps the theme.
pub const THEME_COOKIE: &str = "keepsake_theme";
/// How long the theme is kept, in seconds.
const THEME_COOKIE_AGE_S: u32 = 365 * 24 * 60 * 60;
/// Candidates on one page.
const PAGE: u32 = 50;

/// What the console needs to know beside the services; put into the context of every request.
#[derive(Clone)]
pub struct Console {
    pub keepsake: Keepsake,
    pub environment: Environment,
    pub warning: Option<String>,
    pub tries: Arc<Tries>,
}

/// The session of this request.
#[derive(Clone)]
pub struct Cookie(pub Session);

/// The theme that this request's cookie asks for.
#[derive(Clone, Copy)]
pub struct Look(pub Theme);

/// A signed-in operator at work.
pub struct Desk {
    console: Console,
    viewer: Viewer,
    session: Session,
}

impl Desk {
    /// The desk of the operator who is asking. The router has let only signed-in operators pass; this takes his proof.
    pub fn take() -> Result<Self, Refused> {
        let viewer = use_context::<Viewer>().ok_or(Problem::Unauthenticated);
        let viewer = viewer.map_err(say)?;
        Ok(Self { console: expect_context(), viewer, session: expect_context::<Cookie>().0 })
    }

    pub async fn frame(self) -> Result<Frame, Refused> {
        let counts = outward(&self.console, self.console.keepsake.fact_counts(&self.viewer).await)?;
        let flash = take_flash(&self.session).await;
        let flash_text = match flash.as_ref().and_then(Flash::fact) {
            Some(id) => self.console.keepsake.fact(&self.viewer, id).await.ok().map(|fact| fact.content),
            None => None,
        };
        Ok(Frame {
            operator: self.viewer.name().to_owned(),
            may_edit: self.viewer.may_edit(),
            environment: self.console.environment,
            theme: expect_context::<Look>().0,
            pending: counts.pending,
            warning: self.console.warning.clone(),
            flash,
            flash_text,
        })
    }

    pub async fn sign_out(self) -> Result<Notice, Refused> {
        self.session.flush().await.map_err(|error| fail(&self.console, error))?;
        leptos_axum::redirect("/login");
        Ok(Notice::SignedOut)
    }

    pub async fn queue(self, after: Option<String>) -> Result<Queue, Refused> {
        let keepsake = &self.console.keepsake;
        let page = Page { after: after.filter(|id| !id.is_empty()), limit: PAGE + 1 };
        let mut facts = outward(&self.console, keepsake.pending(&self.viewer, &page).await)?;
        let counts = outward(&self.console, keepsake.fact_counts(&self.viewer).await)?;
        let more = facts.len() > PAGE as usize;
        facts.truncate(PAGE as usize);
        let settings = keepsake.settings();
        let now = keepsake.clock.now();
        Ok(Queue {
            next: facts.last().filter(|_| more).map(|fact| fact.id.clone()),
            candidates: facts.into_iter().map(|fact| shown(fact, now, None)).collect(),
            pending: counts.pending,
            promote_at: settings.promote_contributors,
            may_edit: self.viewer.may_edit(),
            learning: settings.learn_global,
        })
    }

    pub async fn candidate(self, id: &str) -> Result<Opened, Refused> {
        let keepsake = &self.console.keepsake;
        let fact = outward(&self.console, keepsake.fact(&self.viewer, id).await)?;
        let decided_by = outward(&self.console, keepsake.decided_by(&fact).await)?;
        Ok(Opened {
            candidate: shown(fact, keepsake.clock.now(), decided_by),
            promote_at: keepsake.settings().promote_contributors,
        })
    }

    pub async fn approve(self, id: &str, version: i64) -> Result<Notice, Refused> {
        let Decided { already_by, .. } = self.decide(id, version, Decision::Approve).await?;
        Ok(Notice::Approved { id: id.to_owned(), already_by })
    }

    pub async fn reject(self, id: &str, version: i64) -> Result<Notice, Refused> {
        let Decided { already_by, .. } = self.decide(id, version, Decision::Reject).await?;
        Ok(Notice::Rejected { id: id.to_owned(), already_by })
    }

    async fn decide(&self, id: &str, version: i64, decision: Decision) -> Result<Decided, Refused> {
        let editor = self.viewer.editor().map_err(say)?;
        outward(&self.console, self.console.keepsake.decide(editor, id, version, decision).await)
    }
}

/// What the sign-in page shows.
pub async fn welcome() -> Result<Welcome, Refused> {
    let console: Console = expect_context();
    let flash = take_flash(&expect_context::<Cookie>().0).await;
    Ok(Welcome { environment: console.environment, flash })
}

/// Signs in: a new session id, and on to where the operator wanted to go.
pub async fn sign_in(email: &str, password: String, next: &str) -> Result<Notice, Refused> {
    let console: Console = expect_context();
    let session = expect_context::<Cookie>().0;
    let keepsake = &console.keepsake;
    let permit = console.tries.take(email, keepsake.clock.now()).map_err(say)?;
    let viewer = outward(&console, operators::sign_in(keepsake.store.as_ref(), email, password).await.map_err(Error::from))?;
    permit.give_back();
    session.cycle_id().await.map_err(|error| fail(&console, error))?;
    session.insert(OPERATOR, viewer.id()).await.map_err(|error| fail(&console, error))?;
    outward(&console, keepsake.signed_in(&viewer).await)?;
    leptos_axum::redirect(local(next));
    Ok(Notice::Done)
}

/// Keeps the theme in a cookie that the next page is rendered by.
pub fn set_theme(theme: Theme) -> Result<Notice, Refused> {
    let cookie = match theme.name() {
        Some(name) => format!("{THEME_COOKIE}={name}; Path=/; Max-Age={THEME_COOKIE_AGE_S}; SameSite=Lax"),
        None => format!("{THEME_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax"),
    };
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, value);
    }
    Ok(Notice::Done)
}

/// The answer for a URL that leads nowhere.
pub fn missing() -> Result<Notice, Refused> {
    Err(say(Problem::not_found("page")))
}

/// A path on this site; anything else leads to the start. Two slashes, or a backslash, would lead to another host.
fn local(next: &str) -> &str {
    let fine = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\n', '\r']);
    if fine { next } else { "/" }
}

async fn take_flash(session: &Session) -> Option<Flash> {
    session.remove::<Flash>(FLASH).await.ok().flatten()
}

/// Gives the response the problem's status.
fn say(problem: Problem) -> Refused {
    if let (Some(response), Ok(status)) = (use_context::<ResponseOptions>(), StatusCode::from_u16(problem.status())) {
        response.set_status(status);
    }
    Refused(problem)
}

fn outward<T>(console: &Console, result: service::Result<T>) -> Result<T, Refused> {
    result.map_err(|error| say(error.outward(console.keepsake.clock.as_ref())))
}

fn fail(console: &Console, cause: impl std::fmt::Display) -> Refused {
    say(Error::failed(cause).outward(console.keepsake.clock.as_ref()))
}

fn shown(fact: Fact, now: Moment, decided_by: Option<String>) -> Candidate {
    Candidate {
        age: now.age_since(fact.created_at),
        decided_by,
        id: fact.id,
        version: fact.version,
        content: fact.content,
        status: fact.status,
        kind: fact.kind,
        origin: fact.origin,
        importance: fact.importance.get(),
        contributors: fact.contributors,
        contradicted: fact.contradicted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_leads_to_this_site_only() {
        assert_eq!(local("/review?after=gf_1"), "/review?after=gf_1");
        for bad in ["", "https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"] {
            assert_eq!(local(bad), "/");
        }
    }
}
