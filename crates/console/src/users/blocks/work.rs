//! A user's memory blocks, for the console's calls. A text leaves this file only for a page that was posted to show it.

use leptos::prelude::use_context;

use crate::notice::Refused;
use crate::notice::grouped;
use crate::server::dates;
use crate::server::{PostedForm, SignedIn, outward, say};
use crate::users::blocks::shapes::{
    Binned, BlockOutcome, BlockPast, BlocksPage, Fullness, Health, Leaf, LineKind, LookAt, LookAts, Node, OneBlock, StoreTree,
    VersionComparison,
};
use crate::users::work::{known, record, record_head};
use domain::blocks::care::{FULL_PERCENT, OVER_LIMIT, REFUSED_DAYS, TextLimit, UNREAD_DAYS, percent};
use domain::blocks::limits::{BIN_BYTES, Limit, PINNED, STORES, USER_BYTES};
use domain::blocks::{DEFAULT_STORE, LEFT_OUT, SHRINKS};
use domain::erasure::people::UserId;
use domain::masking::mask;
use domain::moment::{DAY_MS, Moment};
use domain::problem::{Field, Problem};
use service::blocks::{
    Author, Block, BlockCare, BlockOfRecord, BlockVersion, BlocksPlace, CareLine, CareLines, Differences, StoreOfRecord,
};

/// One KiB in bytes.
const KIB: u64 = 1024;

/// The result of a post to the page of a block.
#[derive(Clone)]
pub(crate) enum Posted {
    Shown(Box<BlockOfRecord>),
    Done(BlockOutcome),
}

pub async fn blocks(
    operator: &SignedIn,
    user: &str,
    store: Option<String>,
    after: Option<String>,
) -> Result<BlocksPage, Refused> {
    let user = known(user)?;
    let keepsake = &operator.console.keepsake;
    let outcome = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.blocks.get_or_init(|| post_to_blocks(operator, &form, &user)).await.clone()),
        None => None,
    };
    if let Some(BlockOutcome::Refused(problem)) = &outcome {
        say(problem.clone());
    }
    let place = BlocksPlace { store, after };
    let found = outward(&operator.console, keepsake.user_blocks.blocks_of_record(&operator.viewer, &user, &place).await)?;
    let record = record(operator, &user).await?;
    let now = keepsake.clock.now();
    Ok(BlocksPage {
        head: record_head(operator, &record),
        binned: found.care.binned,
        health: health(found.care, now),
        stores: found.stores.into_iter().map(|store| tree(store, now, found.bin_days)).collect(),
        bin_days: found.bin_days,
        outcome,
    })
}

pub async fn block(operator: &SignedIn, user: &str, id: &str, version: Option<i64>) -> Result<OneBlock, Refused> {
    let user = known(user)?;
    let keepsake = &operator.console.keepsake;
    let posted = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.block.get_or_init(|| post_to_block(operator, &form, &user, id, version)).await.clone()),
        None => None,
    };
    let (found, outcome) = match posted {
        Some(Posted::Shown(found)) => (Some(*found), None),
        Some(Posted::Done(outcome)) => (None, Some(outcome)),
        None => (None, None),
    };
    if let Some(BlockOutcome::Refused(problem)) = &outcome {
        say(problem.clone());
    }
    let shown = found.is_some();
    let found = match found {
        Some(found) => found,
        None => outward(&operator.console, keepsake.user_blocks.masked_block(&operator.viewer, &user, id, version).await)?,
    };
    let record = record(operator, &user).await?;
    let now = keepsake.clock.now();
    let BlockOfRecord { store, block, text, versions, compared, bin_days } = found;
    let tags = block.fields.tags.clone().into_vec();
    let description = Some(block.fields.description.clone()).filter(|text| !text.is_empty());
    Ok(OneBlock {
        head: record_head(operator, &record),
        version: block.version,
        fullness: fullness(&block),
        pinned: block.fields.pinned,
        read_only: block.fields.read_only,
        labels: labels(&block),
        read: block.last_read_at.map(|at| now.age_since(at)),
        updated: now.age_since(block.updated_at),
        mask: text.as_deref().map(mask),
        text: text.filter(|_| shown),
        description: description.map(|text| (mask(&text), shown.then_some(text))),
        tag_count: tags.len(),
        tags: shown.then_some(tags),
        binned_until: block.deleted_at.map(|at| until(at, bin_days)),
        bin_days,
        past: versions.into_iter().map(past).collect(),
        compared: compared.map(|differences| compare(&differences, shown)),
        store: (named(store.name), store.id),
        archived: store.archived_at.is_some(),
        id: block.id,
        path: block.path,
        outcome,
        shown,
    })
}

