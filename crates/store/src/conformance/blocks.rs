//! Stores of blocks, blocks, their versions and the bin.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::Database;
use super::sample::{NOW, erase, own, user, write};
use domain::blocks::limits::VERSIONS_KEPT;
use domain::blocks::{BlockFields, BlockPath, Operation};
use domain::erasure::ErasureScope;
use domain::erasure::people::UserId;
use domain::memory::tags::Tags;
use domain::moment::Moment;
use ports::store::Store;
use ports::store::blocks::{
    Author, Block, BlockFilter, BlockOrder, BlockPage, BlockRef, BlockStore, BlockText, BlockTotals, NewHead, Redaction,
    StoreRef, VersionFilter, VersionPage,
};

fn block_store(id: &str, name: &str) -> BlockStore {
    BlockStore {
        id: id.to_owned(),
        name: name.to_owned(),
        description: format!("of {name}"),
        metadata: [("user".to_owned(), "anna".to_owned())].into(),
        is_default: name == "default",
        created_at: NOW,
        updated_at: NOW,
        archived_at: None,
    }
}

fn path(text: &str) -> BlockPath {
    BlockPath::new(text).expect("valid")
}

fn by(id: &str) -> Author {
    Author { kind: "caller".to_owned(), id: id.to_owned(), surface: "web".to_owned() }
}

pub(super) fn head(version_id: &str, operation: Operation, at: &str, text: Option<&str>) -> NewHead {
    NewHead {
        version_id: version_id.to_owned(),
        operation,
        path: path(at),
        text: text.map(|text| BlockText { content: text.to_owned(), sha256: format!("hash of {text}") }),
        fields: BlockFields::default(),
        at: NOW,
        by: by("key_1"),
    }
}

fn labelled(version_id: &str, at: &str, text: &str, kind: &str, tags: &[&str]) -> NewHead {
    let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
    let fields = BlockFields {
        kind: kind.to_owned(),
        scope: "s".to_owned(),
        source: "agent".to_owned(),
        description: "what it is for".to_owned(),
        tags: Tags::new(&tags).expect("valid"),
        ..BlockFields::default()
    };
    NewHead { fields, ..head(version_id, Operation::Created, at, Some(text)) }
}

fn listed(order: BlockOrder) -> BlockPage {
    BlockPage { order, limit: 9, texts: false }
}

fn by_path(after: Option<&str>) -> BlockPage {
    listed(BlockOrder::Path { after: after.map(str::to_owned) })
}

