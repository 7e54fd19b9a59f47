//! Asks a provider: with a timeout, once more after an answer that cannot be parsed, and counting every call.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use super::prompt::{QuestionKind, Several};
use super::provider::{Endpoint, ProviderAnswer};
use super::reply::ReplyFault;
use domain::insight::usage::{Call, Purpose, estimate};
use ports::extractor::ExtractError;
use ports::meter::{Meter, Reservation};

/// Tokens that an answer about one exchange is expected to have at the most; nearly all have a few dozen.
const ANSWER_TOKENS: i64 = 500;

/// A provider's endpoint, ready to be asked.
pub(super) struct Asker {
    endpoint: Endpoint,
    timeout: Duration,
    /// The endpoint refused a request with a schema and accepted the same one without: not all servers enforce schemas.
    schemas_refused: AtomicBool,
}

impl Asker {
    pub(super) fn new(endpoint: Endpoint, timeout: Duration) -> Self {
        Self { endpoint, timeout, schemas_refused: AtomicBool::new(false) }
    }

    /// Asks, and asks once more if the answer cannot be parsed. Every question is counted.
    async fn ask<T>(
        &self,
        question: &ModelQuestion<'_>,
        meter: (&dyn Meter, &Reservation),
        read: impl Fn(&str) -> Result<T, ReplyFault>,
    ) -> Result<T, ExtractError> {
        match self.call(question, question.store.purpose(), meter, &read).await {
            Err(ExtractError::BadAnswer(reason)) => {
                tracing::debug!(llm.store = ?question.store, llm.reason = %reason, "malformed answer, asking once more");
                let material = format!(
                    "{}\n\nAn earlier answer could not be read ({reason}). Answer with the JSON only.",
                    question.material
                );
                let again = ModelQuestion { material: &material, schema: question.schema.clone(), ..*question };
                self.call(&again, Purpose::Retry, meter, &read).await
            }
            outcome => outcome,
        }
    }

    /// Makes one call within the timeout, and counts it whatever its outcome. Usage that the provider does not report is
    /// estimated.
    async fn call<T>(
        &self,
        question: &ModelQuestion<'_>,
        purpose: Purpose,
        (meter, reservation): (&dyn Meter, &Reservation),
        read: impl Fn(&str) -> Result<T, ReplyFault>,
    ) -> Result<T, ExtractError> {
        let asked = question.tokens();
        let (outcome, (input_tokens, output_tokens)) = match tokio::time::timeout(self.timeout, self.chat(question)).await {
            Ok(Ok(answer)) => {
                let said = answer.text.as_ref().map_or(0, |text| estimate(text));
                let outcome = answer.text.and_then(|text| read(&text).map_err(ExtractError::BadAnswer));
                (outcome, answer.used.unwrap_or((asked, said)))
            }
            Ok(Err(error)) => (Err(error), (0, 0)),
            // The provider may still be answering.
            Err(_) => (Err(ExtractError::TimedOut(self.timeout.as_secs())), (asked, 0)),
        };
        meter.record(reservation, Call { purpose, input_tokens, output_tokens, failed: outcome.is_err() }).await;
        outcome
    }

    async fn chat(&self, question: &ModelQuestion<'_>) -> Result<ProviderAnswer, ExtractError> {
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

    /// Asks the given questions within one reservation.
    pub(super) async fn ask_both<P, G>(
        &self,
        (personal, global): (Option<ModelQuestion<'_>>, Option<ModelQuestion<'_>>),
        meter: &dyn Meter,
        read_personal: impl Fn(&str) -> Result<P, ReplyFault>,
        read_global: impl Fn(&str) -> Result<G, ReplyFault>,
    ) -> Result<(Option<P>, Option<G>), ExtractError> {
        let questions = [&personal, &global].into_iter().flatten();
        let tokens = questions.map(|question| question.tokens().saturating_add(question.answer_tokens())).sum();
        if tokens == 0 {
            return Ok((None, None));
        }
        // Each may be asked twice; the third timeout leaves time for counting.
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
        // Wait for both, so that both are counted.
        let (personal, global) = tokio::join!(personal, global);
        meter.release(reservation).await;
        match (personal, global) {
            // Prefer the failure that says when to retry.
            (Err(_), Err(deferred @ ExtractError::Deferred { .. })) => Err(deferred),
            (personal, global) => Ok((personal?, global?)),
        }
    }
}

/// A question, ready to be asked.
pub(super) struct ModelQuestion<'a> {
    store: QuestionKind,
    instructions: &'a str,
    material: &'a str,
    schema: Value,
    /// Number of exchanges in it.
    exchanges: usize,
}