async fn post_to_blocks(operator: &SignedIn, form: &PostedForm, user: &UserId) -> BlockOutcome {
    do_to_blocks(operator, form, user).await.unwrap_or_else(|refused| BlockOutcome::Refused(refused.0))
}

async fn do_to_blocks(operator: &SignedIn, form: &PostedForm, user: &UserId) -> Result<BlockOutcome, Refused> {
    let (keepsake, manager) = (&operator.console.keepsake, operator.viewer.manager().map_err(say)?);
    let id = form.field("block");
    if form.field("action") == "restore" {
        outward(&operator.console, keepsake.user_blocks.restore_block_in_console(&operator.viewer, manager, user, &id).await)?;
        return Ok(BlockOutcome::BroughtBack);
    }
    let seen = number(form, "version")?;
    outward(&operator.console, keepsake.user_blocks.delete_block_in_console(&operator.viewer, manager, user, &id, seen).await)?;
    Ok(BlockOutcome::Deleted)
}

async fn post_to_block(operator: &SignedIn, form: &PostedForm, user: &UserId, id: &str, version: Option<i64>) -> Posted {
    let done = do_to_block(operator, form, user, id, version).await;
    done.unwrap_or_else(|refused| Posted::Done(BlockOutcome::Refused(refused.0)))
}

async fn do_to_block(
    operator: &SignedIn,
    form: &PostedForm,
    user: &UserId,
    id: &str,
    version: Option<i64>,
) -> Result<Posted, Refused> {
    let (keepsake, viewer) = (&operator.console.keepsake, &operator.viewer);
    let manager = viewer.manager().map_err(say)?;
    let (outcome, done) = match form.field("action").as_str() {
        "restore_version" => {
            let (version, seen) = (number(form, "restore")?, number(form, "version")?);
            let done = keepsake.user_blocks.restore_block_version_in_console(viewer, manager, user, id, version, seen).await;
            (BlockOutcome::Restored { version }, done)
        }
        "redact" => {
            let version = form.field("redact");
            let done = keepsake.user_blocks.redact_block_version_in_console(viewer, manager, user, id, &version).await;
            (BlockOutcome::Redacted, done)
        }
        "bin" => {
            let seen = number(form, "version")?;
            (BlockOutcome::Binned, keepsake.user_blocks.bin_block_in_console(viewer, manager, user, id, seen).await)
        }
        "restore" => (BlockOutcome::BroughtBack, keepsake.user_blocks.restore_block_in_console(viewer, manager, user, id).await),
        _ => {
            let found = outward(&operator.console, keepsake.user_blocks.reveal_block(viewer, manager, user, id, version).await)?;
            return Ok(Posted::Shown(Box::new(found)));
        }
    };
    outward(&operator.console, done)?;
    Ok(Posted::Done(outcome))
}

fn number(form: &PostedForm, name: &str) -> Result<i64, Refused> {
    let must = "must be the number of a version that you saw";
    form.field(name).parse().map_err(|_| say(Problem::invalid(Field::Version, must)))
}

