//! For tests: a server that answers as providers do, and a meter that counts.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::llm::{DEFAULT_TIMEOUT, Llm, LlmConfig};
use super::provider::Provider;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::insight::usage::{Call, Purpose};
use domain::memory::exchange::Exchange;
use domain::moment::Moment;
use ports::extractor::{ExtractError, Extraction, Extractor, Material};
use ports::meter::{Meter, Reservation};

pub(super) const BOTH: [Provider; 2] = [Provider::OpenAi, Provider::Anthropic];
pub(super) const TEA: &str =
    r#"{"items":[{"content":"Likes tea","kind":"preference","importance":2,"takes":null,"only_instead":false}]}"#;
pub(super) const FRIDAY: &str = r#"{"items":[{"content":"Deploys run on Fridays","kind":"fact","importance":3}]}"#;

/// An answer with this text, in the provider's shape.
pub(super) fn answer(provider: Provider, text: &str) -> ResponseTemplate {
    let body = match provider {
        Provider::OpenAi => json!({
            "id": "1", "object": "chat.completion", "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }),
        Provider::Anthropic => json!({
            "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 1, "output_tokens": 1},
        }),
    };
    ResponseTemplate::new(200).set_body_json(body)
}

pub(super) fn llm(provider: Provider, base_url: String) -> Llm {
    llm_within(DEFAULT_TIMEOUT, provider, base_url)
}

pub(super) fn llm_within(timeout: Duration, provider: Provider, base_url: String) -> Llm {
    let api_key = Some("sk-hidden".to_owned());
    Llm::new(LlmConfig { provider, base_url: Some(base_url), model: "m".to_owned(), api_key, timeout }).expect("builds")
}

pub(super) fn exchange(message: &str) -> Exchange {
    Exchange {
        external_id: None,
        user: Some(UserId::new("u-very-secret").expect("valid")),
        surface: Surface::new("web").expect("valid"),
        thread: None,
        at: Moment(0),
        message: message.to_owned(),
        reply: "Noted.".to_owned(),
    }
}

pub(super) async fn read(llm: &Llm, personal: bool, global: bool) -> Result<Extraction, ExtractError> {
    let exchange = exchange("Always tea for me. Deploys run on Fridays.");
    let material = Material { exchange: &exchange, known: &[], personal, global };
    llm.extract(&material, llm.read(&material), &CallTally::default()).await
}

/// Counts, and admits everything until it is full.
#[derive(Default)]
pub(super) struct CallTally {
    pub(super) calls: Mutex<Vec<Call>>,
    pub(super) reserved: Mutex<Vec<i64>>,
    pub(super) released: AtomicBool,
    pub(super) full: bool,
}

#[async_trait]
impl Meter for CallTally {
    async fn reserve(&self, tokens: i64, _: Duration) -> Result<Reservation, ExtractError> {
        self.reserved.lock().expect("whole").push(tokens);
        if self.full { Err(ExtractError::OverBudget) } else { Ok(Reservation("use_1".to_owned())) }
    }

    async fn record(&self, _: &Reservation, call: Call) {
        self.calls.lock().expect("whole").push(call);
    }

    async fn release(&self, _: Reservation) {
        self.released.store(true, Ordering::SeqCst);
    }
}

impl CallTally {
    /// Purpose, input, output and failure of each call.
    pub(super) fn told(&self) -> Vec<(Purpose, i64, i64, bool)> {
        let calls = self.calls.lock().expect("whole");
        calls.iter().map(|call| (call.purpose, call.input_tokens, call.output_tokens, call.failed)).collect()
    }
}

/// An answer that ended for this reason.
pub(super) fn ended(provider: Provider, text: &str, [openai, anthropic]: [&str; 2]) -> ResponseTemplate {
    let body = match provider {
        Provider::OpenAi => json!({
            "choices": [{"finish_reason": openai, "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 70, "completion_tokens": 9},
        }),
        Provider::Anthropic => json!({
            "stop_reason": anthropic, "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 30, "cache_read_input_tokens": 40, "output_tokens": 9},
        }),
    };
    ResponseTemplate::new(200).set_body_json(body)
}

pub(super) const WELL: [&str; 2] = ["stop", "end_turn"];

/// A server that gives these answers in turn, repeats the last one, and expects exactly `calls` calls.
pub(super) async fn server(answers: Vec<ResponseTemplate>, calls: u64) -> MockServer {
    let server = MockServer::start().await;
    let turn = std::sync::atomic::AtomicUsize::new(0);
    let next = move |_: &wiremock::Request| {
        let turn = turn.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
        answers[turn].clone()
    };
    Mock::given(method("POST")).respond_with(next).expect(calls).mount(&server).await;
    server
}
