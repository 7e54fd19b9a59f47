//! The HTTP client for language model providers: OpenAI's chat completions or Anthropic's messages, one question and one answer.
//!
//! No redirect is followed, because the request carries a key and what people said. An answer is read up to a limit. Errors
//! contain statuses and rules, never bodies. Other files decide what to ask and how to read an answer.

use std::fmt;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde_json::{Value, json};

use crate::outgoing;
use domain::memory::exchange::AskAgain;
use ports::extractor::ExtractError;

/// An answer has at most twenty short items, so anything longer than this is not one.
const ANSWER_MAX_BYTES: usize = 1 << 20;
/// Anthropic requires a limit. Every model accepts this one, and no good answer comes near it.
const ANSWER_MAX_TOKENS: u32 = 8_192;
/// No model reads or writes as many tokens at once. A larger count is a mistake, and the sums of a day would not hold it.
const TOKENS_MAX: i64 = 100_000_000;
const ANTHROPIC_VERSION: &str = "2023-06-01";
/// Anthropic's status for a service that has too much to do.
const OVERLOADED: u16 = 529;
/// A pooled connection that was idle for longer may be dead without notice.
const IDLE: Duration = Duration::from_mins(1);

/// The shape of a provider's endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Chat completions, as used by OpenAI and most other servers.
    OpenAi,
    /// Messages, as used by Anthropic.
    Anthropic,
}

impl Provider {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

/// The endpoint of one model at one provider.
pub(super) struct Endpoint {
    client: Client,
    provider: Provider,
    url: Url,
    model: String,
}

impl Endpoint {
    /// Sends nothing yet.
    pub(super) fn new(
        provider: Provider,
        base_url: Option<&str>,
        model: String,
        key: Option<&str>,
    ) -> Result<Self, ExtractError> {
        let (own_url, path) = match provider {
            Provider::OpenAi => ("https://api.openai.com/v1", "chat/completions"),
            Provider::Anthropic => ("https://api.anthropic.com/v1", "messages"),
        };
        let mut url = Url::parse(base_url.unwrap_or(own_url)).map_err(|_| unusable())?;
        url.path_segments_mut().map_err(|()| unusable())?.pop_if_empty().extend(path.split('/'));
        let client = outgoing::client()
            .default_headers(headers(provider, key)?)
            .pool_idle_timeout(IDLE)
            .build()
            .map_err(|_| unusable())?;
        Ok(Self { client, provider, url, model })
    }

    /// One answer; with a schema, if the server is to enforce one.
    pub(super) async fn answer(&self, system: &str, user: &str, schema: Option<&Value>) -> Result<ProviderAnswer, Refused> {
        let body = self.body(system, user, schema);
        let response = self.client.post(self.url.clone()).json(&body).send().await.map_err(|e| broken(&e))?;
        let status = response.status();
        if !status.is_success() {
            return Err(refused(status.as_u16(), response.headers()));
        }
        let body: Value = serde_json::from_slice(&limited(response).await?).map_err(|_| bad("the body is not JSON"))?;
        let (text, ended, counts) = match self.provider {
            Provider::OpenAi => (chosen(&body), ended(&body), ["prompt_tokens", "completion_tokens"]),
            Provider::Anthropic => (said(&body), stopped(&body), ["input_tokens", "output_tokens"]),
        };
        let text = match ended {
            Ended::Declined => Err(ExtractError::Declined),
            Ended::CutOff => Err(ExtractError::BadAnswer("the answer was cut off".to_owned())),
            Ended::Well => text.filter(|text| !text.is_empty()).ok_or_else(|| ExtractError::BadAnswer("no text".to_owned())),
        };
        Ok(ProviderAnswer { text, used: usage(&body, counts) })
    }

