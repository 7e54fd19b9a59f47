//! Recall of evidence on LoCoMo: long conversations, and questions with the turns that contain the answer. The data is not part
//! of the repository; without it, this subject is skipped.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::facts::provenance::{Context, Surface};
use domain::memory::period::dates;
use domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use domain::moment::Moment;
use domain::problem::Problem;
use domain::recall::search::Legs;
use domain::recall::words::terms;
use ports::store::memories::{MemoryReads, MemorySearch};
use serde::Deserialize;
use service::Error;
use service::recall::Query;

use crate::fixture::{Fixture, NOON, Noted, minilm, told};
use crate::table::print;

const KS: [usize; 4] = [5, 8, 10, 20];
/// From the data's README: all ten conversations, the same model, cosine similarity alone.
const PUBLISHED_DENSE: [f64; 4] = [0.334, 0.395, 0.428, 0.518];
/// So high that two turns become one memory only if they are the same text.
const NO_MERGING: f64 = 0.99;
/// More than any user has, so that legs are combined over all memories.
const ALL: usize = 10_000;

/// The speakers in the conversations of the development split, the user first. A turn begins with its speaker's name, as in the
/// published figures, because the questions use the names.
const SPEAKERS: [(&str, [&str; 2]); 3] =
    [("locomo-26", ["Caroline", "Melanie"]), ("locomo-30", ["Jon", "Gina"]), ("locomo-41", ["John", "Maria"])];

/// The legs of a search, added one by one.
type Sum = fn(&Legs) -> f64;
const ABLATION: [(&str, Sum); 5] = [
    ("vector leg", |legs| legs.vector),
    ("words leg", |legs| legs.words),
    ("vector and words", |legs| legs.vector + legs.words),
    ("vector, words and thread", |legs| legs.vector + legs.words + legs.thread),
    ("all: and dates", Legs::sum),
];

#[derive(Deserialize)]
struct Exchange {
    user_id: String,
    thread: String,
    at: String,
    user: String,
    assistant: String,
    r#ref: Vec<String>,
}

#[derive(Deserialize)]
struct Question {
    user_id: String,
    question: String,
    evidence: Vec<String>,
}

/// One utterance.
struct Turn {
    user: String,
    id: String,
    thread: String,
    at: Moment,
    text: String,
}

/// The share of evidence in the first K, for each K: over all evidence turns, and as the mean over questions.
#[derive(Default)]
struct Found {
    found: [usize; KS.len()],
    means: [f64; KS.len()],
    evidence: usize,
    questions: usize,
}

impl Found {
    fn note(&mut self, question: &Question, ranked: &[Vec<&str>]) {
        self.questions += 1;
        self.evidence += question.evidence.len();
        for (n, k) in KS.into_iter().enumerate() {
            let top: Vec<&str> = ranked.iter().take(k).flatten().copied().collect();
            let hits = question.evidence.iter().filter(|turn| top.contains(&turn.as_str())).count();
            self.found[n] += hits;
            self.means[n] += hits as f64 / question.evidence.len() as f64;
        }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let over_all = self.found.map(|found| format!("{:.3}", found as f64 / self.evidence as f64));
        let means = self.means.map(|sum| format!("{:.3}", sum / self.questions as f64));
        [name.to_owned()].into_iter().chain(over_all).chain(means).collect()
    }
}

pub async fn run() {
    let folder =
        told("KEEPSAKE_LOCOMO_DIR").unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/locomo"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let (Ok(exchanges), Ok(questions)) = (read("exchanges.jsonl"), read("questions.jsonl")) else {
        println!("\nLoCoMo: skipped, it is not in {}; set KEEPSAKE_LOCOMO_DIR", folder.display());
        return;
    };
    let Some(model) = minilm() else { return };
    let turns: Vec<Turn> = exchanges.lines().flat_map(|line| turns(serde_json::from_str(line).expect("an exchange"))).collect();
    let mut questions: Vec<Question> = questions.lines().map(|line| serde_json::from_str(line).expect("a question")).collect();
    questions.retain(|question| !question.evidence.is_empty());

    // Every text is embedded once, so that Keepsake and the baseline use the same vectors.
    let model = Noted::once_each(model);
    let fixture = Fixture::with(model.clone()).await;
    fixture.set("merge.personal", NO_MERGING).await;
    let (turn_of, rules) = remember(&fixture, &turns).await;
    let refused = rules.len();
    let mut ours = Found::default();
    let mut legs = ABLATION.map(|_| Found::default());
    for question in &questions {
        ours.note(question, &recalled(&fixture, question, &turn_of).await);
        for (found, (_, sum)) in legs.iter_mut().zip(ABLATION) {
            found.note(question, &by_legs(&fixture, question, &turn_of, sum).await);
        }
    }
    let heads = ["share of evidence found", "@5", "@8", "@10", "@20", "mean @5", "@8", "@10", "@20"];
    let published = PUBLISHED_DENSE.map(|share| format!("{share:.3}"));
    let blank = KS.map(|_| String::new());
    let mut rows = vec![ours.row("recall")];
    rows.extend(legs.iter().zip(ABLATION).map(|(found, (name, _))| found.row(name)));
    rows.push(["published, cosine alone".to_owned()].into_iter().chain(published).chain(blank).collect());
    let title = format!(
        "LoCoMo: {} turns remembered one by one ({refused} refused), {} questions, {} evidence turns",
        turns.len() - refused,
        ours.questions,
        ours.evidence
    );
    print(&title, &heads, &rows);
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    for rules in &rules {
        *by_rule.entry(rules).or_default() += 1;
    }
    println!("refused by: {by_rule:?}");
}

