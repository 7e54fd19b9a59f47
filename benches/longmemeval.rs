//! Learning and recall on real conversations: a part of the questions of LongMemEval (Wu et al. 2025, arXiv:2410.10813). The data
//! is not part of the repository; without it, this subject is skipped.
//!
//! First single turns: those with the answer to a later question, and those that ask a program to do something. Then whole
//! histories, sent as exchanges, and their questions; beside them the same turns saved word for word.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::facts::provenance::{Context, Surface};
use domain::memory::exchange::Exchange;
use domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use domain::moment::Moment;
use ports::store::memories::MemoryReads;
use serde::Deserialize;
use serde_json::Value;
use service::Error;
use service::recall::Query;
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, Noted, minilm, told};
use crate::table::{percent, print};

/// Number of items of an answer that count.
const FIRST: u32 = 5;
/// Stop words of answers.
const EMPTY: [&str; 24] = [
    "the", "a", "an", "of", "to", "in", "on", "at", "and", "or", "is", "was", "i", "my", "for", "it", "with", "from", "user",
    "would", "be", "they", "that", "this",
];

#[derive(Deserialize)]
struct Turn {
    evidence: bool,
    user: String,
    assistant: Option<String>,
    answer: Option<Value>,
}

#[derive(Deserialize)]
struct Question {
    question: String,
    answer_session_ids: Vec<String>,
    haystack_dates: Vec<String>,
    haystack_session_ids: Vec<String>,
    haystack_sessions: Vec<Vec<Said>>,
}

#[derive(Deserialize)]
struct Said {
    role: String,
    content: String,
}

/// Number of questions with any, or all, of the sessions that hold the answer among the first items.
#[derive(Default)]
struct Found {
    any: usize,
    all: usize,
}

pub async fn run() {
    let folder = told("KEEPSAKE_LONGMEMEVAL_DIR")
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/longmemeval"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let (Ok(turns), Ok(questions)) = (read("turns.jsonl"), read("questions.jsonl")) else {
        println!("\nLongMemEval: skipped, it is not in {}; set KEEPSAKE_LONGMEMEVAL_DIR", folder.display());
        return;
    };
    let Some(model) = minilm() else { return };
    let turns: Vec<Turn> = turns.lines().map(|line| serde_json::from_str(line).expect("a turn")).collect();
    let questions: Vec<Question> = questions.lines().map(|line| serde_json::from_str(line).expect("a question")).collect();
    let model = Noted::once_each(model);
    single_turns(&turns, model.clone()).await;
    let (mut learned, mut saved) = (Found::default(), Found::default());
    for question in &questions {
        let fixture = Fixture::with(model.clone()).await;
        send(&fixture, question).await;
        learned.note(&fixture, question).await;
        let fixture = Fixture::with(model.clone()).await;
        save(&fixture, question).await;
        saved.note(&fixture, question).await;
    }
    let row = |name: &str, found: &Found| {
        let share = |count: usize| format!("{:.2}", count as f64 / questions.len() as f64);
        vec![name.to_owned(), share(found.any), share(found.all)]
    };
    print(
        &format!("LongMemEval: {} questions over whole histories", questions.len()),
        &["a session with the answer in the first 5", "any", "all"],
        &[row("sent as exchanges", &learned), row("user turns saved word for word", &saved)],
    );
}

async fn single_turns(turns: &[Turn], model: Arc<Noted>) {
    let fixture = Fixture::with(model).await;
    let (mut telling, mut kept, mut hold, mut whole, mut tasks, mut noise, mut shared) = (0, 0, 0, 0, 0, 0, 0);
    for turn in turns {
        let exchange = exchange(&turn.user, turn.assistant.as_deref().unwrap_or_default(), "turn", Moment(1_700_000_000_000));
        let taught = fixture.keepsake.learning.learn_dry(&exchange, &[]).await.expect("read");
        let memories: Vec<&str> = taught.personal_new.iter().map(|statement| statement.content.as_str()).collect();
        if !turn.evidence {
            tasks += 1;
            noise += usize::from(!memories.is_empty());
            shared += usize::from(!taught.global_new.is_empty());
            continue;
        }
        telling += 1;
        kept += usize::from(!memories.is_empty());
        let answer = words(
            &turn
                .answer
                .as_ref()
                .map(|answer| answer.as_str().map_or_else(|| answer.to_string(), str::to_owned))
                .unwrap_or_default(),
        );
        if !answer.is_empty() && answer.is_subset(&words(&turn.user)) {
            hold += 1;
            whole += usize::from(answer.is_subset(&words(&memories.join(" "))));
        }
    }
    let row = |name: &str, count: usize, of: usize| vec![name.to_owned(), percent(count as f64 / of as f64), of.to_string()];
    print(
        "LongMemEval: what single turns teach",
        &["share", "", "of"],
        &[
            row("telling turns that are kept", kept, telling),
            row("turns with the answer's words whose memories have them", whole, hold),
            row("task turns with a memory", noise, tasks),
            row("task turns with a team fact", shared, tasks),
        ],
    );
}

