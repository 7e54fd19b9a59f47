//! Converts results to HTTP: JSON, and `application/problem+json` (RFC 9457) for errors.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::values;
use super::{Api, BODY_MAX_BYTES};
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::problem::{Field, Problem};
use service;

/// Maximum length of a parser's message in an answer.
const DETAIL_MAX_CHARS: usize = 200;

/// A problem as an HTTP answer.
pub struct Refusal(pub Problem);

/// The members of RFC 9457, and those of the problem itself.
#[derive(Serialize)]
struct Body<'a> {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: String,
    #[serde(flatten)]
    problem: &'a Problem,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(problem) = self;
        let status = StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        told(&problem, status)
    }
}

/// The answer to a request whose `If-Match` names another version than this one.
pub fn unmatched(version: i64) -> Response {
    let mut response = told(&Problem::Stale { version }, StatusCode::PRECONDITION_FAILED);
    response.headers_mut().insert(header::ETAG, etag(version));
    response
}

/// The answer to a change that is based on another state of a resource than this one, which comes along. `named`: by `If-Match`.
pub fn overtaken(version: i64, named: bool, current: &impl Serialize) -> Response {
    #[derive(Serialize)]
    struct Overtaken<'a, T> {
        #[serde(flatten)]
        body: Body<'a>,
        current: &'a T,
    }
    let status = if named { StatusCode::PRECONDITION_FAILED } else { StatusCode::CONFLICT };
    let problem = Problem::Stale { version };
    let told = Overtaken { body: body(&problem, status), current };
    let mut response = (status, Json(told)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response.headers_mut().insert(header::ETAG, etag(version));
    response
}

/// The version of a resource as an entity tag. Numbers that only count reads do not change it.
pub fn etag(version: i64) -> HeaderValue {
    HeaderValue::try_from(format!("\"{version}\"")).unwrap_or(HeaderValue::from_static("\"0\""))
}

fn body(problem: &Problem, status: StatusCode) -> Body<'_> {
    Body {
        r#type: "about:blank",
        title: status.canonical_reason().unwrap_or("Error"),
        status: status.as_u16(),
        detail: problem.to_string(),
        problem,
    }
}

fn told(problem: &Problem, status: StatusCode) -> Response {
    let mut response = (status, Json(body(problem, status))).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    if let Some(seconds) = problem.retry_after_s() {
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

/// What a handler returns.
pub type Answer<T> = Result<T, Refusal>;

impl Api {
    /// Logs a failure once and hides its cause; returns a refusal as it is.
    pub fn outward<T>(&self, result: service::Result<T>) -> Answer<T> {
        result.map_err(|error| Refusal(error.outward(self.keepsake.clock.as_ref())))
    }
}

/// A body of any kind. Too large: 413.
pub struct Received(pub Bytes);

impl FromRequest<Api> for Received {
    type Rejection = Refusal;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Refusal> {
        let bytes = Bytes::from_request(request, api).await.map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Refusal(Problem::TooLarge { max_bytes: BODY_MAX_BYTES as u64 })
            } else {
                Refusal(malformed("the body ended early"))
            }
        })?;
        Ok(Self(bytes))
    }
}

/// A JSON body with its bytes. Not JSON, a missing field or a wrong type: 400. Too large: 413.
pub struct Posted<T> {
    pub value: T,
    pub bytes: Bytes,
}

impl<T: DeserializeOwned> FromRequest<Api> for Posted<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Refusal> {
        let Received(bytes) = Received::from_request(request, api).await?;
        // A list would be read as the fields in their order.
        if bytes.trim_ascii_start().first().is_some_and(|first| *first == b'[') {
            return Err(Refusal(malformed("the body must be an object")));
        }
        let value = serde_json::from_slice(&bytes).map_err(|error| Refusal(malformed(error)))?;
        Ok(Self { value, bytes })
    }
}

/// Parameters of the query string; the same errors as for a body.
pub struct QueryString<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryString<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Query(value) =
            Query::from_request_parts(parts, state).await.map_err(|error| Refusal(malformed(error.body_text())))?;
        Ok(Self(value))
    }
}

/// The caller, and the user for whom it speaks: the one that the query names, or the one of the key.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Owner {
    #[param(ignore)]
    pub caller: Caller,
    #[param(rename = "user_id", required = false, value_type = values::UserId)]
    pub user: UserId,
}

impl FromRequestParts<Api> for Owner {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Refusal> {
        #[derive(Deserialize)]
        struct UserQuery {
            user_id: Option<String>,
        }
        let caller = Caller::from_request_parts(parts, api).await?;
        let QueryString(UserQuery { user_id }) = QueryString::from_request_parts(parts, api).await?;
        let user = caller.must_speak_for(user_id)?;
        Ok(Self { caller, user })
    }
}

/// The parameters of a query string in which some may be repeated.
pub struct Pairs(Vec<(String, String)>);

impl Pairs {
    /// Every value of a parameter.
    pub fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(own, _)| own == name).map(|(_, value)| value.clone()).collect()
    }

    /// The value of a parameter that is not to be repeated.
    pub fn last(&self, name: &str) -> Option<String> {
        self.all(name).pop()
    }

    /// How many items a page is to have.
    pub fn limit(&self) -> Result<Option<u32>, Problem> {
        let read =
            |text: String| text.parse().map_err(|_| Problem::invalid(Field::Limit, "must be a whole number from 1 to 200"));
        self.last("limit").map(read).transpose()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Pairs {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let pairs = serde_urlencoded::from_str(parts.uri.query().unwrap_or_default());
        Ok(Self(pairs.map_err(|error| Refusal(malformed(error)))?))
    }
}

/// The id in the path. One that is not UTF-8 gets 400.
pub struct Named(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let id = Path::<String>::from_request_parts(parts, state).await;
        let Path(id) = id.map_err(|error| Refusal(malformed(error.body_text())))?;
        Ok(Self(id))
    }
}

/// Two ids in the path: that of a store, and that of something in it.
pub struct NamedWithin(pub String, pub String);

impl<S: Send + Sync> FromRequestParts<S> for NamedWithin {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let ids = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((outer, inner)) = ids.map_err(|error| Refusal(malformed(error.body_text())))?;
        Ok(Self(outer, inner))
    }
}

/// A request that cannot be read, in the words of the parser.
pub fn malformed(detail: impl std::fmt::Display) -> Problem {
    Problem::Malformed { detail: detail.to_string().chars().take(DETAIL_MAX_CHARS).collect() }
}

pub async fn no_such_route() -> Refusal {
    Refusal(Problem::not_found("route"))
}

pub async fn wrong_method() -> Refusal {
    Refusal(Problem::MethodNotAllowed)
}