fn ids(blocks: &[Block]) -> Vec<&str> {
    blocks.iter().map(|block| block.id.as_str()).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn in_store(id: &str) -> BlockFilter {
    BlockFilter { store_id: Some(id.to_owned()), ..BlockFilter::default() }
}

fn all_versions() -> VersionPage {
    VersionPage { after: None, limit: 99, texts: true }
}

pub(super) async fn add(store: &dyn Store, owner: &UserId, store_id: &str, id: &str, head: &NewHead) {
    write!(store, |tx| tx.insert_block(owner, store_id, id, head).await);
}

/// Anna's default store with one block, and Budi's.
pub(super) async fn furnished(store: &dyn Store) -> (UserId, UserId) {
    let (anna, budi) = (user("anna"), user("budi"));
    for (owner, id) in [(&anna, "st_a"), (&budi, "st_b")] {
        write!(store, |tx| tx.insert_block_store(owner, &block_store(id, "default")).await);
    }
    add(store, &anna, "st_a", "mem_a", &head("v_a", Operation::Created, "/a/one", Some("blue sky"))).await;
    add(store, &budi, "st_b", "mem_b", &head("v_b", Operation::Created, "/a/one", Some("blue sea"))).await;
    (anna, budi)
}

pub async fn stores_are_their_users_and_found_by_id_by_name_and_as_the_default(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    write!(store, |tx| {
        for (id, name) in [("st_1", "default"), ("st_2", "work"), ("st_3", "work")] {
            tx.insert_block_store(anna, &block_store(id, name)).await?;
        }
        tx.insert_block_store(budi, &block_store("st_4", "default")).await
    });
    let id_of = async |owner, named: StoreRef| store.block_store(owner, &named).await.expect("read").map(|found| found.id);
    assert_eq!(id_of(anna, StoreRef::Default).await.as_deref(), Some("st_1"));
    assert_eq!(id_of(anna, StoreRef::Named("work".to_owned())).await.as_deref(), Some("st_2"), "the oldest");
    assert_eq!(id_of(anna, StoreRef::Id("st_3".to_owned())).await.as_deref(), Some("st_3"));
    assert_eq!(id_of(anna, StoreRef::Id("st_4".to_owned())).await, None, "another user's");
    assert!(store.block_store(budi, &StoreRef::Default).await.expect("read") == Some(block_store("st_4", "default")));
    let changed = &BlockStore {
        name: "old work".to_owned(),
        description: String::new(),
        metadata: [].into(),
        updated_at: NOW.plus_ms(1),
        archived_at: Some(NOW.plus_ms(1)),
        ..block_store("st_3", "work")
    };
    let (count, known, gone, strangers) = write!(store, |tx| {
        tx.change_block_store(anna, changed).await?;
        tx.change_block_store(budi, &BlockStore { name: "mine".to_owned(), ..block_store("st_1", "default") }).await?;
        let strangers = tx.delete_block_store(budi, "st_2", &mut |_| ()).await?;
        let gone = tx.delete_block_store(anna, "st_2", &mut |_| ()).await?;
        let known = tx.known_block_store(anna, &StoreRef::Id("st_3".to_owned())).await?;
        Ok((tx.count_block_stores(anna).await?, known, gone, strangers))
    });
    assert!(known.as_ref() == Some(changed));
    assert_eq!((count, gone, strangers), (2, true, false));
    let list = async |archived, after| {
        let found = store.block_stores(anna, archived, after, 9).await.expect("read");
        found.into_iter().map(|found| (found.id, found.name)).collect::<Vec<_>>()
    };
    let (oldest, newest) = (("st_1".to_owned(), "default".to_owned()), ("st_3".to_owned(), "old work".to_owned()));
    assert_eq!(list(true, None).await, [newest, oldest.clone()], "newest first");
    assert_eq!(list(false, None).await, std::slice::from_ref(&oldest));
    assert_eq!(list(true, Some("st_3")).await, [oldest]);
}

pub async fn a_block_comes_back_byte_for_byte_and_to_its_owner_alone(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    let text = "\u{feff}tab\there\r\nnul\u{0}and é\n\n";
    add(store, anna, "st_a", "mem_2", &labelled("v_2", "/b", text, "log", &["x", "y"])).await;
    let found = store.block(anna, Some("st_a"), &BlockRef::Id("mem_2".to_owned())).await.expect("read").expect("there");
    assert_eq!(found.content.as_deref(), Some(text));
    assert_eq!((found.bytes, found.chars, found.version), (text.len() as u64, text.chars().count() as u64, 1));
    assert_eq!((found.store_id.as_str(), found.version_id.as_str(), found.by.clone()), ("st_a", "v_2", by("key_1")));
    assert_eq!((found.created_at, found.updated_at, found.last_read_at, found.deleted_at), (NOW, NOW, None, None));
    assert!(found.fields == labelled("v_2", "/b", text, "log", &["x", "y"]).fields);
    for (owner, store_id, block, there) in [
        (anna, None, BlockRef::Id("mem_2".to_owned()), true),
        (anna, Some("st_a"), BlockRef::Path(path("/b")), true),
        (anna, Some("st_a"), BlockRef::Path(path("/B")), false),
        (anna, Some("st_b"), BlockRef::Id("mem_2".to_owned()), false),
        (anna, None, BlockRef::Id("mem_b".to_owned()), false),
        (budi, None, BlockRef::Id("mem_2".to_owned()), false),
        (budi, Some("st_a"), BlockRef::Path(path("/b")), false),
    ] {
        assert_eq!(store.block(owner, store_id, &block).await.expect("read").is_some(), there);
        let block = &block;
        let known = write!(store, |tx| tx.known_block(owner, store_id, block).await);
        assert_eq!(known.is_some(), there);
    }
    write!(store, |tx| tx.note_blocks_read(budi, &words("mem_2 mem_b"), NOW.plus_ms(7)).await);
    let read = async |owner, id: &str| {
        store.block(owner, None, &BlockRef::Id(id.to_owned())).await.expect("read").expect("there").last_read_at
    };
    assert_eq!((read(anna, "mem_2").await, read(budi, "mem_b").await), (None, Some(NOW.plus_ms(7))));
}

pub async fn blocks_are_listed_by_path_or_as_written_and_filtered(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    for (id, at, kind, tags) in
        [("mem_3", "/a.b", "log", vec!["x"]), ("mem_1", "/a_b", "log", vec!["x", "y"]), ("mem_2", "/a/two/deep", "fact", vec![])]
    {
        add(store, anna, "st_a", id, &labelled(&format!("v{id}"), at, "text", kind, &tags)).await;
    }
    let list = async |filter: &BlockFilter, page: BlockPage| store.blocks(anna, filter, &page).await.expect("read");
    let all = list(&in_store("st_a"), by_path(None)).await;
    assert_eq!(ids(&all), ["mem_3", "mem_a", "mem_2", "mem_1"], "byte by byte");
    assert!(all.iter().all(|block| block.content.is_none() && block.bytes > 0));
    assert_eq!(ids(&list(&in_store("st_a"), by_path(Some("/a/one"))).await), ["mem_2", "mem_1"]);
    let written = |after: Option<&str>| listed(BlockOrder::Written { after: after.map(str::to_owned) });
    assert_eq!(ids(&list(&BlockFilter::default(), written(None)).await), ["mem_a", "mem_3", "mem_1", "mem_2"]);
    let full = BlockPage { texts: true, limit: 1, ..written(Some("mem_a")) };
    assert_eq!(list(&in_store("st_a"), full).await[0].content.as_deref(), Some("text"));
    let tagged = |tags: &str| BlockFilter { tags: words(tags), ..in_store("st_a") };
    for (filter, found) in [
        (BlockFilter { below: Some(path("/a")), ..in_store("st_a") }, vec!["mem_a", "mem_2"]),
        (BlockFilter { kind: Some("log".to_owned()), ..in_store("st_a") }, vec!["mem_3", "mem_1"]),
        (
            BlockFilter { scope: Some("s".to_owned()), source: Some("agent".to_owned()), ..in_store("st_a") },
            vec!["mem_3", "mem_2", "mem_1"],
        ),
        (BlockFilter { pinned: Some(true), ..in_store("st_a") }, vec![]),
        (tagged("x"), vec!["mem_3", "mem_1"]),
        (tagged("x y"), vec!["mem_1"]),
        (tagged("z"), vec![]),
        (in_store("st_b"), vec![]),
    ] {
        assert_eq!(ids(&list(&filter, by_path(None)).await), found);
    }
    let (first, within, none) = write!(store, |tx| {
        let logs = BlockFilter { kind: Some("log".to_owned()), ..in_store("st_a") };
        let within = tx.known_blocks_within(anna, "st_a", &path("/a")).await?;
        Ok((tx.first_block(anna, &logs).await?, within, tx.first_block(budi, &logs).await?))
    });
    assert_eq!(first.map(|block| (block.id, block.content)), Some(("mem_3".to_owned(), Some("text".to_owned()))));
    assert_eq!((ids(&within), none.is_none()), (vec!["mem_a", "mem_2"], true));
}

/// Random writes with searches in between: an engine may index a written block only when a search needs it.
pub async fn a_search_knows_every_write_before_it(store: &dyn Store) {
    const VOCABULARY: [&str; 6] = ["harbour", "lantern", "meadow", "quarry", "saffron", "tundra"];
    let (anna, budi) = &furnished(store).await;
    let mut random = StdRng::seed_from_u64(11);
    // The text of every block outside the bin.
    let mut texts: Vec<(i64, Option<String>)> = Vec::new();
    for step in 0..300 {
        let said: Vec<&str> = VOCABULARY.into_iter().filter(|_| random.random_range(0..3) == 0).collect();
        let text = format!("step {step}\n{}", format!("{}\n", said.join(" ")).repeat(random.random_range(1..40)));
        let at = random.random_range(0..10);
        let id = format!("mem_{at}x");
        let (next, own) = (format!("v_{step}x"), format!("/x/{at}"));
        match texts.get_mut(at) {
            None => {
                let id = format!("mem_{}x", texts.len());
                let new = head(&next, Operation::Created, &format!("/x/{}", texts.len()), Some(&text));
                add(store, anna, "st_a", &id, &new).await;
                texts.push((1, Some(text)));
            }
            Some((version, said)) => {
                let (operation, text) = match (said.is_some(), random.random_range(0..4)) {
                    (true, 0) => (Operation::Deleted, None),
                    (true, _) => (Operation::Modified, Some(text)),
                    (false, _) => (Operation::Restored, Some(text)),
                };
                let (id, seen, head) = (&id, *version, &head(&next, operation, &own, text.as_deref()));
                assert!(write!(store, |tx| tx.change_block(anna, id, seen, head).await), "{step}");
                (*version, *said) = (*version + 1, text);
            }
        }
        match random.random_range(0..6) {
            0 => store.index_blocks().await.expect("read"),
            1..4 => {
                let word = VOCABULARY[random.random_range(0..VOCABULARY.len())];
                let has = |said: &Option<String>| said.as_ref().is_some_and(|said| said.contains(word));
                let expected: Vec<String> =
                    texts.iter().enumerate().filter(|(_, (_, said))| has(said)).map(|(n, _)| format!("mem_{n}x")).collect();
                let found = store.search_blocks(anna, &in_store("st_a"), &words(word), 99).await.expect("read");
                let mut found: Vec<String> = found.into_iter().map(|block| block.id).collect();
                found.sort();
                assert_eq!(found, expected, "{step} {word}");
            }
            _ => {}
        }
    }
    assert_eq!(store.search_blocks(budi, &in_store("st_b"), &words("blue"), 9).await.expect("read").len(), 1);
}

pub async fn a_word_in_a_run_without_spaces_finds_its_block(store: &dyn Store) {
    let (anna, _) = &furnished(store).await;
    let long = "他们的财务护城河很宽，客户很少离开。".repeat(40);
    add(store, anna, "st_a", "mem_1", &labelled("v_1", "/研究", &format!("{long}最后一个词是琥珀。"), "log", &[])).await;
    add(store, anna, "st_a", "mem_2", &labelled("v_2", "/notes", "神戸の図書館でiPhoneを借りた", "log", &[])).await;
    let search = async |query: &str| {
        let found = store.search_blocks(anna, &BlockFilter::default(), &words(query), 9).await.expect("read");
        found.into_iter().map(|block| block.id).collect::<Vec<_>>()
    };
    for (query, found) in [
        ("护城河", "mem_1"),
        ("财务", "mem_1"),
        ("琥珀", "mem_1"),
        ("研究", "mem_1"),
        ("図書館", "mem_2"),
        ("图书馆在哪里借图書館的书", "mem_2"),
    ] {
        assert_eq!(search(query).await, [found], "{query}");
    }
    let changed =
        write!(store, |tx| tx.change_block(anna, "mem_1", 1, &head("v_3", Operation::Modified, "/研究", Some("空的"))).await);
    assert!(changed);
    assert_eq!((search("护城河").await, search("空的").await), (Vec::new(), words("mem_1")));
}

pub async fn a_search_finds_words_of_current_texts_of_one_user(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    add(store, anna, "st_a", "mem_1", &labelled("v_1", "/recipes/cake", "sugar and Café crème, blue plates", "log", &["x"]))
        .await;
    add(store, anna, "st_a", "mem_2", &labelled("v_2", "/other", "the sky", "fact", &[])).await;
    let search = async |owner, filter: &BlockFilter, query: &str| {
        let found = store.search_blocks(owner, filter, &words(query), 9).await.expect("read");
        assert!(found.iter().all(|block| block.content.is_some()));
        found.into_iter().map(|block| block.id).collect::<Vec<_>>()
    };
    let any = &BlockFilter::default();
    assert_eq!(search(anna, any, "blue sky").await, ["mem_a"], "all words");
    assert_eq!(search(anna, any, "CAFE").await, ["mem_1"]);
    assert_eq!(search(anna, any, "cake").await, ["mem_1"], "the path has words too");
    let some = search(anna, any, "sugar sea").await;
    assert_eq!(some, ["mem_1"], "any word if none has all; another user's block is not found");
    assert_eq!(search(budi, any, "sky").await, Vec::<String>::new());
    for odd in ["\"", "NEAR( *", "u1", "place", "content:sky\"", "-"] {
        let found = search(anna, any, odd).await;
        assert!(found.len() <= 2, "{odd}");
    }
    assert_eq!(search(anna, &BlockFilter { kind: Some("fact".to_owned()), ..in_store("st_a") }, "sky").await, ["mem_2"]);
    assert_eq!(search(anna, &BlockFilter { tags: words("x"), ..in_store("st_a") }, "blue").await, ["mem_1"]);
    assert_eq!(search(anna, &in_store("st_b"), "blue").await, Vec::<String>::new());
    let (changed, binned) = write!(store, |tx| {
        let changed = tx.change_block(anna, "mem_a", 1, &head("v_3", Operation::Modified, "/a/one", Some("green sky"))).await?;
        let binned = tx.change_block(anna, "mem_2", 1, &head("v_4", Operation::Deleted, "/other", None)).await?;
        Ok((changed, binned))
    });
    assert!(changed && binned);
    assert_eq!((search(anna, any, "blue").await, search(anna, any, "sky").await), (words("mem_1"), words("mem_a")));
    write!(store, |tx| tx.change_block(anna, "mem_2", 2, &head("v_5", Operation::Restored, "/other", Some("the sky"))).await);
    assert_eq!(search(anna, any, "sky").await.len(), 2);
    write!(store, |tx| tx.delete_blocks(anna, &words("mem_a mem_2"), &mut |_| ()).await);
    assert_eq!(search(anna, any, "sky").await, Vec::<String>::new());
}

pub async fn a_block_is_changed_only_at_the_version_that_was_seen(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    let next = &head("v_2", Operation::Modified, "/b/two", Some("red"));
    let (strangers, late, done, again) = write!(store, |tx| {
        let strangers = tx.change_block(budi, "mem_a", 1, next).await?;
        let late = tx.change_block(anna, "mem_a", 2, next).await?;
        let done = tx.change_block(anna, "mem_a", 1, next).await?;
        Ok((strangers, late, done, tx.change_block(anna, "mem_a", 1, next).await?))
    });
    assert_eq!((strangers, late, done, again), (false, false, true, false));
    let found = store.block(anna, None, &BlockRef::Id("mem_a".to_owned())).await.expect("read").expect("there");
    assert_eq!((found.version, found.path.as_str(), found.content.as_deref()), (2, "/b/two", Some("red")));
    let versions = store.block_versions(anna, "st_a", &VersionFilter::default(), &all_versions()).await.expect("read");
    let told: Vec<_> = versions.iter().map(|v| (v.id.as_str(), v.version, v.content.as_deref(), v.is_current)).collect();
    assert_eq!(told, [("v_2", 2, Some("red"), true), ("v_a", 1, Some("blue sky"), false)]);
    assert!(store.block_versions(budi, "st_a", &VersionFilter::default(), &all_versions()).await.expect("read").is_empty());
    assert!(store.block_version(budi, "st_a", "v_a").await.expect("read").is_none());
    let former = store.block_version(anna, "st_a", "v_a").await.expect("read").expect("kept");
    assert_eq!(
        (former.path.as_deref(), former.sha256.as_deref(), former.bytes),
        (Some("/a/one"), Some("hash of blue sky"), Some(8))
    );
    assert_eq!((former.block_id.as_str(), former.by), ("mem_a", by("key_1")));
}

pub async fn the_last_versions_are_kept_listed_and_filtered(store: &dyn Store) {
    let (anna, _) = &furnished(store).await;
    let kept = i64::from(VERSIONS_KEPT);
    for version in 1..kept + 5 {
        let text = format!("text {version}");
        let at = NOW.plus_ms(version / 2);
        let by = by(if version % 2 == 0 { "key_2" } else { "key_1" });
        let next = &NewHead { at, by, ..head(&format!("v_{version}"), Operation::Modified, "/a/one", Some(&text)) };
        assert!(write!(store, |tx| tx.change_block(anna, "mem_a", version, next).await));
    }
    let list =
        async |filter: VersionFilter, page: VersionPage| store.block_versions(anna, "st_a", &filter, &page).await.expect("read");
    let all = list(VersionFilter::default(), all_versions()).await;
    let numbers: Vec<i64> = all.iter().map(|version| version.version).collect();
    assert_eq!(numbers, (6..=kept + 5).rev().collect::<Vec<_>>(), "the newest first, with the current one");
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = list(VersionFilter::default(), VersionPage { after, limit: 7, texts: false }).await;
        let Some(end) = page.last() else { break };
        after = Some((end.at, end.version, end.id.clone()));
        assert!(page.iter().all(|version| version.content.is_none() && version.sha256.is_some()));
        paged.extend(page.into_iter().map(|version| version.version));
    }
    assert_eq!(paged, numbers);
    let of = async |filter| list(filter, all_versions()).await.len();
    let one = VersionFilter { block_id: Some("mem_a".to_owned()), ..VersionFilter::default() };
    assert_eq!(of(one.clone()).await, numbers.len());
    assert_eq!(of(VersionFilter { block_id: Some("mem_b".to_owned()), ..one.clone() }).await, 0);
    assert_eq!(of(VersionFilter { operation: Some(Operation::Created), ..one.clone() }).await, 0);
    assert_eq!(of(VersionFilter { by_id: Some("key_2".to_owned()), ..one.clone() }).await, numbers.len() / 2);
    let (since, until) = (Some(NOW.plus_ms(10)), Some(NOW.plus_ms(11)));
    assert_eq!(of(VersionFilter { since, until, ..one }).await, 4, "bounds included");
}

