//! Recall of evidence on LoCoMo: long conversations, and questions with the turns that hold the answer. The data is not part
//! of the repository; without it the subject is skipped.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use keepsake::access::callers::Caller;
use keepsake::domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use keepsake::domain::people::UserId;
use keepsake::domain::problem::Problem;
use keepsake::domain::provenance::{OriginFilter, Surface};
use keepsake::ports::embedder::{Embedder, Vector};
use keepsake::service::Error;
use keepsake::service::recall::Query;
use serde::Deserialize;

use crate::house::{House, Noted, minilm, told};
use crate::table::print;

const KS: [usize; 4] = [5, 8, 10, 20];
/// From the data's README: all ten conversations, the same model, cosine alone. Its turns begin with the speaker's name, which
/// the questions name too; exchanges carry no names, and without them cosine alone finds half as much.
const PUBLISHED_DENSE: [f64; 4] = [0.334, 0.395, 0.428, 0.518];
/// So near that no two turns become one memory unless they are the same text.
const NO_MERGING: f64 = 0.99;

#[derive(Deserialize)]
struct Exchange {
    user_id: String,
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
    text: String,
}

/// Shares of evidence in the first K, for each K: over all evidence turns, and as the mean over questions.
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

    // Every text once: the product and the baseline are compared on the very same vectors.
    let model = Noted::once_each(model);
    let house = House::with(model.clone()).await;
    house.set("merge.personal", NO_MERGING).await;
    let (turn_of, rules) = remember(&house, &turns).await;
    let refused = rules.len();
    let (mut ours, mut dense) = (Found::default(), Found::default());
    for question in &questions {
        ours.note(question, &recalled(&house, question, &turn_of).await);
        dense.note(question, &nearest(model.as_ref(), question, &turns).await);
    }
    let heads = ["share of evidence found", "@5", "@8", "@10", "@20", "mean @5", "@8", "@10", "@20"];
    let published = PUBLISHED_DENSE.map(|share| format!("{share:.3}"));
    let blank = KS.map(|_| String::new());
    let rows = [
        ours.row("recall"),
        dense.row("cosine alone, same vectors"),
        ["published, with speakers named".to_owned()].into_iter().chain(published).chain(blank).collect(),
    ];
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
    let Exchange { user_id, user, assistant, r#ref } = exchange;
    let said = [user, assistant].into_iter().filter(|text| !text.trim().is_empty());
    let cut = |text: String| text.chars().take(CONTENT_MAX_CHARS).collect();
    said.zip(r#ref).map(|(text, id)| Turn { user: user_id.clone(), id, text: cut(text) }).collect()
}

/// Which turns each memory holds, and why each of the others was refused.
async fn remember(house: &House, turns: &[Turn]) -> (HashMap<String, Vec<String>>, Vec<String>) {
    let (mut turn_of, mut refused) = (HashMap::<String, Vec<String>>::new(), Vec::new());
    for turn in turns {
        let content = Content::new(&turn.text).expect("cut and not blank");
        let statement = Statement { kind: MemoryKind::Fact, content, importance: Importance::DEFAULT };
        match house.keepsake.remember(&Caller::command_line(), &user(&turn.user), &web(), &statement).await {
            Ok(saved) => turn_of.entry(saved.id().to_owned()).or_default().push(turn.id.clone()),
            Err(Error::Refused(Problem::Refused { rules })) => refused.push(rules.join(" ")),
            Err(error) => panic!("{error}"),
        }
    }
    (turn_of, refused)
}

async fn recalled<'a>(house: &House, question: &Question, turn_of: &'a HashMap<String, Vec<String>>) -> Vec<Vec<&'a str>> {
    let query = Query {
        user: Some(user(&question.user_id)),
        surface: web(),
        text: question.question.clone(),
        k: Some(20),
        origins: OriginFilter::Any,
    };
    let answer = house.keepsake.recall(&Caller::command_line(), query).await.expect("recalled");
    answer.personal.iter().map(|item| turn_of[&item.id].iter().map(String::as_str).collect()).collect()
}

async fn nearest<'a>(model: &Noted, question: &Question, turns: &'a [Turn]) -> Vec<Vec<&'a str>> {
    let query = embed(model, &question.question).await;
    let mut scored = Vec::new();
    for turn in turns.iter().filter(|turn| turn.user == question.user_id) {
        let vector = embed(model, turn.text.trim()).await;
        scored.push((query.iter().zip(&vector).map(|(x, y)| x * y).sum::<f32>(), turn.id.as_str()));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(20).map(|(_, id)| vec![id]).collect()
}

async fn embed(model: &Noted, text: &str) -> Vector {
    model.embed(&[text.to_owned()]).await.expect("embedded").remove(0)
}

fn user(id: &str) -> UserId {
    UserId::new(id).expect("valid")
}

fn web() -> Surface {
    Surface::new("web").expect("valid")
}
