//! The server side of console calls: the signed-in operator, the services, and the conversion of problems to responses.

mod alike;
pub mod audit;
mod conditions;
mod dates;
mod decide;
mod erasures;
mod facts;
mod find;
mod gate_panel;
mod inspect;
mod keys;
pub mod list_query;
pub mod log_query;
mod memories;
mod operators;
mod review;
pub mod session;
mod settings;
mod start;
mod stats;
pub mod strangers;
mod told;
mod users;
mod webhooks;
mod work;

use std::sync::Arc;

use axum::http::StatusCode;
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;
use tokio::sync::OnceCell;
use tower_sessions::Session;

use crate::access::operators::Viewer;
use crate::access::tries::Tries;
use crate::calls::erasures::LookedUp;
use crate::calls::session::{Environment, Habits, Theme};
use crate::calls::users::Sought;
use crate::calls::{Flash, Notice, Refused};
use crate::domain::problem::Problem;
use crate::service::{self, Cause, Error, Keepsake};

/// The session key of a form post's result, kept until the next page shows it.
pub const FLASH: &str = "flash";

/// What the console needs besides the services; put into the context of every request.
#[derive(Clone)]
pub struct Console {
    pub keepsake: Keepsake,
    pub environment: Environment,
    pub warning: Option<String>,
    /// Browsers reach this site by HTTPS.
    pub https: bool,
    /// The address of this site, if it was told one.
    pub public_url: Option<String>,
    pub tries: Arc<Tries>,
}

/// The session of this request.
#[derive(Clone)]
pub struct Cookie(pub Session);

/// The flash that a stranger's request brought.
#[derive(Clone)]
pub struct Brought(pub Option<Flash>);

/// What this request's headers say about rendering.
#[derive(Clone, Copy)]
pub struct Look {
    pub theme: Theme,
    pub habits: Habits,
    /// A script is fetching part of the page. One-time messages are kept for a person who opens the page.
    pub in_part: bool,
}

/// The form that was posted to the page being rendered. The result is shown in that answer alone: it is in no session, no URL,
/// and no later page.
///
/// One rendering may load a page's data more than once. The action of the form is done once, and its result is kept here.
#[derive(Clone)]
pub struct PostedForm(Arc<Posting>);

struct Posting {
    fields: Vec<(String, String)>,
    staff: OnceCell<operators::Outcome>,
    key: OnceCell<keys::Outcome>,
    hook: OnceCell<webhooks::Outcome>,
    shown: OnceCell<users::Shown>,
    memory: OnceCell<memories::Posted>,
    told: OnceCell<told::ShownTold>,
    explained: OnceCell<inspect::Outcome>,
    looked_up: OnceCell<LookedUp>,
    ordered: OnceCell<erasures::Ordered>,
    sought: OnceCell<Sought>,
}

impl PostedForm {
    #[must_use]
    pub fn new(fields: Vec<(String, String)>) -> Self {
        Self(Arc::new(Posting {
            fields,
            staff: OnceCell::new(),
            key: OnceCell::new(),
            hook: OnceCell::new(),
            shown: OnceCell::new(),
            memory: OnceCell::new(),
            told: OnceCell::new(),
            explained: OnceCell::new(),
            looked_up: OnceCell::new(),
            ordered: OnceCell::new(),
            sought: OnceCell::new(),
        }))
    }

    /// The value of a field, or an empty string.
    fn field(&self, name: &str) -> String {
        self.0.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// Every value of a field.
    fn every(&self, name: &str) -> Vec<String> {
        self.0.fields.iter().filter(|(field, _)| field == name).map(|(_, value)| value.clone()).collect()
    }
}

/// A signed-in operator, for one call.
pub struct SignedIn {
    console: Console,
    viewer: Viewer,
    session: Session,
}

impl SignedIn {
    /// A signed-in operator outside a call.
    #[must_use]
    pub fn of(console: Console, viewer: Viewer, session: Session) -> Self {
        Self { console, viewer, session }
    }

    /// The calling operator. The router has let only signed-in operators pass; this takes their proof.
    pub fn take() -> Result<Self, Refused> {
        let viewer = use_context::<Viewer>().ok_or(Problem::Unauthenticated);
        let viewer = viewer.map_err(say)?;
        Ok(Self { console: expect_context(), viewer, session: expect_context::<Cookie>().0 })
    }
}

/// The answer for an unknown URL.
pub fn missing() -> Result<Notice, Refused> {
    Err(say(Problem::not_found("page")))
}

async fn take_flash(session: &Session) -> Option<Flash> {
    session.remove::<Flash>(FLASH).await.ok().flatten()
}

/// Sets the status of the response to that of the problem.
fn say(problem: Problem) -> Refused {
    if let (Some(response), Ok(status)) = (use_context::<ResponseOptions>(), StatusCode::from_u16(problem.status())) {
        response.set_status(status);
    }
    Refused(problem)
}

fn outward<T>(console: &Console, result: service::Result<T>) -> Result<T, Refused> {
    result.map_err(|error| say(error.outward(console.keepsake.clock.as_ref())))
}

fn fail(console: &Console, cause: impl Into<Cause>) -> Refused {
    say(Error::failed(cause).outward(console.keepsake.clock.as_ref()))
}

/// Checks that each query string is made the canonical one beside it, which stays as it is.
#[cfg(test)]
fn is_made_canonical(made: fn(&str) -> String, cases: &[(&str, &str)]) {
    for (query, canonical) in cases {
        assert_eq!(made(query), *canonical, "{query}");
        assert_eq!(made(canonical), *canonical, "{query} again");
    }
}