    fn body(&self, system: &str, user: &str, schema: Option<&Value>) -> Value {
        let asked = json!({"role": "user", "content": user});
        let mut body = match self.provider {
            Provider::OpenAi => json!({
                "model": self.model, "stream": false, "messages": [{"role": "system", "content": system}, asked],
            }),
            Provider::Anthropic => json!({
                "model": self.model, "max_tokens": ANSWER_MAX_TOKENS, "system": system, "messages": [asked],
            }),
        };
        if let Some(schema) = schema {
            let (field, format) = match self.provider {
                Provider::OpenAi => (
                    "response_format",
                    json!({"type": "json_schema", "json_schema": {"name": "items", "strict": true, "schema": schema}}),
                ),
                Provider::Anthropic => ("output_config", json!({"format": {"type": "json_schema", "schema": schema}})),
            };
            body[field] = format;
        }
        body
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("provider", &self.provider).field("model", &self.model).finish_non_exhaustive()
    }
}

/// A server's answer.
pub(super) struct ProviderAnswer {
    /// The model's text, or why it cannot be used.
    pub text: Result<String, ExtractError>,
    /// Input and output tokens, if the server tells them.
    pub used: Option<(i64, i64)>,
}

/// How an answer ended.
enum Ended {
    Well,
    /// The model refused, or a filter stopped it.
    Declined,
    /// It reached the maximum length.
    CutOff,
}

/// Why there is no answer.
pub(super) enum Refused {
    /// The server answered with an error status.
    Status(u16),
    /// The server answered with this status and a time to retry.
    Deferred(u16, AskAgain),
    Failed(ExtractError),
}

impl Refused {
    /// The statuses with which servers report an unknown field in the request.
    pub(super) fn means_bad_request(&self) -> bool {
        matches!(self, Self::Status(400 | 422))
    }
}

impl From<Refused> for ExtractError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Status(status @ (400 | 413 | 422)) => Self::Refused(status),
            Refused::Status(status) => Self::Unreachable(format!("HTTP status {status}")),
            Refused::Deferred(status, again) => Self::Deferred { status, again },
            Refused::Failed(error) => error,
        }
    }
}

fn headers(provider: Provider, key: Option<&str>) -> Result<HeaderMap, ExtractError> {
    let (name, prefix) = match provider {
        Provider::OpenAi => ("authorization", "Bearer "),
        Provider::Anthropic => ("x-api-key", ""),
    };
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let mut value = HeaderValue::from_str(&format!("{prefix}{key}"))
            .map_err(|_| ExtractError::Unreachable("the provider's key cannot be sent; check it for line breaks".to_owned()))?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    if provider == Provider::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
    }
    Ok(headers)
}

/// Maps an error status. The statuses for overload are deferred if the server says when to retry.
fn refused(status: u16, headers: &HeaderMap) -> Refused {
    let again = headers.get(RETRY_AFTER).and_then(|value| AskAgain::parse(value.to_str().ok()?));
    match (status, again) {
        (429 | 503 | OVERLOADED, Some(again)) => Refused::Deferred(status, again),
        _ => Refused::Status(status),
    }
}