/// `12 bytes`, `1.2 KiB`, `10 MiB`
fn size(bytes: u64) -> String {
    let of = |unit: u64, name: &str| {
        let tenths = bytes * 10 / unit;
        if tenths.is_multiple_of(10) {
            format!("{} {name}", tenths / 10)
        } else {
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
    };
    match bytes {
        1 => "1 byte".to_owned(),
        0..KIB => format!("{bytes} bytes"),
        _ if bytes < KIB * KIB => of(KIB, "KiB"),
        _ => of(KIB * KIB, "MiB"),
    }
}

fn count(number: u64) -> String {
    grouped(i64::try_from(number).unwrap_or(i64::MAX))
}

fn measured(measure: TextLimit) -> Fullness {
    let words = match measure {
        TextLimit::Chars { value, max } => format!("{} of {} characters", count(value), count(max)),
        TextLimit::Bytes { value, max } => format!("{} of {}", size(value), size(max)),
    };
    Fullness { words, percent: measure.percent(), near: measure.is_nearly_full() }
}

fn fullness(block: &Block) -> Fullness {
    measured(TextLimit::of(block.bytes, block.chars, block.fields.char_limit, block.fields.pinned))
}

fn labels(block: &Block) -> Vec<String> {
    let of = |name: &str, label: &String| (!label.is_empty()).then(|| format!("{name}: {label}"));
    let fields = &block.fields;
    [of("kind", &fields.kind), of("scope", &fields.scope), of("source", &fields.source)].into_iter().flatten().collect()
}

fn until(deleted_at: Moment, bin_days: u32) -> String {
    dates::date(deleted_at.plus_ms(i64::from(bin_days) * DAY_MS))
}

fn tree(found: StoreOfRecord, now: Moment, bin_days: u32) -> StoreTree {
    let StoreOfRecord { store, blocks, more, bin } = found;
    let next = blocks.last().filter(|_| more).map(|block| block.id.clone());
    let leaves = blocks.iter().map(|block| {
        let mut parts: Vec<&str> = block.path.split('/').skip(1).collect();
        let name = parts.pop().unwrap_or_default().to_owned();
        let leaf = Leaf {
            id: block.id.clone(),
            name,
            fullness: fullness(block),
            pinned: block.fields.pinned,
            read_only: block.fields.read_only,
            labels: labels(block),
            read: block.last_read_at.map(|at| now.age_since(at)),
            updated: now.age_since(block.updated_at),
        };
        (parts, leaf)
    });
    let mut nodes = Vec::new();
    for (folders, leaf) in leaves {
        place(&mut nodes, &folders, leaf);
    }
    let binned = |block: Block| {
        let at = block.deleted_at.unwrap_or(now);
        Binned { id: block.id, path: block.path, version: block.version, deleted: now.age_since(at), until: until(at, bin_days) }
    };
    StoreTree {
        id: store.id,
        name: named(store.name),
        archived: store.archived_at.is_some(),
        nodes,
        next,
        bin: bin.into_iter().map(binned).collect(),
    }
}

/// Puts a block below its folders. Blocks come in the order of their paths, so a folder that already exists is the last node.
fn place(nodes: &mut Vec<Node>, folders: &[&str], leaf: Leaf) {
    let Some((first, rest)) = folders.split_first() else {
        nodes.push(Node::Block(leaf));
        return;
    };
    let there = nodes.iter_mut().rev().find_map(|node| match node {
        Node::Folder { name, nodes } if name == first => Some(nodes),
        _ => None,
    });
    if let Some(inner) = there {
        return place(inner, rest, leaf);
    }
    let mut inner = Vec::new();
    place(&mut inner, rest, leaf);
    nodes.push(Node::Folder { name: (*first).to_owned(), nodes: inner });
}

fn health(care: BlockCare, now: Moment) -> Health {
    let of = |value: u64, limit: &Limit, words: String| {
        let percent = percent(value, limit.max);
        Fullness { words, percent, near: percent >= FULL_PERCENT }
    };
    let counted = |value: u64, limit: &Limit| of(value, limit, format!("{} of {}", count(value), count(limit.max)));
    let sized = |value: u64, limit: &Limit| of(value, limit, format!("{} of {}", size(value), size(limit.max)));
    let limits = [
        ("All texts", sized(care.bytes, &USER_BYTES)),
        ("Pinned blocks", counted(care.pinned, &PINNED)),
        ("Stores", counted(care.stores, &STORES)),
        ("In the bin", sized(care.binned_bytes, &BIN_BYTES)),
    ];
    let look = |lines: CareLines, words: &dyn Fn(&CareLine) -> String| LookAts {
        all: lines.all,
        first: lines
            .first
            .iter()
            .map(|line| LookAt { id: line.id.clone(), path: line.path.clone(), words: words(line) })
            .collect(),
    };
    let how_full = |line: &CareLine| measured(TextLimit::of(line.bytes, line.chars, line.char_limit, line.pinned)).words;
    let how_old = |line: &CareLine| match line.last_read_at {
        Some(at) => format!("last read {} ago", now.age_since(at)),
        None => format!("never read, added {} ago", now.age_since(line.created_at)),
    };
    Health {
        limits: limits.map(|(what, fullness)| (what.to_owned(), fullness)).to_vec(),
        full: look(care.full, &how_full),
        unread: look(care.unread, &how_old),
        refused: care.refused.into_iter().map(|(rule, times)| (rule_words(&rule).to_owned(), times)).collect(),
        unread_days: UNREAD_DAYS,
        refused_days: REFUSED_DAYS,
    }
}

/// Says why a write was refused; rules of the gate keep their code.
fn rule_words(rule: &str) -> &str {
    match rule {
        OVER_LIMIT => "Over a limit",
        LEFT_OUT => "A placeholder line replaced text",
        SHRINKS => "Much of the text was missing",
        _ => rule,
    }
}

/// Returns the name of a store, unless it is the default one.
fn named(store: String) -> Option<String> {
    Some(store).filter(|name| name != DEFAULT_STORE)
}

fn past(version: BlockVersion) -> BlockPast {
    BlockPast {
        id: version.id,
        version: version.version,
        how: version.operation.as_str().to_owned(),
        at: dates::stamp(version.at),
        by: author(&version.by),
        size: version.bytes.map(size),
        redacted: version.redacted.map(|(at, ..)| dates::date(at)),
        is_current: version.is_current,
    }
}

fn author(by: &Author) -> String {
    match by.kind.as_str() {
        "operator" => "Operator".to_owned(),
        "cli" => format!("Command line · {}", by.surface),
        "system" => "Automatic".to_owned(),
        _ => format!("{} · {}", by.id, by.surface),
    }
}

/// Parses the lines of `diff -u`, each with its kind.
fn compare(differences: &Differences, shown: bool) -> VersionComparison {
    let lines = differences.unified.lines().filter(|line| !line.starts_with("\\ No newline"));
    let lines: Vec<(LineKind, String)> = lines
        .map(|line| {
            let kind = match line.as_bytes().first() {
                Some(b'+') => LineKind::Added,
                Some(b'-') => LineKind::Removed,
                Some(b'@') => return (LineKind::Place, line.to_owned()),
                _ => LineKind::Same,
            };
            (kind, line.get(1..).unwrap_or_default().to_owned())
        })
        .collect();
    let counted = |kind: LineKind| lines.iter().filter(|(own, _)| *own == kind).count();
    VersionComparison {
        from: differences.from,
        to: differences.to,
        added: counted(LineKind::Added),
        removed: counted(LineKind::Removed),
        lines: shown.then_some(lines),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_people_say_them() {
        for (bytes, words) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1_023, "1023 bytes"),
            (1_024, "1 KiB"),
            (1_300, "1.2 KiB"),
            (102_400, "100 KiB"),
            (10 << 20, "10 MiB"),
        ] {
            assert_eq!(size(bytes), words);
        }
    }

    #[test]
    fn blocks_stand_below_their_folders() {
        let leaf = |name: &str| Leaf {
            id: name.to_owned(),
            name: name.to_owned(),
            fullness: measured(TextLimit::of(0, 0, None, false)),
            pinned: false,
            read_only: false,
            labels: Vec::new(),
            read: None,
            updated: String::new(),
        };
        let mut nodes = Vec::new();
        for (folders, name) in [(vec!["a", "b"], "one"), (vec!["a", "b"], "two"), (vec!["a"], "c"), (vec![], "z")] {
            place(&mut nodes, &folders, leaf(name));
        }
        let folder = |name: &str, nodes: Vec<Node>| Node::Folder { name: name.to_owned(), nodes };
        let block = |name: &str| Node::Block(leaf(name));
        assert_eq!(nodes, [folder("a", vec![folder("b", vec![block("one"), block("two")]), block("c")]), block("z")]);
    }

    #[test]
    fn a_comparison_keeps_what_a_line_begins_with() {
        let unified = "@@ -1,2 +1,2 @@\n # Plan\n--- dashes\n+++ pluses\n\\ No newline at end of file\n".to_owned();
        let compared = compare(&Differences { from: 1, to: 2, unified }, true);
        let lines = [
            (LineKind::Place, "@@ -1,2 +1,2 @@"),
            (LineKind::Same, "# Plan"),
            (LineKind::Removed, "-- dashes"),
            (LineKind::Added, "++ pluses"),
        ];
        assert_eq!(compared.lines, Some(lines.map(|(kind, text)| (kind, text.to_owned())).to_vec()));
        assert_eq!((compared.added, compared.removed), (1, 1));
    }
}
