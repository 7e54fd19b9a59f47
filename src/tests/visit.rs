//! Simulates an operator's browser without script, and the calls of one with script, against the whole router.

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use keepsake::domain::access::rights::Rights;
use keepsake::ports::store::people::operators::OperatorReads;
use keepsake::service::audit::Actor;
use keepsake::service::people::operators::{self, NewOperator};

use crate::fixture::{Fixture, PASSWORD, session_cookie};

const FORM: &str = "application/x-www-form-urlencoded";

/// A response.
pub struct Answer {
    pub status: u16,
    pub location: Option<String>,
    pub cache: String,
    pub cookie: Option<String>,
    pub body: String,
}

/// A signed-in operator.
pub struct Visit<'a> {
    pub fixture: &'a Fixture,
    pub cookie: String,
    pub id: String,
}

impl<'a> Visit<'a> {
    /// Adds an operator and signs in.
    pub async fn of(fixture: &'a Fixture, email: &str, name: &str, rights: Rights) -> Visit<'a> {
        let new = NewOperator { email, name, rights, password: PASSWORD.to_owned() };
        let id = operators::add_operator(fixture.store.as_ref(), fixture.clock.as_ref(), &Actor::CommandLine, new)
            .await
            .expect("added");
        Visit { fixture, cookie: sign_in(fixture, email, PASSWORD).await.expect("signed in"), id }
    }

    pub async fn editor(fixture: &'a Fixture) -> Visit<'a> {
        Self::of(fixture, "priya@example.org", "Priya Raman", Rights::Edit).await
    }

    pub async fn viewer(fixture: &'a Fixture) -> Visit<'a> {
        Self::of(fixture, "jun@example.org", "Jun Abe", Rights::View).await
    }

    /// Opens a page.
    pub async fn page(&self, path: &str) -> Answer {
        self.send(Request::get(path).header(header::ACCEPT, "text/html"), "").await
    }

    /// Makes a read call as a script does.
    pub async fn ask(&self, path: &str) -> Answer {
        self.send(Request::get(path).header(header::ACCEPT, "application/json"), "").await
    }

    /// Posts a form as a script does.
    pub async fn call(&self, path: &str, form: &str) -> Answer {
        self.send(Request::post(path).header(header::ACCEPT, "application/json").header(header::CONTENT_TYPE, FORM), form).await
    }

    /// Posts a form from a page, as a browser without script does.
    pub async fn submit(&self, from: &str, path: &str, form: &str) -> Answer {
        let request = Request::post(path)
            .header(header::ACCEPT, "text/html")
            .header(header::CONTENT_TYPE, FORM)
            .header(header::HOST, "localhost")
            .header(header::REFERER, format!("http://localhost{from}"));
        self.send(request, form).await
    }

    async fn send(&self, request: axum::http::request::Builder, body: &str) -> Answer {
        let request = request.header(header::COOKIE, &self.cookie);
        read(self.fixture.send(request.body(Body::from(body.to_owned())).expect("well formed")).await).await
    }

    /// This operator as stored.
    pub async fn stored(&self) -> keepsake::ports::store::people::operators::Operator {
        self.fixture.store.operator(&self.id).await.expect("read").expect("there")
    }
}

/// The session cookie after signing in; `None`: refused.
pub async fn sign_in(fixture: &Fixture, email: &str, password: &str) -> Option<String> {
    let form = format!("email={}&password={}", email.replace('@', "%40"), password.replace(' ', "+"));
    let request = Request::post("/calls/sign_in").header(header::CONTENT_TYPE, FORM).header(header::ACCEPT, "application/json");
    let answer = read(fixture.send(request.body(Body::from(form)).expect("well formed")).await).await;
    answer.cookie.filter(|_| (200..400).contains(&answer.status))
}

async fn read(response: Response<Body>) -> Answer {
    let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (status, location) = (response.status().as_u16(), text(header::LOCATION));
    let cache = text(header::CACHE_CONTROL).unwrap_or_default();
    let cookie = response.headers().contains_key(header::SET_COOKIE).then(|| session_cookie(response.headers()));
    let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
    Answer { status, location, cache, cookie, body: String::from_utf8_lossy(&body).into_owned() }
}