/// The body, unless it is too long.
async fn limited(mut response: Response) -> Result<Vec<u8>, Refused> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|e| broken(&e))? {
        if body.len() + chunk.len() > ANSWER_MAX_BYTES {
            return Err(bad("longer than an answer can be"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The text of a chat completion. Some servers send it in pieces, some with the model's reasoning first.
fn chosen(body: &Value) -> Option<String> {
    let text = match body.pointer("/choices/0/message/content")? {
        Value::String(text) => text.clone(),
        Value::Array(pieces) => pieces.iter().filter_map(written).collect(),
        _ => return None,
    };
    Some(without_thoughts(text.trim()).to_owned())
}

/// How a chat completion ended. Without a reason, it counts as complete.
fn ended(body: &Value) -> Ended {
    let refused = body.pointer("/choices/0/message/refusal").is_some_and(Value::is_string);
    match body.pointer("/choices/0/finish_reason").and_then(Value::as_str) {
        _ if refused => Ended::Declined,
        Some("content_filter") => Ended::Declined,
        Some("length") => Ended::CutOff,
        _ => Ended::Well,
    }
}

/// How a message ended.
fn stopped(body: &Value) -> Ended {
    match body["stop_reason"].as_str() {
        Some("refusal") => Ended::Declined,
        Some("max_tokens" | "model_context_window_exceeded") => Ended::CutOff,
        _ => Ended::Well,
    }
}

/// The tokens that the server counted, if plausible. Anthropic's cache reads and writes count as input.
fn usage(body: &Value, [input, output]: [&str; 2]) -> Option<(i64, i64)> {
    let told = |name: &str| body["usage"][name].as_i64().filter(|count| *count >= 0);
    let cached =
        ["cache_creation_input_tokens", "cache_read_input_tokens"].into_iter().filter_map(told).fold(0, i64::saturating_add);
    Some((told(input)?.saturating_add(cached).min(TOKENS_MAX), told(output)?.min(TOKENS_MAX)))
}

/// The first text of a message.
fn said(body: &Value) -> Option<String> {
    body["content"].as_array()?.iter().find_map(written).map(|text| text.trim().to_owned())
}

fn written(piece: &Value) -> Option<&str> {
    (piece["type"] == "text").then(|| piece["text"].as_str()).flatten()
}

fn without_thoughts(text: &str) -> &str {
    let thoughts = text.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>"));
    thoughts.map_or(text, |(_, answer)| answer.trim_start())
}

/// Describes a failure without the library's message, which contains the URL.
fn broken(error: &reqwest::Error) -> Refused {
    let rule = if error.is_connect() { "no connection" } else { "the connection broke" };
    Refused::Failed(ExtractError::Unreachable(rule.to_owned()))
}

fn bad(rule: &str) -> Refused {
    Refused::Failed(ExtractError::BadAnswer(rule.to_owned()))
}

fn unusable() -> ExtractError {
    ExtractError::Unreachable("the request could not be made; check the provider's URL and model".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_in_the_shapes_that_servers_send() {
        let chat = |content: Value| chosen(&json!({"choices": [{"message": {"content": content}}]}));
        assert_eq!(chat(json!(" [] ")).as_deref(), Some("[]"));
        assert_eq!(chat(json!("<think>tea or coffee</think>\n[]")).as_deref(), Some("[]"));
        let pieces = json!([{"type": "thinking", "thinking": []}, {"type": "text", "text": "["}, {"type": "text", "text": "]"}]);
        assert_eq!(chat(pieces).as_deref(), Some("[]"));
        assert_eq!(chat(Value::Null), None);
        assert_eq!(chosen(&json!({"choices": []})), None);

        let message = json!({"content": [{"type": "thinking", "thinking": "tea"}, {"type": "text", "text": "[]"}]});
        assert_eq!(said(&message).as_deref(), Some("[]"));
        assert_eq!(said(&json!({"content": []})), None);
    }

    #[test]
    fn no_count_of_tokens_breaks_the_sum_of_a_day() {
        let counts = ["prompt_tokens", "completion_tokens"];
        let told =
            |input: i64, output: i64| usage(&json!({"usage": {"prompt_tokens": input, "completion_tokens": output}}), counts);
        assert_eq!(told(12, 3), Some((12, 3)));
        assert_eq!(told(-1, 3), None);
        assert_eq!(told(i64::MAX, i64::MAX - 1), Some((TOKENS_MAX, TOKENS_MAX)));
        let cached = json!({"usage": {"input_tokens": 5, "cache_read_input_tokens": i64::MAX, "cache_creation_input_tokens": i64::MAX,
            "output_tokens": 1}});
        assert_eq!(usage(&cached, ["input_tokens", "output_tokens"]), Some((TOKENS_MAX, 1)));
    }

    #[test]
    fn a_base_url_is_extended_whatever_it_ends_with() {
        for base in ["http://llm.example.com/v1", "http://llm.example.com/v1/"] {
            let endpoint = Endpoint::new(Provider::OpenAi, Some(base), "m".to_owned(), None).expect("usable");
            assert_eq!(endpoint.url.as_str(), "http://llm.example.com/v1/chat/completions");
        }
        for wrong in ["llm.example.com", "mailto:llm@example.com", ""] {
            assert!(Endpoint::new(Provider::OpenAi, Some(wrong), "m".to_owned(), None).is_err(), "{wrong}");
        }
        assert!(Endpoint::new(Provider::Anthropic, None, "m".to_owned(), Some("sk\n")).is_err());
    }
}