pub async fn a_former_version_is_emptied_and_the_current_one_is_not(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    write!(store, |tx| tx.change_block(anna, "mem_a", 1, &head("v_2", Operation::Modified, "/c", Some("red"))).await);
    let by = &by("key_9");
    let mut shown = Vec::new();
    let shown = &mut shown;
    let mut tx = store.begin().await.expect("begun");
    let mut visit = |value: &[u8]| shown.push(String::from_utf8_lossy(value).into_owned());
    let at = NOW.plus_ms(4);
    let results = [
        tx.redact_block_version(budi, "st_a", "v_a", by, at, &mut visit).await.expect("written"),
        tx.redact_block_version(anna, "st_a", "v_2", by, at, &mut visit).await.expect("written"),
        tx.redact_block_version(anna, "st_a", "v_a", by, at, &mut visit).await.expect("written"),
        tx.redact_block_version(anna, "st_a", "v_a", by, at, &mut visit).await.expect("written"),
    ];
    tx.commit().await.expect("written");
    assert_eq!(results, [Redaction::Missing, Redaction::Current, Redaction::Redacted, Redaction::Known]);
    assert!(shown.contains(&"blue sky".to_owned()) && shown.contains(&"/a/one".to_owned()), "fingerprints can be taken");
    let former = store.block_version(anna, "st_a", "v_a").await.expect("read").expect("kept");
    assert_eq!((former.path, former.content, former.sha256, former.bytes), (None, None, None, None));
    assert_eq!(former.redacted, Some((at, "caller".to_owned(), "key_9".to_owned())));
}

