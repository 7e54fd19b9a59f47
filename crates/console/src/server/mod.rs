//! The server side of console calls: the signed-in operator, the services, and the conversion of problems to responses.

pub(crate) mod conditions;
pub(crate) mod dates;
pub mod flashes;
pub mod list_query;
pub(crate) mod paging;
pub mod strangers;

use std::sync::Arc;

use axum::http::StatusCode;
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;
use tokio::sync::OnceCell;
use tower_sessions::Session;

use crate::erasures::shapes::LookedUp;
use crate::notice::{Flash, Notice, Refused};
use crate::server::flashes::Flashes;
use crate::session::shapes::{Environment, Habits, Theme};
use crate::users::blocks;
use crate::users::shapes::UserSearchReport;
use crate::{erasures, inspect, keys, operators, users, webhooks};
use access::operators::Viewer;
use access::sessions::{self, stored_id};
use access::tries::{AttemptSource, Tries};
use domain::problem::{Faults, Field, Problem};
use service::{self, Cause, Error, Keepsake};

/// The services and settings of the console; put into the context of every request.
#[derive(Clone)]
pub struct Console {
    pub keepsake: Keepsake,
    pub environment: Environment,
    pub warning: Option<String>,
    /// Browsers reach this site by HTTPS.
    pub https: bool,
    /// The public address of this site, if one is configured.
    pub public_url: Option<String>,
    pub tries: Arc<Tries>,
    pub flashes: Arc<Flashes>,
}

impl Console {
    /// Keeps the result of a form post for the next page of this session.
    pub async fn keep(&self, session: &Session, flash: Flash) {
        let ticket = self.keepsake.clock.id("flash");
        if let Err(error) = self.flashes.keep(session, ticket, flash).await {
            tracing::error!(cause = %error, "the outcome of a form could not be kept");
        }
    }
}

/// The session of this request.
#[derive(Clone)]
pub struct Cookie(pub Session);

/// The flash in the cookie of a visitor who is not signed in.
#[derive(Clone)]
pub struct Brought(pub Option<Flash>);

/// Rendering options from this request's headers.
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
pub struct PostedForm(pub(crate) Arc<Posting>);

pub(crate) struct Posting {
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) staff: OnceCell<operators::work::Outcome>,
    pub(crate) key: OnceCell<keys::work::Outcome>,
    pub(crate) hook: OnceCell<webhooks::work::Outcome>,
    pub(crate) shown: OnceCell<users::work::Shown>,
    pub(crate) memory: OnceCell<users::work::memories::Posted>,
    pub(crate) told: OnceCell<users::told::work::ShownTold>,
    pub(crate) blocks: OnceCell<blocks::shapes::BlockOutcome>,
    pub(crate) block: OnceCell<blocks::work::Posted>,
    pub(crate) explained: OnceCell<inspect::work::Outcome>,
    pub(crate) looked_up: OnceCell<LookedUp>,
    pub(crate) ordered: OnceCell<erasures::work::Ordered>,
    pub(crate) sought: OnceCell<UserSearchReport>,
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
            blocks: OnceCell::new(),
            block: OnceCell::new(),
            explained: OnceCell::new(),
            looked_up: OnceCell::new(),
            ordered: OnceCell::new(),
            sought: OnceCell::new(),
        }))
    }

    /// The value of a field, or an empty string.
    pub(crate) fn field(&self, name: &str) -> String {
        self.0.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// Every value of a field.
    pub(crate) fn every(&self, name: &str) -> Vec<String> {
        self.0.fields.iter().filter(|(field, _)| field == name).map(|(_, value)| value.clone()).collect()
    }
}

/// A signed-in operator, for one call.
pub struct SignedIn {
    pub(crate) console: Console,
    pub(crate) viewer: Viewer,
    pub(crate) session: Session,
}

impl SignedIn {
    /// A signed-in operator outside a call.
    #[must_use]
    pub fn of(console: Console, viewer: Viewer, session: Session) -> Self {
        Self { console, viewer, session }
    }

    /// Returns the calling operator. The router lets only signed-in operators pass; this takes their `Viewer` from the context.
    pub fn take() -> Result<Self, Refused> {
        let viewer = use_context::<Viewer>().ok_or(Problem::Unauthenticated);
        let viewer = viewer.map_err(say)?;
        Ok(Self { console: expect_context(), viewer, session: expect_context::<Cookie>().0 })
    }

    /// Identifies this session in stored decisions.
    pub(crate) fn session_digest(&self) -> String {
        self.session.id().as_ref().map(stored_id).unwrap_or_default()
    }

    /// Whether an action that cannot be undone asks for the password again.
    pub(crate) async fn asks_password(&self) -> Result<bool, Refused> {
        let proved = sessions::is_proved(&self.session, self.console.keepsake.clock.now()).await;
        Ok(!proved.map_err(|error| fail(&self.console, error))?)
    }

    /// Checks the password typed for an action, unless one was checked recently.
    pub(crate) async fn proved(&self, password: String) -> Result<(), Refused> {
        if !self.asks_password().await? {
            return Ok(());
        }
        let Console { keepsake, tries, .. } = &self.console;
        let now = keepsake.clock.now();
        let permit = tries.take(self.viewer.id(), AttemptSource::KnownDevice, keepsake.clock.steady()).map_err(say)?;
        if !outward(&self.console, keepsake.people.is_own_password(&self.viewer, password).await)? {
            return Err(say(Problem::invalid(Field::PresentPassword, "is not right")));
        }
        permit.give_back();
        sessions::prove(&self.session, now).await.map_err(|error| fail(&self.console, error))
    }

    /// Like [`Self::proved`], for a form that reports all its errors at once.
    pub(crate) async fn judge_password(&self, faults: &mut Faults, password: String) -> Result<(), Refused> {
        match self.proved(password).await {
            Err(Refused(wrong @ Problem::Invalid { .. })) => {
                faults.add(wrong);
                Ok(())
            }
            other => other,
        }
    }
}

/// The answer for an unknown URL.
pub fn missing() -> Result<Notice, Refused> {
    Err(say(Problem::not_found("page")))
}

/// Sets the status of the response to that of the problem.
pub(crate) fn say(problem: Problem) -> Refused {
    if let (Some(response), Ok(status)) = (use_context::<ResponseOptions>(), StatusCode::from_u16(problem.status())) {
        response.set_status(status);
    }
    Refused(problem)
}

pub(crate) fn outward<T>(console: &Console, result: service::Result<T>) -> Result<T, Refused> {
    result.map_err(|error| say(error.outward(console.keepsake.clock.as_ref())))
}

pub(crate) fn fail(console: &Console, cause: impl Into<Cause>) -> Refused {
    say(Error::failed(cause).outward(console.keepsake.clock.as_ref()))
}

/// Checks that each query string becomes the canonical one beside it, and that the canonical one does not change.
#[cfg(test)]
pub(crate) fn is_made_canonical(made: fn(&str) -> String, cases: &[(&str, &str)]) {
    for (query, canonical) in cases {
        assert_eq!(made(query), *canonical, "{query}");
        assert_eq!(made(canonical), *canonical, "{query} again");
    }
}
