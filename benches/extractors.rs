//! The share of the labelled dialogues that each extractor gets right: the rules, and the model if one is configured
//! (`KEEPSAKE_EXTRACTOR=llm`, with its provider, URL, name and key). All of learning runs: extractor, gate, merge and correction.
//! Also the calls and tokens of the model, reading messages one by one and several at once.

use std::sync::Arc;

use access::callers::Caller;
use clap::Parser;
use domain::erasure::people::UserId;
use domain::insight::usage::DayOfUse;
use domain::memory::exchange::Exchange;
use keepsake::config::{Config, ExtractorName};
use keepsake::extract::llm::Llm;
use keepsake::extract::rules::Rules;
use language::Split;
use ports::embedder::Embedder;
use ports::extractor::Extractor;
use tokio_util::sync::CancellationToken;

use crate::dialogue::{self, Dialogue};
use crate::fixture::{Fixture, minilm};
use crate::table::print;

/// Messages that are read one by one and together.
const USERS: usize = 6;
const EXCHANGES_OF_A_USER: usize = 8;
/// Exchanges read at a time.
const TOGETHER: [f64; 3] = [1.0, 4.0, 8.0];

/// Configuration from the environment.
#[derive(Parser)]
struct Configured {
    #[command(flatten)]
    config: Config,
}

pub async fn run() {
    let Some(embedder) = minilm() else { return };
    let Configured { config } = Configured::parse_from(["bench"]);
    let rules: Arc<dyn Extractor> = Arc::new(Rules);
    let mut extractors = vec![("rules".to_owned(), rules)];
    if config.extractor == ExtractorName::Llm {
        match Llm::new(config.llm()) {
            Ok(llm) => extractors.push((config.llm_model.clone(), Arc::new(llm))),
            Err(error) => println!("skipped for the model: {error}"),
        }
    }
    if let Some((name, model)) = extractors.get(1) {
        calls(name, model, &embedder).await;
    }
    for split in [Split::Blind, Split::Dev] {
        let dialogues: Vec<Dialogue> = language::dialogues(|one| one.source != "planted" && one.split == split);
        let mut rows: Vec<Vec<String>> = dialogue::ALL.iter().map(|name| vec![(*name).to_owned()]).collect();
        let mut heads = vec![String::new()];
        for (name, extractor) in &extractors {
            let fixture = Fixture::reading(extractor.clone(), embedder.clone()).await;
            let mut hits = vec![(0, 0); rows.len()];
            let mut failed = 0;
            for dialogue in &dialogues {
                // A provider may fail on one of them; that counts as nothing learned, and is printed.
                let Ok(after) = fixture.keepsake.learning.learn_dry(&dialogue.exchange(), &dialogue.known()).await else {
                    println!("{name}: {} could not be read", dialogue.id);
                    failed += 1;
                    continue;
                };
                for (name, hit) in dialogue.judge(&after) {
                    let place = dialogue::ALL.iter().position(|one| *one == name).expect("listed");
                    hits[place] = (hits[place].0 + usize::from(hit), hits[place].1 + 1);
                }
            }
            if failed > 0 {
                println!("{name}: {failed} of {} dialogues could not be read and are left out", dialogues.len());
            }
            for (row, (hits, of)) in rows.iter_mut().zip(hits) {
                row.push(format!("{:.1} % of {of}", 100.0 * hits as f64 / of.max(1) as f64));
            }
            heads.push(name.clone());
        }
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        print(&format!("Extractors: {} labelled dialogues ({})", dialogues.len(), split.name()), &heads, &rows);
    }
}

/// Measures the calls and tokens of the model for the same exchanges, read one by one and together.
async fn calls(name: &str, model: &Arc<dyn Extractor>, embedder: &Arc<dyn Embedder>) {
    let dialogues: Vec<Dialogue> = language::dialogues(|one| one.source != "planted" && one.split == Split::Dev);
    let exchanges: Vec<Exchange> = dialogues
        .iter()
        .take(USERS * EXCHANGES_OF_A_USER)
        .zip(0..)
        .map(|(dialogue, n)| Exchange {
            user: Some(UserId::new(format!("user-{}", n % USERS)).expect("valid")),
            ..dialogue.exchange()
        })
        .collect();
    let mut rows = Vec::new();
    for together in TOGETHER {
        let fixture = Fixture::reading(model.clone(), embedder.clone()).await;
        fixture.set("learn.batch_exchanges", together).await;
        for exchange in &exchanges {
            fixture.keepsake.inbox.accept_imported(&Caller::command_line(), exchange.clone()).await.expect("accepted");
        }
        let never = CancellationToken::new();
        while fixture.keepsake.learning.learn_due(&never).await.expect("learned") > 0 {}
        let left = fixture.keepsake.inbox.backlog().await.expect("read");
        let used = fixture.keepsake.model_budget.model_use(1).await.expect("read");
        let sum = |of: fn(&DayOfUse) -> i64| used.iter().map(of).sum::<i64>() as f64 / exchanges.len() as f64;
        rows.push(vec![
            format!("{together}"),
            format!("{:.2}", sum(|day| day.calls)),
            format!("{:.0}", sum(|day| day.input_tokens)),
            format!("{:.0}", sum(|day| day.output_tokens)),
            format!("{:.2}", sum(|day| day.failures)),
            (left.queued + left.parked).to_string(),
        ]);
    }
    let title = format!("What {name} is asked: {} labelled messages of {USERS} users, for each message", exchanges.len());
    print(&title, &["read together", "calls", "tokens in", "tokens out", "failed calls", "messages not read"], &rows);
}
