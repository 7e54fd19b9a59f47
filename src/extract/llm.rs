//! The extractor that uses a language model: OpenAI-compatible endpoints (most hosted and local servers) and Anthropic's.
//!
//! It makes one call for personal memories and one for team facts, in parallel, because the two need opposite instructions: the
//! first may be generous, the second must nearly always return nothing. After a malformed answer it asks once more; any other
//! failure is an error, and the exchange waits for its next attempt. It never guesses from a broken answer.
//!
//! Errors and logs contain statuses and rules, never bodies: a provider's answer consists of what people said, and an HTTP
//! library's error may contain the whole request.

use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

use super::prompt::{Store, material};
pub use super::provider::Provider;
use super::provider::{Answer, Endpoint};
use super::reply::{self, Reason};
use super::rules;
use crate::domain::claim::{Claim, Takes};
use crate::domain::fact::Candidate;
use crate::domain::provenance::Origin;
use crate::domain::usage::{Call, Model, Purpose, estimate};
use crate::domain::words::{Term, terms};
use crate::ports::extractor::{ExtractError, Extraction, Extractor, Known, Material, Wish};
use crate::ports::meter::{Meter, Reservation};

/// Default timeout of one call.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// Tokens that an answer is expected to have at the most; nearly all have a few dozen.
const ANSWER_TOKENS: i64 = 500;

/// Exchanges read at the same time, so that one slow answer does not stop everybody's learning.
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
    endpoint: Endpoint,
    model: Model,
    timeout: Duration,
    /// The endpoint refused a request with a schema and accepted the same one without: not all servers enforce schemas.
    schemas_refused: AtomicBool,
}

impl Llm {
    /// Creates the client. Nothing is sent before the first exchange.
    pub fn new(config: LlmConfig) -> Result<Self, ExtractError> {
        let model = Model { provider: config.provider.as_str().to_owned(), name: config.model.clone() };
        let endpoint = Endpoint::new(config.provider, config.base_url.as_deref(), config.model, config.api_key.as_deref())?;
        Ok(Self { endpoint, model, timeout: config.timeout, schemas_refused: AtomicBool::new(false) })
    }

    /// Asks, and asks once more if the answer cannot be parsed. Every question is counted.
    async fn ask<T>(
        &self,
        question: &Question<'_>,
        meter: (&dyn Meter, &Reservation),
        read: impl Fn(&str) -> Result<T, Reason>,
    ) -> Result<T, ExtractError> {
        match self.call(question, question.store.purpose(), meter, &read).await {
            Err(ExtractError::BadAnswer(reason)) => {
                tracing::debug!(llm.store = ?question.store, llm.reason = %reason, "malformed answer, asking once more");
                let material = format!(
                    "{}\n\nAn earlier answer could not be read ({reason}). Answer with the JSON only.",
                    question.material
                );
                let again = Question { material: &material, schema: question.schema.clone(), ..*question };
                self.call(&again, Purpose::Retry, meter, &read).await
            }
            outcome => outcome,
        }
    }

    /// One question within the timeout, counted whatever comes of it. Where the provider does not say what it used, that is
    /// estimated.
    async fn call<T>(
        &self,
        question: &Question<'_>,
        purpose: Purpose,
        (meter, reservation): (&dyn Meter, &Reservation),
        read: impl Fn(&str) -> Result<T, Reason>,
    ) -> Result<T, ExtractError> {
        let asked = question.tokens();
        let (outcome, (input_tokens, output_tokens)) = match tokio::time::timeout(self.timeout, self.chat(question)).await {
            Ok(Ok(answer)) => {
                let said = answer.text.as_ref().map_or(0, |text| estimate(text));
                let outcome = answer.text.and_then(|text| read(&text).map_err(ExtractError::BadAnswer));
                (outcome, answer.used.unwrap_or((asked, said)))
            }
            Ok(Err(error)) => (Err(error), (0, 0)),
            // It may still be answering.
            Err(_) => (Err(ExtractError::TimedOut(self.timeout.as_secs())), (asked, 0)),
        };
        meter.record(reservation, Call { purpose, input_tokens, output_tokens, failed: outcome.is_err() }).await;
        outcome
    }