pub async fn a_path_above_below_or_the_same_is_in_the_way(store: &dyn Store) {
    let (anna, _) = &furnished(store).await;
    add(store, anna, "st_a", "mem_2", &head("v_2", Operation::Created, "/x/y", Some(""))).await;
    let in_the_way = async |at: &str, moving: Option<&str>| {
        let (at, moving) = (&path(at), &moving.map(path));
        write!(store, |tx| tx.block_in_the_way(anna, "st_a", at, moving.as_ref()).await).map(|(id, _)| id)
    };
    for (at, moving, id) in [
        ("/a/one", None, Some("mem_a")),
        ("/a", None, Some("mem_a")),
        ("/a/one/more", None, Some("mem_a")),
        ("/a/on", None, None),
        ("/a/one.md", None, None),
        ("/A/one", None, None),
        ("/x", Some("/x"), None),
        ("/x/y/z", Some("/x/y"), None),
        ("/a", Some("/x"), Some("mem_a")),
    ] {
        assert_eq!(in_the_way(at, moving).await.as_deref(), id, "{at}");
    }
}

pub async fn what_blocks_hold_is_summed_without_the_bin(store: &dyn Store) {
    let (anna, _) = &furnished(store).await;
    write!(store, |tx| tx.insert_block_store(anna, &block_store("st_2", "work")).await);
    let pinned = NewHead {
        fields: BlockFields { pinned: true, ..BlockFields::default() },
        ..head("v_2", Operation::Created, "/p", Some("éé"))
    };
    add(store, anna, "st_2", "mem_2", &pinned).await;
    add(store, anna, "st_a", "mem_3", &head("v_3", Operation::Created, "/q", Some("gone"))).await;
    let totals = async |store_id| write!(store, |tx| tx.block_totals(anna, store_id).await);
    let some = |blocks, bytes| Some(BlockTotals { blocks, bytes, pinned: 1, is_archived: false });
    assert_eq!(totals("st_a").await, some(2, 16));
    write!(store, |tx| tx.change_block(anna, "mem_3", 1, &head("v_4", Operation::Deleted, "/q", None)).await);
    assert_eq!(totals("st_a").await, some(1, 12));
    assert_eq!(totals("st_b").await, None, "another user's store");
    let archived = &BlockStore { archived_at: Some(NOW), ..block_store("st_2", "work") };
    write!(store, |tx| tx.change_block_store(anna, archived).await);
    assert!(totals("st_2").await.is_some_and(|totals| totals.is_archived));
}

