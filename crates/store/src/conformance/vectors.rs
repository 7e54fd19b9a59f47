//! Vectors and the embedder that made them.

use super::Database;
use super::sample::{NOW, axis, fact, insert, memory, own, user, wording, write};
use ports::embedder::EmbedderId;
use ports::store::facts::{FactMerge, FactSearch, NewFact};
use ports::store::memories::vectors::VectorColumn;
use ports::store::memories::{MemoryMerge, MemorySearch, MergeCause};

pub async fn every_vector_can_be_replaced_and_the_place_is_kept(store: &dyn Database) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    let merge = MemoryMerge {
        id: "mrg_1".to_owned(),
        memory_id: "mem_1".to_owned(),
        cause: MergeCause::Merge,
        similarity: 0.9,
        at: NOW,
        before: wording("before", 1),
        before_updated_at: NOW,
        incoming: wording("incoming", 2),
    };
    let merge = &merge;
    write!(store, |tx| {
        tx.record_merge(&user("anna"), merge).await?;
        tx.insert_fact(&fact("gf_1", 1)).await?;
        let said = FactMerge {
            id: "mrg_2".to_owned(),
            fact_id: "gf_1".to_owned(),
            content: "said".to_owned(),
            vector: axis(1),
            similarity: 0.9,
            at: NOW,
        };
        tx.record_fact_merge(&said, None).await
    });
    assert_eq!(store.count_vectors().await.expect("read"), 6);
    let mut texts = Vec::new();
    for column in VectorColumn::ALL {
        for (row, text) in store.texts_beyond(column, 9).await.expect("read") {
            let new = axis(9);
            let new = &new;
            own!(store, |tx| tx.replace_vector(column, row, new).await);
            own!(store, |tx| tx.set_reached(column, row).await);
            texts.push(text);
        }
        assert!(store.texts_beyond(column, 9).await.expect("read").is_empty(), "{column:?} is done");
    }
    assert_eq!(texts, ["statement mem_1", "statement mem_2", "before", "incoming", "Statement gf_1.", "said"]);
    let vector = axis(9);
    let question = MemorySearch::new(&vector, &[], &[], NOW);
    let found = store.search_memories(&user("anna"), &question, 9).await.expect("searched").hits;
    assert!(found.len() == 2 && found.iter().all(|hit| hit.similarity > 0.99));
}

pub async fn the_embedder_is_named_once_and_changed_on_request(store: &dyn Database) {
    assert_eq!(store.embedder().await.expect("read"), None);
    let (one, two) = (
        EmbedderId { model: "lexical".to_owned(), weights: "1".to_owned(), dimensions: 384 },
        EmbedderId { model: "bert:x".to_owned(), weights: "2".to_owned(), dimensions: 5 },
    );
    for id in [&one, &two] {
        own!(store, |tx| tx.set_embedder(id).await);
        assert_eq!(store.embedder().await.expect("read").as_ref(), Some(id));
    }
}

pub async fn a_vector_may_be_of_any_length_and_all_can_be_replaced_by_longer_ones(store: &dyn Database) {
    let mut said = memory("mem_1", 1);
    said.wording.vector = vec![0.0, 0.0, 1.0];
    insert(store, &user("anna"), &[said]).await;
    for id in ["gf_1", "gf_2"] {
        let new = NewFact { vector: vec![0.6, 0.8, 0.0], ..fact(id, 1) };
        let new = &new;
        write!(store, |tx| tx.insert_fact(new).await);
    }
    let question = MemorySearch::new(&[0.0, 0.0, 1.0], &[], &[], NOW);
    assert!(store.search_memories(&user("anna"), &question, 9).await.expect("searched").hits[0].similarity > 0.99);
    let near = FactSearch::nearest(&[0.6, 0.8, 0.0], 9);
    assert!(store.nearest_facts(&near).await.expect("searched").iter().all(|near| near.similarity > 0.99));
    let longer = axis(2);
    for column in VectorColumn::ALL {
        // Halfway some are of the old length and some of the new.
        while let Some((row, _)) = store.texts_beyond(column, 1).await.expect("read").pop() {
            let longer = &longer;
            own!(store, |tx| tx.replace_vector(column, row, longer).await);
            own!(store, |tx| tx.set_reached(column, row).await);
            store.refresh().await.expect("read");
        }
    }
    let question = MemorySearch::new(&longer, &[], &[], NOW);
    assert!(store.search_memories(&user("anna"), &question, 9).await.expect("searched").hits[0].similarity > 0.99);
}

pub async fn a_vector_is_as_long_as_the_named_embedder_makes_them(store: &dyn Database) {
    let embedder = EmbedderId { model: "bert:x".to_owned(), weights: "2".to_owned(), dimensions: 384 };
    let named = &embedder;
    own!(store, |tx| tx.set_embedder(named).await);
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    let mut short = memory("mem_2", 1);
    short.wording.vector = vec![1.0; 3];
    let short_fact = NewFact { vector: vec![1.0; 3], ..fact("gf_1", 1) };
    let mut tx = store.begin().await.expect("begun");
    assert!(tx.insert_memory(&user("anna"), &short).await.is_err());
    assert!(tx.reword_memory(&user("anna"), "mem_1", &short.wording, NOW).await.is_err());
    assert!(tx.insert_fact(&short_fact).await.is_err());
}