    async fn chat(&self, question: &Question<'_>) -> Result<Answer, ExtractError> {
        let plain = || self.endpoint.answer(question.instructions, question.material, None);
        if self.schemas_refused.load(Ordering::Relaxed) {
            return Ok(plain().await?);
        }
        match self.endpoint.answer(question.instructions, question.material, Some(&question.schema)).await {
            Err(refused) if refused.means_bad_request() => {
                let answer = plain().await?;
                if !self.schemas_refused.swap(true, Ordering::Relaxed) {
                    tracing::warn!("the provider refuses JSON schemas; answers are only checked here");
                }
                Ok(answer)
            }
            answer => Ok(answer?),
        }
    }

    /// Asks what is wanted, within a reservation.
    async fn ask_both<P, G>(
        &self,
        (personal, global): (Option<Question<'_>>, Option<Question<'_>>),
        meter: &dyn Meter,
        read_personal: impl Fn(&str) -> Result<P, Reason>,
        read_global: impl Fn(&str) -> Result<G, Reason>,
    ) -> Result<(Option<P>, Option<G>), ExtractError> {
        let questions = [&personal, &global].into_iter().flatten();
        let tokens = questions.map(|question| question.tokens().saturating_add(ANSWER_TOKENS)).sum();
        if tokens == 0 {
            return Ok((None, None));
        }
        // Each may be asked twice; the rest is for counting.
        let reservation = meter.reserve(tokens, self.timeout * 3).await?;
        let within = (meter, &reservation);
        let personal = async {
            match &personal {
                Some(question) => self.ask(question, within, &read_personal).await.map(Some),
                None => Ok(None),
            }
        };
        let global = async {
            match &global {
                Some(question) => self.ask(question, within, &read_global).await.map(Some),
                None => Ok(None),
            }
        };
        // Both end, so that both are counted.
        let (personal, global) = tokio::join!(personal, global);
        meter.release(reservation).await;
        Ok((personal?, global?))
    }
}

/// A question, ready to be asked.
struct Question<'a> {
    store: Store,
    instructions: &'a str,
    material: &'a str,
    schema: Value,
}

impl<'a> Question<'a> {
    fn of(store: Store, material: &'a str) -> Self {
        Self { store, instructions: store.instructions(), material, schema: store.schema() }
    }

    /// An estimate of its tokens.
    fn tokens(&self) -> i64 {
        [self.instructions, self.material, &self.schema.to_string()].into_iter().map(estimate).sum()
    }
}

impl fmt::Debug for Llm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Llm").field("endpoint", &self.endpoint).field("timeout", &self.timeout).finish_non_exhaustive()
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

    fn asks_to_forget_all(&self, message: &str) -> bool {
        extractor::asks_to_forget_all(message)
    }

    fn wish(&self, query: &str) -> Wish {
        rules::wish(query)
    }

    /// What the message asks to forget, and what it asks to keep for the team. A model is not believed in either.
    fn read(&self, material: &Material<'_>) -> Extraction {
        let Extraction { mut claims, everything, mut candidates, .. } = rules::read(material);
        claims.retain(|claim| claim.says.is_none());
        candidates.retain(|candidate| candidate.origin == Origin::User);
        Extraction { claims, everything, candidates, steps: Vec::new() }
    }

    fn unaided(&self, material: &Material<'_>) -> Extraction {
        rules::read(material)
    }

    async fn extract(&self, reading: &Material<'_>, read: Extraction, meter: &dyn Meter) -> Result<Extraction, ExtractError> {
        let material = material(reading);
        let personal = reading.personal.then(|| Question::of(Store::Personal, &material));
        let global = reading.global.then(|| Question::of(Store::Global, &material));
        let (claims, candidates) =
            self.ask_both((personal, global), meter, |answer| reply::personal(answer, reading.known), reply::global).await?;
        let mut told = judged(claims.unwrap_or_default(), candidates.unwrap_or_default(), reading.known, &read);
        // "The last one" needs no model.
        let last = |claim: &Claim| reading.personal && matches!(claim.takes, Takes::Last { .. });
        told.claims.extend(read.claims.into_iter().filter(last));
        Ok(Extraction { everything: read.everything && reading.personal, ..told })
    }
}

