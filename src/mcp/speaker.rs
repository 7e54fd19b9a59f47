//! Who speaks through a connection, and for which user.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::api::named_user::named_user;
use crate::api::{Api, Refusal};
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::problem::Problem;

/// The program that calls and the user it speaks for; never something that a model said.
#[derive(Debug, Clone)]
pub struct Speaker {
    pub caller: Caller,
    pub user: Option<UserId>,
}

impl Speaker {
    /// The caller, for the user it may and does name.
    pub fn new(caller: Caller, named: Option<String>) -> Result<Self, Problem> {
        let user = caller.speaks_for(named)?;
        Ok(Self { caller, user })
    }

    /// The user; an error that says what to do if the connection names none.
    pub fn must_speak(&self) -> Result<&UserId, Problem> {
        self.user.as_ref().ok_or(Problem::NoUser)
    }
}

/// Lets requests with a valid key pass, within the key's rate, with the speaker in their extensions.
pub async fn let_in(_: State<Api>, caller: Caller, mut request: Request, next: Next) -> Result<Response, Refusal> {
    let speaker = Speaker::new(caller, named_user(request.headers())?)?;
    request.extensions_mut().insert(speaker);
    Ok(next.run(request).await)
}
