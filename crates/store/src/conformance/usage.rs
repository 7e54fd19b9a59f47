//! Model usage, and tokens reserved for requests in flight.

use super::Database;
use super::sample::{NOW, write};
use domain::insight::usage::{Call, Model, Purpose, Tokens};
use domain::moment::DAY_MS;

const TODAY: i64 = NOW.0 / DAY_MS;

fn model(name: &str) -> Model {
    Model { provider: "openai".to_owned(), name: name.to_owned() }
}

fn call(purpose: Purpose, input_tokens: i64, output_tokens: i64) -> Call {
    Call { purpose, input_tokens, output_tokens, failed: false }
}

pub async fn calls_are_summed_by_day_purpose_and_model(store: &dyn Database) {
    let (mini, large) = (&model("mini"), &model("large"));
    write!(store, |tx| {
        tx.count_call("none", TODAY - 1, mini, &call(Purpose::Personal, 10, 1)).await?;
        tx.count_call("none", TODAY, mini, &call(Purpose::Personal, 10, 1)).await?;
        tx.count_call("none", TODAY, mini, &Call { failed: true, ..call(Purpose::Personal, 20, 0) }).await?;
        tx.count_call("none", TODAY, mini, &call(Purpose::Team, 5, 5)).await?;
        tx.count_call("none", TODAY, large, &call(Purpose::Retry, 7, 0)).await
    });
    let sums: Vec<_> = store
        .model_use_after(TODAY - 1)
        .await
        .expect("read")
        .into_iter()
        .map(|sum| (sum.day, sum.purpose, sum.model.name, [sum.calls, sum.failures, sum.input_tokens, sum.output_tokens]))
        .collect();
    let expected = [
        (TODAY, Purpose::Personal, "mini".to_owned(), [2, 1, 30, 1]),
        (TODAY, Purpose::Retry, "large".to_owned(), [1, 0, 7, 0]),
        (TODAY, Purpose::Team, "mini".to_owned(), [1, 0, 5, 5]),
    ];
    assert_eq!(sums, expected);
    assert_eq!(store.model_use_after(TODAY - 2).await.expect("read").len(), 4);
    assert_eq!(store.tokens_of_day(TODAY, NOW).await.expect("read"), Tokens { used: 48, reserved: 0 });
}

pub async fn reserved_tokens_count_until_they_are_used_given_back_or_expired(store: &dyn Database) {
    let later = NOW.plus_ms(1000);
    write!(store, |tx| {
        tx.reserve_tokens("use_1", TODAY, 100, later).await?;
        tx.reserve_tokens("use_2", TODAY, 50, later).await?;
        tx.reserve_tokens("use_3", TODAY + 1, 7, later).await?;
        assert_eq!(tx.tokens_held(TODAY, NOW).await?, Tokens { used: 0, reserved: 150 });
        tx.count_call("use_1", TODAY, &model("mini"), &call(Purpose::Personal, 30, 10)).await
    });
    assert_eq!(store.tokens_of_day(TODAY, NOW).await.expect("read"), Tokens { used: 40, reserved: 110 });
    assert_eq!(store.tokens_of_day(TODAY, later).await.expect("read"), Tokens { used: 40, reserved: 0 });
    write!(store, |tx| {
        tx.count_call("use_1", TODAY, &model("mini"), &call(Purpose::Team, 100, 0)).await?;
        assert_eq!(tx.tokens_held(TODAY, NOW).await?, Tokens { used: 140, reserved: 50 }, "it used more than was reserved");
        tx.release_tokens("use_1").await?;
        tx.release_tokens("use_2").await?;
        assert_eq!(tx.tokens_held(TODAY, NOW).await?, Tokens { used: 140, reserved: 0 });
        assert_eq!(tx.tokens_held(TODAY + 1, NOW).await?, Tokens { used: 0, reserved: 7 });
        tx.tokens_held(TODAY + 1, later).await
    });
    assert_eq!(store.tokens_of_day(TODAY + 1, NOW).await.expect("read").reserved, 0, "what has expired is deleted");
}
