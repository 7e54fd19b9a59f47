//! Exchanges accepted and learned per second, on the sample, beside the time of the embedder's calls alone.

use std::sync::PoisonError;

use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::memory::exchange::Exchange;
use keepsake::api::wire::ExchangeRecord;
use ports::store::facts::FactReads;
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, Noted, embedders, file};
use crate::table::{median, ms, print, seconds, times};

const ROUNDS: usize = 5;

pub async fn run() {
    let sample = file("sample/exchanges.jsonl");
    let mut rows = Vec::new();
    for (name, embedder) in embedders() {
        let (mut accepting, mut learning, mut embedding, mut texts) = (Vec::new(), Vec::new(), Vec::new(), 0);
        // The first round warms up and is not counted.
        for round in 0..=ROUNDS {
            let noted = Noted::calls_of(embedder.clone());
            let fixture = Fixture::with(noted.clone()).await;
            let exchanges = exchanges(&sample, &fixture);
            let (accept, ()) = seconds(async {
                for exchange in exchanges {
                    fixture.keepsake.inbox.accept(&Caller::command_line(), exchange, None).await.expect("accepted");
                }
            })
            .await;
            let (learn, ()) = seconds(async {
                let never = CancellationToken::new();
                while fixture.keepsake.learning.learn_due(&never).await.expect("learned") > 0 {}
            })
            .await;
            assert!(fixture.store.count_facts().await.expect("read").pending > 0, "nothing was learned");
            let calls = noted.calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let (embed, ()) = seconds(async {
                for call in &calls {
                    embedder.embed(call).await.expect("embedded");
                }
            })
            .await;
            texts = calls.iter().map(Vec::len).sum();
            if round > 0 {
                accepting.push(accept);
                learning.push(learn);
                embedding.push(embed);
            }
        }
        let count = sample.lines().count() as f64;
        let [accept, learn, embed] = [&accepting, &learning, &embedding].map(|seconds| median(seconds));
        rows.push(vec![
            format!("rules and {name}"),
            format!("{:.0}", count / accept),
            format!("{:.0}", count / learn),
            ms(learn / count),
            ms(embed / count),
            texts.to_string(),
            times(learn / embed),
        ]);
    }
    let title = format!("Learning: {} exchanges of the sample, median of {ROUNDS} rounds", sample.lines().count());
    let heads = ["", "accepted a second", "learned a second", "learning one", "embedding alone", "texts", "of embedding"];
    print(&title, &heads, &rows);
}

fn exchanges(sample: &str, fixture: &Fixture) -> Vec<Exchange> {
    let now = fixture.keepsake.clock.now();
    let record = |line: &str| -> ExchangeRecord { serde_json::from_str(line).expect("an exchange") };
    let exchange = |record: ExchangeRecord| {
        let user = record.user_id.clone().map(|id| UserId::new(id).expect("valid"));
        record.into_exchange(user, now).expect("valid")
    };
    sample.lines().map(record).map(exchange).collect()
}
