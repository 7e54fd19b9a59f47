//! Health of a user's blocks: nearly full, unread, refused, in the bin.

use super::blocks::{add, furnished, head};
use super::sample::{NOW, user, write};
use domain::blocks::care::{FULL_PERCENT, TextLimit};
use domain::blocks::{BlockFields, Operation};
use domain::moment::{DAY_MS, Moment};
use ports::store::Store;
use ports::store::blocks::NewHead;
use ports::store::blocks::care::{BlockCare, CareLines, CareQuery};

const ALL: CareQuery =
    CareQuery { full_percent: FULL_PERCENT, unread_before: NOW, refused_from_day: 0, binned_since: Moment(0), limit: 9 };

fn sized(version_id: &str, at: &str, text: &str, pinned: bool, char_limit: Option<u32>) -> NewHead {
    let fields = BlockFields { pinned, char_limit, ..BlockFields::default() };
    NewHead { fields, ..head(version_id, Operation::Created, at, Some(text)) }
}

fn ids(lines: &CareLines) -> Vec<&str> {
    lines.first.iter().map(|line| line.id.as_str()).collect()
}

pub async fn blocks_near_a_limit_and_unread_ones_are_listed_and_counted(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    assert_eq!(store.block_care(&user("carla"), &ALL).await.expect("read"), BlockCare::default());
    for (n, (length, pinned, char_limit)) in [
        (81_919, false, None),
        (81_920, false, None),
        (3_999, true, None),
        (4_000, true, None),
        (8, false, Some(10)),
        (7, false, Some(10)),
    ]
    .into_iter()
    .enumerate()
    {
        let text = "x".repeat(length);
        let new = sized(&format!("v_{n}"), &format!("/n{n}"), &text, pinned, char_limit);
        add(store, anna, "st_a", &format!("mem_{n}"), &new).await;
    }
    let care = store.block_care(anna, &ALL).await.expect("read");
    assert_eq!((care.stores, care.blocks, care.pinned, care.bytes), (1, 7, 2, 8 + 81_919 + 81_920 + 3_999 + 4_000 + 8 + 7));
    assert_eq!((ids(&care.full), care.full.all), (vec!["mem_1", "mem_3", "mem_4"], 3));
    for line in &care.full.first {
        assert!(TextLimit::of(line.bytes, line.chars, line.char_limit, line.pinned).is_nearly_full(), "{}", line.id);
    }
    assert_eq!((ids(&care.unread), care.unread.all), (vec![], 0), "none is older than this moment");

    write!(store, |tx| tx.note_blocks_read(anna, &["mem_a".to_owned(), "mem_0".to_owned()], NOW.plus_ms(40 * DAY_MS)).await);
    let later = CareQuery { unread_before: NOW.plus_ms(30 * DAY_MS), limit: 2, ..ALL };
    let unread = store.block_care(anna, &later).await.expect("read").unread;
    assert_eq!((ids(&unread), unread.all), (vec!["mem_1", "mem_2"], 5), "two of them, by their paths");
    assert_eq!((unread.first[0].path.as_str(), unread.first[0].created_at, unread.first[0].last_read_at), ("/n1", NOW, None));
    let of_budi = store.block_care(budi, &later).await.expect("read");
    assert_eq!((of_budi.blocks, of_budi.full.all, of_budi.unread.all), (1, 0, 1));
    write!(store, |tx| tx.change_block(anna, "mem_1", 1, &head("v_9", Operation::Deleted, "/n1", None)).await);
    assert_eq!(ids(&store.block_care(anna, &ALL).await.expect("read").full), ["mem_3", "mem_4"], "not in the bin");
    assert_eq!(store.count_blocks(anna).await.expect("read"), 6);
    assert_eq!(store.count_blocks(&user("carla")).await.expect("read"), 0);
}

pub async fn the_bin_is_summed_by_what_would_come_back(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    add(store, anna, "st_a", "mem_2", &head("v_2", Operation::Created, "/b", Some("four"))).await;
    let sum = async |of, since| write!(store, |tx| tx.binned_bytes(of, since).await);
    assert_eq!(sum(anna, Moment(0)).await, 0);
    let binned_at = NOW.plus_ms(10);
    write!(store, |tx| {
        tx.change_block(anna, "mem_2", 1, &head("v_3", Operation::Modified, "/b", Some("twelve bytes"))).await?;
        let gone = |version: &str, at: &str| NewHead { at: binned_at, ..head(version, Operation::Deleted, at, None) };
        tx.change_block(anna, "mem_2", 2, &gone("v_4", "/b")).await?;
        tx.change_block(anna, "mem_a", 1, &gone("v_5", "/a/one")).await
    });
    assert_eq!(sum(anna, Moment(0)).await, 12 + 8, "of the last texts alone");
    assert_eq!(sum(anna, binned_at).await, 20);
    assert_eq!(sum(anna, binned_at.plus_ms(1)).await, 0, "over");
    let carla = &user("carla");
    assert_eq!((sum(budi, Moment(0)).await, sum(carla, Moment(0)).await), (0, 0));
    let care = store.block_care(anna, &ALL).await.expect("read");
    assert_eq!((care.blocks, care.binned, care.binned_bytes), (0, 2, 20));
    write!(store, |tx| tx.change_block(anna, "mem_2", 3, &head("v_6", Operation::Restored, "/b", Some("twelve bytes"))).await);
    assert_eq!(sum(anna, Moment(0)).await, 8);
}

pub async fn refusals_are_counted_by_rule_and_day_for_users_who_are_known(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    let rules = |names: &str| names.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let carla = &user("carla");
    write!(store, |tx| {
        tx.count_block_refusals(anna, 7, &rules("shrinks secret")).await?;
        tx.count_block_refusals(anna, 8, &rules("secret")).await?;
        tx.count_block_refusals(anna, 8, &rules("secret")).await?;
        tx.count_block_refusals(budi, 8, &rules("left_out")).await?;
        tx.count_block_refusals(carla, 8, &rules("secret")).await
    });
    assert!(store.user_line(carla).await.expect("read").is_none(), "nobody becomes known by a refusal");
    let refused =
        async |of, from| store.block_care(of, &CareQuery { refused_from_day: from, ..ALL }).await.expect("read").refused;
    assert_eq!(refused(anna, 7).await, [("secret".to_owned(), 3), ("shrinks".to_owned(), 1)]);
    assert_eq!(refused(anna, 8).await, [("secret".to_owned(), 2)]);
    assert_eq!(refused(budi, 0).await, [("left_out".to_owned(), 1)]);
    assert_eq!(write!(store, |tx| tx.purge_block_refusals(8).await), 2);
    assert_eq!(refused(anna, 0).await, [("secret".to_owned(), 2)]);
}

pub async fn a_block_is_found_wherever_it_is_by_its_owner(store: &dyn Store) {
    let (anna, budi) = &furnished(store).await;
    let found = async |of| store.block_wherever(of, "mem_a").await.expect("read");
    assert_eq!(found(anna).await.and_then(|block| block.content).as_deref(), Some("blue sky"));
    assert!(found(budi).await.is_none());
    write!(store, |tx| tx.change_block(anna, "mem_a", 1, &head("v_2", Operation::Deleted, "/a/one", None)).await);
    let binned = found(anna).await.expect("in the bin");
    assert_eq!((binned.content, binned.store_id.as_str(), binned.deleted_at), (None, "st_a", Some(NOW)));
}