/// Sends the turns of a history, each with the reply that followed, and learns them.
async fn send(fixture: &Fixture, question: &Question) {
    for (session, thread, at) in sessions(question) {
        for (place, said) in session.iter().enumerate().filter(|(_, said)| said.role == "user") {
            let reply = session.get(place + 1).map_or("", |said| said.content.as_str());
            let exchange = exchange(&said.content, reply, thread, at);
            fixture.keepsake.inbox.accept(&Caller::command_line(), exchange, None).await.expect("accepted");
        }
    }
    let never = CancellationToken::new();
    while fixture.keepsake.learning.learn_due(&never).await.expect("learned") > 0 {}
}

/// Saves the user's turns as they are, up to the longest memory.
async fn save(fixture: &Fixture, question: &Question) {
    for (session, thread, at) in sessions(question) {
        for said in session.iter().filter(|said| said.role == "user" && !said.content.trim().is_empty()) {
            let cut: String = said.content.trim().chars().take(CONTENT_MAX_CHARS).collect();
            let Ok(content) = Content::new(&cut) else { continue };
            let statement = Statement { kind: MemoryKind::Fact, content, importance: Importance::DEFAULT };
            let context = Context { surface: web(), thread: Some(thread.to_owned()), at: Some(at) };
            match fixture.keepsake.memories.remember(&Caller::command_line(), &user(), context, &statement).await {
                Ok(_) | Err(Error::Refused(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn sessions(question: &Question) -> impl Iterator<Item = (&Vec<Said>, &str, Moment)> {
    let dated = question.haystack_sessions.iter().zip(&question.haystack_session_ids).zip(&question.haystack_dates);
    dated.map(|((session, id), date)| (session, id.as_str(), moment(date)))
}

impl Found {
    async fn note(&mut self, fixture: &Fixture, question: &Question) {
        let query = Query { k: Some(FIRST), ..Query::new(Some(user()), web(), &question.question) };
        let answer = fixture.keepsake.recall.recall(&Caller::command_line(), query).await.expect("recalled");
        let ids: Vec<String> = answer.personal.iter().map(|item| item.id.clone()).collect();
        let rows = fixture.store.memories_by_id(&user(), &ids).await.expect("read");
        let found: BTreeSet<&str> = rows.iter().filter_map(|row| row.thread.as_deref()).collect();
        let is_found = |session: &String| found.contains(session.as_str());
        self.any += usize::from(question.answer_session_ids.iter().any(is_found));
        self.all += usize::from(question.answer_session_ids.iter().all(is_found));
    }
}

fn exchange(message: &str, reply: &str, thread: &str, at: Moment) -> Exchange {
    Exchange {
        external_id: None,
        user: Some(user()),
        surface: web(),
        thread: Some(thread.to_owned()),
        at,
        message: message.chars().take(60_000).collect(),
        reply: reply.chars().take(60_000).collect(),
    }
}

/// `2023/05/20 (Sat) 02:21`
fn moment(date: &str) -> Moment {
    let (day, time) = (date[..10].replace('/', "-"), &date[date.len() - 5..]);
    Moment::parse(&format!("{day}T{time}:00Z")).expect("a time")
}

fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !EMPTY.contains(word));
    words.map(|word| word.trim_end_matches('s').to_owned()).collect()
}

fn user() -> UserId {
    UserId::new("anna").expect("valid")
}

fn web() -> Surface {
    Surface::new("web").expect("valid")
}