pub async fn a_block_in_the_bin_is_in_no_read_and_comes_back_or_goes(store: &dyn Database) {
    let (anna, budi) = &furnished(store).await;
    let binned_at = NOW.plus_ms(10);
    let gone = &NewHead { at: binned_at, ..head("v_2", Operation::Deleted, "/a/one", None) };
    assert!(write!(store, |tx| tx.change_block(anna, "mem_a", 1, gone).await));
    assert!(store.block(anna, None, &BlockRef::Id("mem_a".to_owned())).await.expect("read").is_none());
    assert!(store.blocks(anna, &in_store("st_a"), &by_path(None)).await.expect("read").is_empty());
    let bin = store.block_bin(anna, "st_a", 9).await.expect("read");
    assert_eq!((ids(&bin), bin[0].deleted_at, bin[0].content.as_deref()), (vec!["mem_a"], Some(binned_at), None));
    assert!(store.block_bin(budi, "st_a", 9).await.expect("read").is_empty());
    // Its path is free again.
    add(store, anna, "st_a", "mem_2", &head("v_3", Operation::Created, "/a/one", Some("new"))).await;
    let (known, strangers, live) = write!(store, |tx| {
        let strangers = tx.known_binned(budi, "st_a", "mem_a").await?;
        let live = tx.known_binned(anna, "st_a", "mem_2").await?;
        Ok((tx.known_binned(anna, "st_a", "mem_a").await?, strangers, live))
    });
    let (block, text) = known.expect("in the bin");
    assert_eq!((block.version, text.map(|text| text.content)), (2, Some("blue sky".to_owned())));
    assert!(strangers.is_none() && live.is_none());
    let back = &head("v_4", Operation::Restored, "/back", Some("blue sky"));
    assert!(write!(store, |tx| tx.change_block(anna, "mem_a", 2, back).await));
    assert!(store.block_bin(anna, "st_a", 9).await.expect("read").is_empty());
    let again = &NewHead { at: binned_at, ..head("v_5", Operation::Deleted, "/back", None) };
    assert!(write!(store, |tx| tx.change_block(anna, "mem_a", 3, again).await));

    let mut shown = 0;
    let shown = &mut shown;
    let mut tx = store.begin_custody().await.expect("begun");
    let after = binned_at.plus_ms(1);
    let early = tx.delete_binned(binned_at, None, 9, &mut |_| ()).await.expect("written");
    let strangers = tx.delete_binned(after, Some(budi), 9, &mut |_| ()).await.expect("written");
    let gone = tx.delete_binned(after, Some(anna), 9, &mut |_| *shown += 1).await.expect("written");
    tx.commit().await.expect("written");
    assert_eq!((early, strangers, gone), (0, 0, 1));
    assert!(*shown > 5, "the block and its versions");
    assert!(store.block_version(anna, "st_a", "v_a").await.expect("read").is_none(), "its versions went along");
    assert_eq!(store.blocks(anna, &in_store("st_a"), &by_path(None)).await.expect("read").len(), 1);
}

