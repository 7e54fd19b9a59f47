//! The extractor that uses a language model: OpenAI-compatible endpoints (most hosted and local servers) and Anthropic's.
//!
//! It makes one call for personal memories and one for team facts, in parallel, because the two need opposite instructions: the
//! first may be generous, the second must nearly always return nothing. After a malformed answer it asks once more; any other
//! failure is an error, and the exchange waits for its next attempt. It never guesses from a broken answer. One question may be
//! about several exchanges of one user; then each item of the answer has the number of its exchange.
//!
//! Errors and logs contain statuses and rules, never bodies: a provider's answer consists of what people said, and an HTTP
//! library's error may contain the whole request.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use super::ask::{Asker, ModelQuestion};
use super::judge::judged;
use super::prompt::{QuestionKind, Several, material, several};
use super::provider::Endpoint;
pub use super::provider::Provider;
use super::reply::Attributed;
use super::{reply, rules};
use domain::facts::fact::Candidate;
use domain::facts::provenance::Origin;
use domain::insight::usage::Model;
use domain::memory::claim::{Claim, Takes};
use ports::extractor::{ExtractError, Extraction, Extractor, Material, Wish};
use ports::meter::Meter;

/// Default timeout of one call.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Exchanges read at the same time, so that one slow answer does not hold up all learning.
const AT_ONCE: usize = 4;

/// The provider to use. `Debug` hides the key.
#[derive(Clone)]
pub struct LlmConfig {
    pub provider: Provider,
    /// Up to and including the version, `https://llm.example.com/v1`. The provider's own when absent.
    pub base_url: Option<String>,
    pub model: String,
    /// Local servers need none.
    pub api_key: Option<String>,
    /// Timeout of one call. An attempt makes two calls in parallel, and one more for each malformed answer.
    pub timeout: Duration,
}

impl fmt::Debug for LlmConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LlmConfig")
            .field("provider", &self.provider)
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// A provider, ready for use.
pub struct Llm {
    asker: Asker,
    model: Model,
}

impl Llm {
    /// Creates the client. Nothing is sent before the first exchange.
    pub fn new(config: LlmConfig) -> Result<Self, ExtractError> {
        let model = Model { provider: config.provider.as_str().to_owned(), name: config.model.clone() };
        let endpoint = Endpoint::new(config.provider, config.base_url.as_deref(), config.model, config.api_key.as_deref())?;
        Ok(Self { asker: Asker::new(endpoint, config.timeout), model })
    }
}

impl fmt::Debug for Llm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Llm").field("asker", &self.asker).finish_non_exhaustive()
    }
}

#[async_trait]
impl Extractor for Llm {
    fn at_once(&self) -> usize {
        AT_ONCE
    }

    fn model(&self) -> Option<&Model> {
        Some(&self.model)
    }

    fn asks_to_forget_many(&self, message: &str) -> Vec<Wish> {
        rules::asks_to_forget_many(message)
    }

    fn asked_of_answers(&self, message: &str) -> Vec<String> {
        extractor::asked_of_answers(message)
    }

    fn asks_something(&self, message: &str) -> bool {
        extractor::asks_something(message)
    }

    fn wish(&self, query: &str) -> Wish {
        rules::wish(query)
    }

    /// The rules' reading of wishes to forget and of facts to keep for the team. A model is not trusted with either.
    fn read(&self, material: &Material<'_>) -> Extraction {
        let Extraction { mut claims, everything, mut candidates, .. } = rules::read(material);
        claims.retain(|claim| claim.says.is_none());
        candidates.retain(|candidate| candidate.origin == Origin::User);
        Extraction { claims, everything, candidates, ..Extraction::default() }
    }

    fn unaided(&self, material: &Material<'_>) -> Extraction {
        rules::read(material)
    }

    async fn extract(&self, reading: &Material<'_>, read: Extraction, meter: &dyn Meter) -> Result<Extraction, ExtractError> {
        let material = material(reading);
        let personal = reading.personal.then(|| ModelQuestion::of(QuestionKind::Personal, &material));
        let global = reading.global.then(|| ModelQuestion::of(QuestionKind::Global, &material));
        let (claims, candidates) = self
            .asker
            .ask_both((personal, global), meter, |answer| reply::personal(answer, reading.known), reply::global)
            .await?;
        Ok(told(reading, read, claims.unwrap_or_default(), candidates.unwrap_or_default()))
    }