/// What may be taken from an answer, given what the message says by itself: only wishes of the person's own are fulfilled.
fn judged(mut claims: Vec<Claim>, mut candidates: Vec<Candidate>, known: &[Known], read: &Extraction) -> Extraction {
    let wishes = wishes(&read.claims);
    claims.retain(|claim| claim.says.is_some() || is_wished(claim, known, &wishes));
    let asked: Vec<Vec<Term>> = read.candidates.iter().map(|candidate| terms(candidate.content.as_str())).collect();
    for candidate in &mut candidates {
        let held: HashSet<Term> = terms(candidate.content.as_str()).into_iter().collect();
        if asked.iter().any(|asked| names_half(asked, &held)) {
            candidate.origin = Origin::User;
        }
    }
    Extraction { claims, candidates, ..Extraction::default() }
}

/// The words of what a message asks to forget, without the word for the speaker, which every memory begins with.
fn wishes(forget: &[Claim]) -> Vec<Vec<Term>> {
    let speaker = terms("User User's Pengguna");
    let words = |wish: &Claim| match &wish.takes {
        Takes::Term(said) => terms(said).into_iter().filter(|term| !speaker.contains(term)).collect(),
        Takes::Id(_) | Takes::Nearest | Takes::Last { .. } | Takes::Nothing => Vec::new(),
    };
    forget.iter().map(words).collect()
}

/// Whether the person asked to forget what a claim would delete: at least half of the words of one wish are in it. What the
/// person did not ask for is not forgotten, whatever an answer says.
fn is_wished(claim: &Claim, known: &[Known], wishes: &[Vec<Term>]) -> bool {
    let text = match &claim.takes {
        Takes::Term(term) => term,
        Takes::Id(id) => known.iter().find(|known| known.id == *id).map_or("", |known| &known.text),
        Takes::Nearest | Takes::Last { .. } | Takes::Nothing => "",
    };
    let held: HashSet<Term> = terms(text).into_iter().collect();
    wishes.iter().any(|wish| names_half(wish, &held))
}