pub async fn blocks_go_with_their_store_and_with_their_user(store: &dyn Database) {
    let (anna, budi) = &furnished(store).await;
    write!(store, |tx| {
        tx.insert_block_store(anna, &block_store("st_2", "work")).await?;
        for (id, version) in [("mem_2", "v_2"), ("mem_3", "v_3")] {
            tx.insert_block(anna, "st_2", id, &head(version, Operation::Created, &format!("/{id}"), Some("text"))).await?;
        }
        tx.change_block(anna, "mem_3", 1, &head("v_4", Operation::Deleted, "/mem_3", None)).await
    });
    let mut shown = Vec::new();
    let seen = &mut shown;
    let mut tx = store.begin_custody().await.expect("begun");
    let strangers = tx.delete_blocks(budi, &words("mem_2 mem_3"), &mut |_| ()).await.expect("written");
    let gone = tx
        .delete_block_store(anna, "st_2", &mut |value| seen.push(String::from_utf8_lossy(value).into_owned()))
        .await
        .expect("written");
    tx.commit().await.expect("written");
    assert_eq!((strangers, gone), (0, true));
    for said in ["work", "/mem_2", "/mem_3", "text"] {
        assert!(shown.iter().any(|value| value == said), "{said}");
    }
    assert!(store.block(anna, None, &BlockRef::Id("mem_2".to_owned())).await.expect("read").is_none());

    own!(store, |tx| tx.change_block(anna, "mem_a", 1, &head("v_5", Operation::Modified, "/a/one", Some("x"))).await);
    let lighter = erase(store, "anna", ErasureScope::Contributions).await;
    assert_eq!((lighter.found["blocks"], lighter.left["blocks"]), (1, 1), "it stays");
    let all = erase(store, "anna", ErasureScope::Everything).await;
    for table in ["block_stores", "blocks", "block_versions"] {
        assert_eq!((all.found[table], all.left[table]), (1, 0), "{table}");
    }
    assert!(store.search_blocks(budi, &BlockFilter::default(), &words("blue"), 9).await.expect("read").len() == 1);
    let stayed = store.block(budi, None, &BlockRef::Id("mem_b".to_owned())).await.expect("read").expect("there");
    assert_eq!((stayed.content.as_deref(), stayed.created_at), (Some("blue sea"), Moment(NOW.0)));
}
