//! The server side of a console call: the signed-in operator, the services, and the way out for problems.

mod audit;
mod dates;
mod decide;
mod erasures;
pub mod fact_query;
mod facts;
mod gate_panel;
mod inspect;
mod operators;
mod review;
pub mod session;
mod settings;
mod stats;
mod users;

use std::sync::Arc;

use axum::http::StatusCode;
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;
use tokio::sync::OnceCell;
use tower_sessions::Session;

use crate::access::operators::Viewer;
use crate::access::tries::Tries;
use crate::calls::session::{Environment, Habits, Theme};
use crate::calls::{Flash, Notice, Refused};
use crate::domain::problem::Problem;
use crate::service::{self, Cause, Error, Keepsake};

/// Under which the session keeps the outcome of a form post until the next page shows it.
pub const FLASH: &str = "flash";

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

/// What this request's headers ask for.
#[derive(Clone, Copy)]
pub struct Look {
    pub theme: Theme,
    pub habits: Habits,
    /// A script reads a part of the page. What is said once is kept for who opens it.
    pub in_part: bool,
}

/// The form that was posted to the page which is rendered now. What such a page shows stands in that answer alone: it is in
/// no session, no URL, and no later page.
///
/// One rendering may load a page's data more than once; what the form asks for is done once, and its outcome kept here.
#[derive(Clone)]
pub struct PostedForm(Arc<Posting>);

struct Posting {
    fields: Vec<(String, String)>,
    staff: OnceCell<operators::Outcome>,
    shown: OnceCell<users::Shown>,
    explained: OnceCell<inspect::Outcome>,
}

impl PostedForm {
    #[must_use]
    pub fn new(fields: Vec<(String, String)>) -> Self {
        Self(Arc::new(Posting { fields, staff: OnceCell::new(), shown: OnceCell::new(), explained: OnceCell::new() }))
    }

    /// The value of a field, or nothing.
    fn field(&self, name: &str) -> String {
        self.0.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone()).unwrap_or_default()
    }
}

/// A signed-in operator at work.
pub struct SignedIn {
    console: Console,
    viewer: Viewer,
    session: Session,
}

impl SignedIn {
    /// An operator outside of a call.
    #[must_use]
    pub fn of(console: Console, viewer: Viewer, session: Session) -> Self {
        Self { console, viewer, session }
    }

    /// The operator who asks. The router has let only signed-in operators pass; this takes the proof.
    pub fn take() -> Result<Self, Refused> {
        let viewer = use_context::<Viewer>().ok_or(Problem::Unauthenticated);
        let viewer = viewer.map_err(say)?;
        Ok(Self { console: expect_context(), viewer, session: expect_context::<Cookie>().0 })
    }
}

/// The answer for a URL that leads nowhere.
pub fn missing() -> Result<Notice, Refused> {
    Err(say(Problem::not_found("page")))
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