/// Whether at least half of these words, and one, are among those held.
fn names_half(words: &[Term], held: &HashSet<Term>) -> bool {
    let shared = words.iter().filter(|term| held.contains(term)).count();
    shared > 0 && shared * 2 >= words.len()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde_json::json;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use wiremock::matchers::{body_string_contains, header, method, path};
    use wiremock::{Mock, MockServer, ResponseTemplate};

    use super::*;
    use crate::domain::exchange::Exchange;
    use crate::domain::memory::MemoryKind;
    use crate::domain::moment::Moment;
    use crate::domain::people::UserId;
    use crate::domain::provenance::Surface;
    use crate::ports::extractor::Owner;

    const BOTH: [Provider; 2] = [Provider::OpenAi, Provider::Anthropic];
    const TEA: &str =
        r#"{"items":[{"content":"Likes tea","kind":"preference","importance":2,"takes":null,"only_instead":false}]}"#;
    const FRIDAY: &str = r#"{"items":[{"content":"Deploys run on Fridays","kind":"fact","importance":3}]}"#;

    /// An answer with this text, in the provider's shape.
    fn answer(provider: Provider, text: &str) -> ResponseTemplate {
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

    fn llm(provider: Provider, base_url: String) -> Llm {
        llm_within(DEFAULT_TIMEOUT, provider, base_url)
    }

    fn llm_within(timeout: Duration, provider: Provider, base_url: String) -> Llm {
        let api_key = Some("sk-hidden".to_owned());
        Llm::new(LlmConfig { provider, base_url: Some(base_url), model: "m".to_owned(), api_key, timeout }).expect("builds")
    }

    fn exchange(message: &str) -> Exchange {
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

    async fn read(llm: &Llm, personal: bool, global: bool) -> Result<Extraction, ExtractError> {
        let exchange = exchange("Always tea for me. Deploys run on Fridays.");
        let material = Material { exchange: &exchange, known: &[], personal, global };
        llm.extract(&material, llm.read(&material), &Tally::default()).await
    }

    /// Counts, and admits everything until it is full.
    #[derive(Default)]
    struct Tally {
        calls: Mutex<Vec<Call>>,
        reserved: Mutex<Vec<i64>>,
        released: AtomicBool,
        full: bool,
    }

    #[async_trait]
    impl Meter for Tally {
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

    impl Tally {
        /// Purpose, input, output and failure of each call.
        fn told(&self) -> Vec<(Purpose, i64, i64, bool)> {
            let calls = self.calls.lock().expect("whole");
            calls.iter().map(|call| (call.purpose, call.input_tokens, call.output_tokens, call.failed)).collect()
        }
    }

    /// What was counted while a server that gives these answers was asked for personal memories, and what came of it.
    async fn counted(
        provider: Provider,
        answers: Vec<ResponseTemplate>,
        calls: u64,
    ) -> (Tally, Result<Extraction, ExtractError>) {
        let server = server(answers, calls).await;
        let (llm, tally) = (llm_within(Duration::from_secs(2), provider, server.uri()), Tally::default());
        let exchange = exchange("Always tea for me.");
        let material = Material { exchange: &exchange, known: &[], personal: true, global: false };
        let found = llm.extract(&material, llm.read(&material), &tally).await;
        assert!(tally.released.load(Ordering::SeqCst), "what was reserved is given back");
        (tally, found)
    }

    /// An answer that ended for this reason.
    fn ended(provider: Provider, text: &str, [openai, anthropic]: [&str; 2]) -> ResponseTemplate {
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

    const WELL: [&str; 2] = ["stop", "end_turn"];

    #[tokio::test]
    async fn what_a_provider_says_that_it_used_is_counted() {
        for provider in BOTH {
            let (tally, found) = counted(provider, vec![ended(provider, TEA, WELL)], 1).await;
            assert_eq!(found.expect("answers").claims.len(), 1);
            assert_eq!(tally.told(), [(Purpose::Personal, 70, 9, false)]);
            assert!(tally.reserved.lock().expect("whole")[0] > 1000, "the instructions are reserved for too");
        }
    }

    #[tokio::test]
    async fn what_a_provider_does_not_say_is_estimated() {
        for provider in BOTH {
            let silent = match provider {
                Provider::OpenAi => json!({"choices": [{"message": {"content": TEA}}]}),
                Provider::Anthropic => json!({"content": [{"type": "text", "text": TEA}], "usage": {"input_tokens": "many"}}),
            };
            let (tally, found) = counted(provider, vec![ResponseTemplate::new(200).set_body_json(silent)], 1).await;
            assert_eq!(found.expect("answers").claims.len(), 1);
            let told = tally.told();
            assert!(told[0].1 > 1000 && told[0].2 == estimate(TEA), "{told:?}");
        }
    }

    #[tokio::test]
    async fn a_question_that_is_asked_again_is_counted_apart() {
        for provider in BOTH {
            let answers = vec![ended(provider, "Let me think.", WELL), ended(provider, TEA, WELL)];
            let (tally, found) = counted(provider, answers, 2).await;
            assert_eq!(found.expect("the second answer is good").claims.len(), 1);
            assert_eq!(tally.told(), [(Purpose::Personal, 70, 9, true), (Purpose::Retry, 70, 9, false)]);
        }
    }

    #[tokio::test]
    async fn a_model_that_declines_is_not_asked_again() {
        for provider in BOTH {
            let (tally, found) =
                counted(provider, vec![ended(provider, "I cannot help with that.", ["content_filter", "refusal"])], 1).await;
            let error = found.expect_err("declined");
            assert!(matches!(error, ExtractError::Declined) && error.absence().is_none(), "{error}");
            assert_eq!(tally.told(), [(Purpose::Personal, 70, 9, true)]);
        }
        let refusal = json!({"choices": [{"finish_reason": "stop", "message": {"content": null, "refusal": "No tea."}}]});
        let (_, found) = counted(Provider::OpenAi, vec![ResponseTemplate::new(200).set_body_json(refusal)], 1).await;
        assert!(matches!(found.expect_err("declined"), ExtractError::Declined));
    }

    #[tokio::test]
    async fn an_answer_that_was_cut_off_is_never_taken_for_a_whole_one() {
        for provider in BOTH {
            // What is there can be parsed, and half of it may be missing.
            let (tally, found) = counted(provider, vec![ended(provider, TEA, ["length", "max_tokens"])], 2).await;
            let error = found.expect_err("cut off");
            assert!(matches!(&error, ExtractError::BadAnswer(rule) if rule == "the answer was cut off"), "{error}");
            assert_eq!(tally.told(), [(Purpose::Personal, 70, 9, true), (Purpose::Retry, 70, 9, true)]);
        }
    }

    #[tokio::test]
    async fn failures_are_counted_with_what_they_may_have_used() {
        for provider in BOTH {
            for status in [429, 500, 529] {
                let (tally, found) = counted(provider, vec![ResponseTemplate::new(status)], 1).await;
                assert!(found.expect_err("refused").absence().is_some());
                assert_eq!(tally.told(), [(Purpose::Personal, 0, 0, true)], "{status}");
            }
            let slow = ended(provider, TEA, WELL).set_delay(DEFAULT_TIMEOUT);
            let (tally, found) = counted(provider, vec![slow], 1).await;
            assert!(matches!(found.expect_err("slow"), ExtractError::TimedOut(_)));
            let told = tally.told();
            assert!(told[0].1 > 1000 && told[0].3, "it may have read all of it: {told:?}");
        }
    }

    #[tokio::test]
    async fn both_questions_are_counted_when_one_fails() {
        let server = MockServer::start().await;
        let asked = |words: &str| Mock::given(method("POST")).and(body_string_contains(words));
        asked("shared knowledge of a team").respond_with(ResponseTemplate::new(503)).mount(&server).await;
        let late = ended(Provider::OpenAi, TEA, WELL).set_delay(Duration::from_millis(200));
        asked("memory that an assistant has of one person").respond_with(late).mount(&server).await;
        let (llm, tally, exchange) = (llm(Provider::OpenAi, server.uri()), Tally::default(), exchange("Always tea for me."));
        let material = Material { exchange: &exchange, known: &[], personal: true, global: true };
        llm.extract(&material, llm.read(&material), &tally).await.expect_err("one failed");
        assert_eq!(tally.told(), [(Purpose::Team, 0, 0, true), (Purpose::Personal, 70, 9, false)]);
    }

    #[tokio::test]
    async fn over_the_budget_nothing_is_asked() {
        for provider in BOTH {
            let server = server(vec![answer(provider, TEA)], 0).await;
            let (llm, exchange) = (llm(provider, server.uri()), exchange("Always tea for me."));
            let tally = Tally { full: true, ..Tally::default() };
            let material = Material { exchange: &exchange, known: &[], personal: true, global: true };
            let error = llm.extract(&material, llm.read(&material), &tally).await.expect_err("used up");
            assert!(matches!(error, ExtractError::OverBudget) && tally.told().is_empty());
            assert!(!llm.unaided(&material).claims.is_empty(), "the rules read it");
        }
    }

    /// A claim as a model would say it.
    fn said(claim: &Claim) -> Value {
        let takes = match &claim.takes {
            Takes::Nothing => Value::Null,
            Takes::Nearest => json!("nearest"),
            Takes::Term(term) => json!({"term": term}),
            Takes::Id(_) | Takes::Last { .. } => panic!("not for a model"),
        };
        match &claim.says {
            None => json!({"forget": takes}),
            Some(says) => json!({
                "content": says.content.as_str(), "kind": says.kind.as_str(), "importance": says.importance.get(),
                "takes": takes, "only_instead": !claim.lasting,
            }),
        }
    }

    #[derive(serde::Deserialize)]
    struct Dialogue {
        #[serde(default)]
        user: String,
        #[serde(default)]
        known: Vec<String>,
    }

    #[test]
    fn whatever_the_rules_find_a_model_can_say() {
        let (mut claims, mut candidates) = (0, 0);
        let (mut forgets, mut terms, mut nearest, mut asked) = (false, false, false, false);
        for dialogue in language::dialogues::<Dialogue>(|one| one.split != language::Split::Blind) {
            let exchange = exchange(&dialogue.user);
            let known: Vec<Known> = dialogue
                .known
                .iter()
                .map(|text| Known { id: "mem_1".to_owned(), text: text.clone(), owner: Owner::User })
                .collect();
            let material = Material { exchange: &exchange, known: &known, personal: true, global: true };
            let found = rules::read(&material);
            let read = Extraction {
                claims: found.claims.iter().filter(|claim| claim.says.is_none()).cloned().collect(),
                candidates: found.candidates.iter().filter(|one| one.origin == Origin::User).cloned().collect(),
                ..Extraction::default()
            };
            // A wish that names nothing finds nothing, and one for the last memory needs no model.
            let empty = |claim: &Claim| claim.says.is_none() && wishes(std::slice::from_ref(claim))[0].is_empty();
            for claim in found.claims.iter().filter(|claim| !empty(claim) && !matches!(claim.takes, Takes::Last { .. })) {
                let answer = json!({"items": [said(claim)]}).to_string();
                let told = reply::personal(&answer, &known).expect("can be said");
                let told = judged(told, Vec::new(), &known, &read).claims;
                assert_eq!(told, std::slice::from_ref(claim), "{}", dialogue.user);
                claims += 1;
                forgets |= claim.says.is_none();
                terms |= matches!(claim.takes, Takes::Term(_)) && claim.says.is_some();
                nearest |= claim.takes == Takes::Nearest;
            }
            for candidate in &found.candidates {
                let item = json!({"content": candidate.content.as_str(), "kind": candidate.kind.as_str(), "importance": candidate.importance.get()});
                let told = reply::global(&json!({"items": [item]}).to_string()).expect("can be said");
                let told = judged(Vec::new(), told, &known, &read).candidates;
                assert_eq!(told[0].content.as_str(), candidate.content.as_str());
                assert!(candidate.origin != Origin::User || told[0].origin == Origin::User, "{}", dialogue.user);
                candidates += 1;
                asked |= candidate.origin == Origin::User;
            }
        }
        assert!(claims > 50 && candidates > 5, "{claims} {candidates}");
        assert!(forgets && terms && nearest && asked, "{forgets} {terms} {nearest} {asked}");
    }

    #[test]
    fn a_fact_that_nobody_asked_to_keep_is_the_assistants_whatever_an_answer_says() {
        let exchange = exchange("For the team: deploys run on Fridays.");
        let material = Material { exchange: &exchange, known: &[], personal: true, global: true };
        let llm = llm(Provider::OpenAi, "http://127.0.0.1:9".to_owned());
        let read = llm.read(&material);
        let told = reply::global(
            r#"[{"content":"Deploys run on Fridays","kind":"fact","importance":4},
            {"content":"The pool is ports 9000-9999","kind":"fact","importance":3}]"#,
        );
        let told = judged(Vec::new(), told.expect("readable"), &[], &read).candidates;
        assert_eq!([told[0].origin, told[1].origin], [Origin::User, Origin::Assistant]);
    }

    /// A server that gives these answers in turn, repeats the last one, and expects exactly `calls` calls.
    async fn server(answers: Vec<ResponseTemplate>, calls: u64) -> MockServer {
        let server = MockServer::start().await;
        let turn = std::sync::atomic::AtomicUsize::new(0);
        let next = move |_: &wiremock::Request| {
            let turn = turn.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
            answers[turn].clone()
        };
        Mock::given(method("POST")).respond_with(next).expect(calls).mount(&server).await;
        server
    }

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
        let known = |id: &str, text: &str| Known { id: id.to_owned(), text: text.to_owned(), owner: Owner::User };
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
            let found = llm.extract(&material, llm.read(&material), &Tally::default()).await;
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
    async fn a_server_without_schemas_is_asked_without_from_then_on() {
        for provider in BOTH {
            let refusal = ResponseTemplate::new(400).set_body_json(json!({"error": {"message": "unknown field"}}));
            let server = server(vec![refusal, answer(provider, TEA)], 3).await;
            let llm = llm(provider, server.uri());
            for _ in 0..2 {
                assert_eq!(read(&llm, true, false).await.expect("answers").claims.len(), 1);
            }
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
