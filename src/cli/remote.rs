//! A running server, for commands that speak to one instead of opening the database.

use std::time::Duration;

use clap::Args;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};

use super::Failure;
use crate::api::named_user::USER_HEADER;
use crate::outgoing;

/// Largest answer that is read; the server sends far less.
const ANSWER_MAX_BYTES: usize = 16 << 20;

/// Which server, and as whom.
#[derive(Args, Clone)]
pub struct Server {
    /// A running server: `http://127.0.0.1:3000`.
    #[arg(long, env = "KEEPSAKE_URL")]
    pub url: Option<String>,
    /// A key for it, from `keepsake key add`.
    #[arg(long, env = "KEEPSAKE_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// The user whose memories these are. A key made with `--user` needs none.
    #[arg(long, env = "KEEPSAKE_USER")]
    pub user: Option<String>,
}

/// An answer of the server.
pub struct ServerAnswer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// Sends requests with the key. No redirect is followed, because a request carries the key and what people said.
#[derive(Clone)]
pub struct Remote {
    client: Client,
    base: Url,
}

impl Remote {
    /// Sends nothing yet.
    pub fn new(url: &str, server: &Server, timeout: Duration) -> Result<Self, Failure> {
        let base = Url::parse(url).ok().filter(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
        let base = base.ok_or_else(|| Failure::Said("the server's URL must look like http://127.0.0.1:3000".to_owned()))?;
        let Some(key) = server.key.as_deref().filter(|key| !key.is_empty()) else {
            return Err(Failure::Said(
                "a key is needed: set KEEPSAKE_KEY, or pass --key; `keepsake key add NAME --scope read --scope write --user ID` makes one"
                    .to_owned(),
            ));
        };
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, value(&format!("Bearer {key}"), "the key")?);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(user) = &server.user {
            headers.insert(HeaderName::from_static(USER_HEADER), value(user, "the user")?);
        }
        let builder = outgoing::client().default_headers(headers).timeout(timeout);
        // A proxy for the outside world cannot reach this machine.
        let builder = if is_loopback(&base) { builder.no_proxy() } else { builder };
        Ok(Self { client: builder.build().map_err(|error| said(&error))?, base })
    }

    /// Posts JSON to a path of the server.
    pub async fn post(&self, path: &str, body: Vec<u8>, headers: HeaderMap) -> Result<ServerAnswer, Failure> {
        let mut url = self.base.clone();
        {
            let mut segments = url.path_segments_mut().map_err(|()| Failure::Said("the server's URL is unusable".to_owned()))?;
            segments.pop_if_empty().extend(path.trim_start_matches('/').split('/'));
        }
        let mut response = self.client.post(url).headers(headers).body(body).send().await.map_err(|error| said(&error))?;
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| said(&error))? {
            if body.len() + chunk.len() > ANSWER_MAX_BYTES {
                return Err(Failure::Said("the server's answer is too long".to_owned()));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(ServerAnswer { status, body })
    }
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| host == "localhost" || host.starts_with("127.") || host == "[::1]")
}

fn value(text: &str, what: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_bytes(text.as_bytes())
        .map_err(|_| Failure::Said(format!("{what} contains characters that cannot be sent")))?;
    value.set_sensitive(true);
    Ok(value)
}

/// An error without the URL, which may carry a password.
fn said(error: &reqwest::Error) -> Failure {
    let what = if error.is_timeout() {
        "did not answer in time"
    } else if error.is_connect() {
        "cannot be reached"
    } else {
        "broke off the connection"
    };
    Failure::Said(format!("the server {what}"))
}