    fn gathers(&self) -> bool {
        true
    }

    async fn extract_together(
        &self,
        readings: &[Material<'_>],
        read: Vec<Extraction>,
        meter: &dyn Meter,
    ) -> Result<Vec<Extraction>, ExtractError> {
        let (personal, global) = (several(readings, |one| one.personal), several(readings, |one| one.global));
        let numbers = |of: &Option<Several>| of.as_ref().map(|of| of.numbers.clone()).unwrap_or_default();
        let (persons, teams) = (numbers(&personal), numbers(&global));
        let known = readings.first().map_or(&[] as &[_], |reading| reading.known);
        let questions = (
            personal.as_ref().map(|of| ModelQuestion::of_several(QuestionKind::Personal, of)),
            global.as_ref().map(|of| ModelQuestion::of_several(QuestionKind::Global, of)),
        );
        let (claims, candidates) = self
            .asker
            .ask_both(
                questions,
                meter,
                |answer| reply::personal_of_several(answer, known, &persons),
                |answer| reply::global_of_several(answer, &teams),
            )
            .await?;
        let (mut claims, mut candidates) = (claims.unwrap_or_default(), candidates.unwrap_or_default());
        let each = (1..).zip(readings.iter().zip(read));
        Ok(each
            .map(|(number, (reading, read))| told(reading, read, of(number, &mut claims), of(number, &mut candidates)))
            .collect())
    }
}

/// Removes and returns the items of the exchange with this number.
fn of<T>(number: usize, all: &mut Attributed<T>) -> Vec<T> {
    all.extract_if(.., |(from, _)| *from == number).map(|(_, one)| one).collect()
}

/// Combines the model's answer about one exchange (`claims`, `candidates`) with the rules' reading.
fn told(reading: &Material<'_>, read: Extraction, claims: Vec<Claim>, candidates: Vec<Candidate>) -> Extraction {
    let mut told = judged(claims, candidates, reading.known, &read);
    // Forgetting everything about something needs a confirmation, so a model may not forget a part of it.
    if read.claims.iter().any(|claim| matches!(claim.takes, Takes::Every(_))) {
        told.claims.retain(|claim| claim.says.is_some());
    }
    // "The last one" needs no model.
    let unaided = |claim: &Claim| reading.personal && matches!(claim.takes, Takes::Last { .. } | Takes::Every(_));
    told.claims.extend(read.claims.into_iter().filter(unaided));
    Extraction { everything: read.everything && reading.personal, ..told }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use wiremock::matchers::{body_string_contains, header, method, path};
    use wiremock::{Mock, MockServer, ResponseTemplate};

    use super::*;
    use crate::extract::stub::{BOTH, CallTally, FRIDAY, TEA, answer, exchange, llm, llm_within, read, server};
    use domain::memory::MemoryKind;
    use domain::memory::exchange::AskAgain;
    use domain::moment::Moment;
    use ports::extractor::{Absence, Known, StatementOwner};

    #[tokio::test]
    async fn both_stores_are_asked_in_the_providers_own_shape() {
        for provider in BOTH {
            let server = MockServer::start().await;
            let asked = |words: &str| {
                let (place, name, value) = match provider {
                    Provider::OpenAi => ("/v1/chat/completions", "authorization", "Bearer sk-hidden"),
                    Provider::Anthropic => ("/v1/messages", "x-api-key", "sk-hidden"),
                };
                Mock::given(path(place)).and(header(name, value)).and(body_string_contains(words))
            };
            asked("memory that an assistant has of one person")
                .respond_with(answer(provider, TEA))
                .expect(1)
                .mount(&server)
                .await;
            asked("shared knowledge of a team").respond_with(answer(provider, FRIDAY)).expect(1).mount(&server).await;

            let found = read(&llm(provider, server.uri() + "/v1"), true, true).await.expect("answers");
            let kinds: Vec<_> = found.claims.iter().filter_map(|claim| claim.says.as_ref()).map(|says| says.kind).collect();
            assert_eq!(kinds, [MemoryKind::Preference]);
            assert_eq!((found.candidates.len(), found.candidates[0].content.as_str()), (1, "Deploys run on Fridays"));

            for request in server.received_requests().await.expect("recorded") {
                let body: Value = request.body_json().expect("JSON");
                let format = match provider {
                    Provider::OpenAi => &body["response_format"]["json_schema"],
                    Provider::Anthropic => &body["output_config"]["format"],
                };
                assert_eq!(format["schema"]["required"], json!(["items"]), "{body}");
                assert!(!body.to_string().contains("u-very-secret"));
            }
        }
    }

    #[tokio::test]
    async fn only_what_is_wanted_is_asked_for() {
        for provider in BOTH {
            let server = server(vec![answer(provider, FRIDAY)], 1).await;
            let llm = llm(provider, server.uri());
            assert!(read(&llm, false, false).await.expect("nothing to do").candidates.is_empty());
            let found = read(&llm, false, true).await.expect("answers");
            assert_eq!((found.claims.len(), found.candidates.len()), (0, 1));
        }
    }

    #[tokio::test]
    async fn a_malformed_answer_is_asked_for_once_more() {
        for provider in BOTH {
            let server = server(vec![answer(provider, "Let me think: tea!"), answer(provider, TEA)], 2).await;
            let found = read(&llm(provider, server.uri()), true, false).await.expect("the second answer is good");
            assert_eq!(found.claims.len(), 1);
        }
    }

    #[tokio::test]
    async fn two_malformed_answers_are_an_error_that_quotes_nothing() {
        let unreadable = ResponseTemplate::new(200).set_body_string("<html>tea</html>");
        for provider in BOTH {
            for bad in [answer(provider, r#"[{"tea":1}]"#), answer(provider, ""), unreadable.clone()] {
                let server = server(vec![bad], 2).await;
                let error = read(&llm(provider, server.uri()), true, false).await.expect_err("malformed");
                assert!(matches!(error, ExtractError::BadAnswer(_)), "{error}");
                assert!(!error.to_string().contains("tea"), "{error}");
            }
        }
    }

    #[tokio::test]
    async fn only_what_the_person_asks_to_forget_is_forgotten() {
        let known = |id: &str, text: &str| Known { id: id.to_owned(), text: text.to_owned(), owner: StatementOwner::User };
        let known = [known("mem_tea", "Likes tea"), known("mem_home", "Lives in Lyon")];
        let planted = r#"{"items":[{"forget":{"id":"k1"}},{"forget":{"id":"k2"}},{"forget":"Lyon"},{"forget":"teas"}]}"#;
        let tea = vec![Takes::Id("mem_tea".to_owned()), Takes::Term("teas".to_owned())];
        for (message, forgets) in [
            ("Forget about the tea.", tea),
            ("The user interface is slow, and I like it.", vec![]),
            ("Tea? I live in Lyon.", vec![]),
            ("Forget my shoe size.", vec![]),
            ("Lupakan soal alergi gue.", vec![]),
        ] {
            let server = server(vec![answer(Provider::OpenAi, planted)], 1).await;
            let llm = llm(Provider::OpenAi, server.uri());
            let exchange = exchange(message);
            let material = Material { exchange: &exchange, known: &known, personal: true, global: false };
            let found = llm.extract(&material, llm.read(&material), &CallTally::default()).await;
            let takes: Vec<_> = found.expect("answers").claims.into_iter().map(|claim| claim.takes).collect();
            assert_eq!(takes, forgets, "{message}");
        }
    }

    #[tokio::test]
    async fn a_request_that_the_provider_refuses_is_not_taken_for_a_provider_that_is_away() {
        for (status, away) in [(400, false), (413, false), (422, false), (401, true), (404, true), (429, true), (503, true)] {
            let server = MockServer::start().await;
            Mock::given(method("POST")).respond_with(ResponseTemplate::new(status)).mount(&server).await;
            let error = read(&llm(Provider::OpenAi, server.uri()), true, false).await.expect_err("refused");
            assert_eq!(error.absence().is_some(), away, "{status}");
        }
    }

    #[tokio::test]
    async fn a_slow_provider_is_given_up() {
        for provider in BOTH {
            let server = server(vec![answer(provider, TEA).set_delay(DEFAULT_TIMEOUT)], 1).await;
            let llm = llm_within(Duration::from_millis(300), provider, server.uri());
            let error = read(&llm, true, false).await.expect_err("too slow");
            assert!(matches!(error, ExtractError::TimedOut(_)), "{error}");
        }
    }

    #[tokio::test]
    async fn an_error_status_is_not_retried_here() {
        for provider in BOTH {
            for status in [401, 429, 500, 503] {
                let body = json!({"error": {"message": "about tea"}});
                let server = server(vec![ResponseTemplate::new(status).set_body_json(body)], 1).await;
                let error = read(&llm(provider, server.uri()), true, false).await.expect_err("refused");
                assert!(matches!(error, ExtractError::Unreachable(_)), "{error}");
                assert!(error.to_string().contains(&status.to_string()) && !error.to_string().contains("tea"), "{error}");
            }
        }
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        for provider in BOTH {
            let elsewhere = server(vec![answer(provider, TEA)], 0).await;
            let redirect = ResponseTemplate::new(307).insert_header("location", elsewhere.uri().as_str());
            let server = server(vec![redirect], 1).await;
            let error = read(&llm(provider, server.uri()), true, false).await.expect_err("sent elsewhere");
            assert!(matches!(error, ExtractError::Unreachable(_)), "{error}");
        }
    }

    #[tokio::test]
    async fn an_endless_answer_is_not_read_to_its_end() {
        for provider in BOTH {
            let server = server(vec![answer(provider, &"tea ".repeat(1 << 19))], 2).await;
            let error = read(&llm(provider, server.uri()), true, false).await.expect_err("too long");
            assert!(error.to_string().contains("longer than an answer can be"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_connection_that_breaks_is_unreachable() {
        for provider in BOTH {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("binds");
            let address = listener.local_addr().expect("bound");
            let cut_off = tokio::spawn(async move {
                let (mut stream, _) = listener.accept().await.expect("connects");
                let _ = stream.read(&mut [0; 1024]).await;
                let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"choices\"";
                stream.write_all(head).await.expect("writes");
            });
            let llm = llm(provider, format!("http://{address}/v1"));
            for _ in ["broken off in the middle", "refused"] {
                let error = read(&llm, true, false).await.expect_err("no answer");
                assert!(matches!(error, ExtractError::Unreachable(_)), "{error}");
            }
            cut_off.await.expect("served");
        }
    }

    /// Three exchanges of one user, of which the second may not teach the team.
    async fn read_together(llm: &Llm, tally: &CallTally) -> Result<Vec<Extraction>, ExtractError> {
        let [tea, forget, team] = [
            exchange("Always tea for me."),
            exchange("Forget about the tea."),
            exchange("For the team: deploys run on Fridays."),
        ];
        let known = [Known { id: "mem_tea".to_owned(), text: "Likes tea".to_owned(), owner: StatementOwner::User }];
        let reading = |exchange, global| Material { exchange, known: &known, personal: true, global };
        let readings = [reading(&tea, true), reading(&forget, false), reading(&team, true)];
        let read = readings.iter().map(|reading| llm.read(reading)).collect();
        llm.extract_together(&readings, read, tally).await
    }

    #[tokio::test]
    async fn several_exchanges_are_one_question_to_each_store_and_each_gets_what_it_says() {
        for provider in BOTH {
            let server = MockServer::start().await;
            let asked = |words: &str| Mock::given(method("POST")).and(body_string_contains(words));
            let items = r#"{"items":[
                {"exchange":3,"content":"Works on deploys","kind":"fact","importance":3,"takes":null,"only_instead":false},
                {"exchange":1,"content":"Always drinks tea","kind":"preference","importance":4,"takes":{"id":"k1"},"only_instead":false},
                {"exchange":2,"forget":{"id":"k1"}},{"exchange":1,"forget":{"id":"k1"}}]}"#;
            let facts = r#"{"items":[{"exchange":3,"content":"Deploys run on Fridays","kind":"fact","importance":3}]}"#;
            asked("memory that an assistant has of one person")
                .respond_with(answer(provider, items))
                .expect(1)
                .mount(&server)
                .await;
            asked("shared knowledge of a team").respond_with(answer(provider, facts)).expect(1).mount(&server).await;
            let tally = CallTally::default();
            let found = read_together(&llm(provider, server.uri()), &tally).await.expect("answers");
            let claims =
                |n: usize| found[n].claims.iter().map(|claim| (claim.says.is_some(), claim.takes.clone())).collect::<Vec<_>>();
            let tea = || Takes::Id("mem_tea".to_owned());
            assert_eq!(claims(0), [(true, tea())], "it asks to forget nothing");
            assert_eq!((claims(1), claims(2)), (vec![(false, tea())], vec![(true, Takes::Nothing)]));
            let candidates: Vec<_> = found.iter().map(|found| found.candidates.len()).collect();
            assert_eq!((candidates, found[2].candidates[0].origin), (vec![0, 0, 1], Origin::User));
            assert_eq!(tally.told().len(), 2, "each question is counted once");
            assert!(tally.reserved.lock().expect("whole")[0] > 5 * 500, "room for an answer about each");
            for request in server.received_requests().await.expect("recorded") {
                let body = request.body_json::<Value>().expect("JSON").to_string();
                let for_team = body.contains("shared knowledge of a team");
                assert_eq!(body.contains("Forget about the tea."), !for_team, "{body}");
                assert!(body.contains(r#"<exchange n=\"3\">"#), "{body}");
                assert!(!body.contains("u-very-secret"));
            }
        }
    }

    #[tokio::test]
    async fn an_answer_about_several_that_names_another_exchange_is_malformed() {
        for provider in BOTH {
            // The second exchange is not part of the question about the team.
            let astray = r#"{"items":[{"exchange":2,"content":"Deploys run on Fridays","kind":"fact","importance":3}]}"#;
            let server = MockServer::start().await;
            let asked = |words: &str| Mock::given(method("POST")).and(body_string_contains(words));
            let none = answer(provider, r#"{"items":[]}"#);
            asked("memory that an assistant has of one person").respond_with(none).expect(1).mount(&server).await;
            asked("shared knowledge of a team").respond_with(answer(provider, astray)).expect(2).mount(&server).await;
            let error = read_together(&llm(provider, server.uri()), &CallTally::default()).await.expect_err("malformed");
            assert!(
                matches!(&error, ExtractError::BadAnswer(rule) if rule == "item 1: names no exchange that was shown"),
                "{error}"
            );
        }
    }

    #[tokio::test]
    async fn a_provider_says_when_to_ask_again_and_that_counts_more_than_another_failure() {
        let after = |status: u16, header: &str| ResponseTemplate::new(status).insert_header("retry-after", header);
        let friday = Moment::parse("2026-11-20T12:00:07Z").expect("valid");
        for provider in BOTH {
            for (response, expected) in [
                (after(429, "7"), Some(AskAgain::AfterSeconds(7))),
                (after(503, "Fri, 20 Nov 2026 12:00:07 GMT"), Some(AskAgain::At(friday))),
                (after(529, "7"), Some(AskAgain::AfterSeconds(7))),
                (after(429, "soon"), None),
                (after(500, "7"), None),
                (ResponseTemplate::new(429), None),
            ] {
                let server = server(vec![response], 1).await;
                let error = read(&llm(provider, server.uri()), true, false).await.expect_err("refused");
                let told = if let Some(Absence::Deferred(again)) = error.absence() { Some(again) } else { None };
                assert_eq!(told, expected, "{error}");
                assert!(error.absence().is_some());
            }
            let server = MockServer::start().await;
            let asked = |words: &str| Mock::given(method("POST")).and(body_string_contains(words));
            asked("memory that an assistant has of one person").respond_with(ResponseTemplate::new(500)).mount(&server).await;
            asked("shared knowledge of a team").respond_with(after(429, "7")).mount(&server).await;
            let error = read(&llm(provider, server.uri()), true, true).await.expect_err("refused");
            assert!(matches!(error, ExtractError::Deferred { status: 429, .. }), "{error}");
        }
    }

    #[test]
    fn the_key_is_in_no_debug_output() {
        let config = LlmConfig {
            provider: Provider::Anthropic,
            base_url: None,
            model: "m".to_owned(),
            api_key: Some("sk-hidden".to_owned()),
            timeout: DEFAULT_TIMEOUT,
        };
        assert!(!format!("{config:?}").contains("sk-hidden"));
        assert!(!format!("{:?}", Llm::new(config).expect("builds")).contains("sk-hidden"));
    }
}