fn turns(exchange: Exchange) -> Vec<Turn> {
    let Exchange { user_id, thread, at, user, assistant, r#ref } = exchange;
    let speakers = SPEAKERS.iter().find(|(id, _)| *id == user_id).map_or(["User", "Assistant"], |(_, speakers)| *speakers);
    let at = Moment::parse(&at).expect("RFC 3339");
    let said = speakers.into_iter().zip([user, assistant]).filter(|(_, text)| !text.trim().is_empty());
    let cut = |text: String| text.chars().take(CONTENT_MAX_CHARS).collect();
    said.zip(r#ref)
        .map(|((speaker, text), id)| Turn {
            user: user_id.clone(),
            id,
            thread: thread.clone(),
            at,
            text: cut(format!("{speaker}: {text}")),
        })
        .collect()
}

/// The turns in each memory, and why the other turns were refused.
async fn remember(fixture: &Fixture, turns: &[Turn]) -> (HashMap<String, Vec<String>>, Vec<String>) {
    let (mut turn_of, mut refused) = (HashMap::<String, Vec<String>>::new(), Vec::new());
    for turn in turns {
        let content = Content::new(&turn.text).expect("cut and not blank");
        let statement = Statement { kind: MemoryKind::Fact, content, importance: Importance::DEFAULT };
        let said = Context { surface: web(), thread: Some(turn.thread.clone()), at: Some(turn.at) };
        match fixture.keepsake.memories.remember(&Caller::command_line(), &user(&turn.user), said, &statement).await {
            Ok(saved) => turn_of.entry(saved.id().to_owned()).or_default().push(turn.id.clone()),
            Err(Error::Refused(Problem::Refused { rules, .. })) => refused.push(rules.join(" ")),
            Err(error) => panic!("{error}"),
        }
    }
    (turn_of, refused)
}

async fn recalled<'a>(fixture: &Fixture, question: &Question, turn_of: &'a HashMap<String, Vec<String>>) -> Vec<Vec<&'a str>> {
    let query = Query { k: Some(20), ..Query::new(Some(user(&question.user_id)), web(), &question.question) };
    let answer = fixture.keepsake.recall.recall(&Caller::command_line(), query).await.expect("recalled");
    answer.personal.iter().map(|item| turn_of[&item.id].iter().map(String::as_str).collect()).collect()
}

/// The order by the sum of some legs.
async fn by_legs<'a>(
    fixture: &Fixture,
    question: &Question,
    turn_of: &'a HashMap<String, Vec<String>>,
    sum: Sum,
) -> Vec<Vec<&'a str>> {
    let query = fixture.keepsake.embedder.embed(std::slice::from_ref(&question.question)).await.expect("embedded").remove(0);
    let (terms, dates) = (terms(&question.question), dates(&question.question, NOON));
    let asked = MemorySearch::new(&query, &terms, &dates, NOON);
    let mut hits = fixture.store.search_memories(&user(&question.user_id), &asked, ALL).await.expect("searched").hits;
    hits.sort_by(|a, b| sum(&b.legs).total_cmp(&sum(&a.legs)).then_with(|| a.id.cmp(&b.id)));
    hits.iter().take(20).map(|hit| turn_of[&hit.id].iter().map(String::as_str).collect()).collect()
}

fn user(id: &str) -> UserId {
    UserId::new(id).expect("valid")
}

fn web() -> Surface {
    Surface::new("web").expect("valid")
}