impl<'a> ModelQuestion<'a> {
    /// About one exchange.
    pub(super) fn of(store: QuestionKind, material: &'a str) -> Self {
        Self { store, instructions: store.instructions(), material, schema: store.schema(), exchanges: 1 }
    }

    /// About several exchanges.
    pub(super) fn of_several(store: QuestionKind, several: &'a Several) -> Self {
        Self {
            store,
            instructions: store.instructions_for_several(),
            material: &several.material,
            schema: store.schema_for_several(&several.numbers),
            exchanges: several.numbers.len(),
        }
    }

    /// Tokens to reserve for the answer.
    fn answer_tokens(&self) -> i64 {
        ANSWER_TOKENS.saturating_mul(i64::try_from(self.exchanges).unwrap_or(i64::MAX))
    }

    /// An estimate of its tokens.
    fn tokens(&self) -> i64 {
        [self.instructions, self.material, &self.schema.to_string()].into_iter().map(estimate).sum()
    }
}

impl fmt::Debug for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asker").field("endpoint", &self.endpoint).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wiremock::matchers::{body_string_contains, method};
    use wiremock::{Mock, MockServer, ResponseTemplate};

    use super::*;
    use crate::extract::llm::DEFAULT_TIMEOUT;
    use crate::extract::provider::Provider;
    use crate::extract::stub::{BOTH, CallTally, TEA, WELL, answer, ended, exchange, llm, llm_within, read, server};
    use ports::extractor::{Extraction, Extractor, Material};

    /// Asks a server that gives these answers for personal memories; returns the counted calls and the outcome.
    async fn counted(
        provider: Provider,
        answers: Vec<ResponseTemplate>,
        calls: u64,
    ) -> (CallTally, Result<Extraction, ExtractError>) {
        let server = server(answers, calls).await;
        let (llm, tally) = (llm_within(Duration::from_secs(2), provider, server.uri()), CallTally::default());
        let exchange = exchange("Always tea for me.");
        let material = Material { exchange: &exchange, known: &[], personal: true, global: false };
        let found = llm.extract(&material, llm.read(&material), &tally).await;
        assert!(tally.released.load(Ordering::SeqCst), "what was reserved is given back");
        (tally, found)
    }

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
            // A cut-off answer may parse although half of it is missing.
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
        let (llm, tally, exchange) = (llm(Provider::OpenAi, server.uri()), CallTally::default(), exchange("Always tea for me."));
        let material = Material { exchange: &exchange, known: &[], personal: true, global: true };
        llm.extract(&material, llm.read(&material), &tally).await.expect_err("one failed");
        assert_eq!(tally.told(), [(Purpose::Team, 0, 0, true), (Purpose::Personal, 70, 9, false)]);
    }

    #[tokio::test]
    async fn over_the_budget_nothing_is_asked() {
        for provider in BOTH {
            let server = server(vec![answer(provider, TEA)], 0).await;
            let (llm, exchange) = (llm(provider, server.uri()), exchange("Always tea for me."));
            let tally = CallTally { full: true, ..CallTally::default() };
            let material = Material { exchange: &exchange, known: &[], personal: true, global: true };
            let error = llm.extract(&material, llm.read(&material), &tally).await.expect_err("used up");
            assert!(matches!(error, ExtractError::OverBudget) && tally.told().is_empty());
            assert!(!llm.unaided(&material).claims.is_empty(), "the rules read it");
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
}
