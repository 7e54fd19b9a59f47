//! A user's memory blocks: the stores as trees of paths, the health of the blocks, and the bin. Every post goes to this page, so
//! that no path is in a URL or in the session.

use leptos::prelude::*;

use crate::notice::grouped;
use crate::parts::heads::ledger;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{load, loaded};
use crate::parts::meta::ago;
use crate::users::blocks::call::list_blocks;
use crate::users::blocks::shapes::{
    Binned, BlockOutcome, BlocksPage, Fullness, Health, Leaf, LookAts, Node, StoreTree, block_path, blocks_path,
};
use crate::users::record::{Logged, RecordHead, not_shown, start_of_page, user_of_page};
use crate::users::shapes::in_url;
use domain::problem::Problem;

#[component]
pub fn UserBlocks() -> impl IntoView {
    let (user, store, after) = (user_of_page(), start_of_page("store"), start_of_page("after"));
    let doomed = start_of_page("delete");
    let (id, one, start) = (user.clone(), store.clone(), after.clone());
    let page = load(move || (id.clone(), one.clone(), start.clone()), |(user, store, after)| list_blocks(user, store, after));
    loaded(
        page,
        move |page| view! { <Page page one=store.is_some() first=after.is_none() doomed=doomed.clone() /> },
        move |problem| not_shown(problem, user.clone()),
    )
}

#[component]
fn Page(
    page: BlocksPage,
    /// One store is shown.
    one: bool,
    first: bool,
    /// The block that is to be deleted for good.
    #[prop(into)]
    doomed: Option<String>,
) -> impl IntoView {
    let BlocksPage { head, stores, health, bin_days, binned, outcome } = page;
    let (user, opened, may_change) = (head.id.clone(), head.opened.clone(), head.may_show);
    let path = blocks_path(&user);
    // Only a block in the bin can be deleted here.
    let doomed = doomed.filter(|_| may_change && outcome.is_none());
    let doomed = doomed.and_then(|id| stores.iter().flat_map(|store| &store.bin).find(|block| block.id == id).cloned());
    let empty = stores.is_empty();
    let listed: Vec<(String, Binned)> = stores
        .iter()
        .flat_map(|store| {
            store.bin.iter().map(|block| (store.name.clone().unwrap_or_else(|| "Default store".to_owned()), block.clone()))
        })
        .collect();
    let owner = user.clone();
    let trees = stores.into_iter().map(|store| view! { <Store store user=owner.clone() one first /> }).collect_view();
    view! {
        <RecordHead head />
        {doomed.map(|block| view! { <AskToDelete action=path.clone() back=path.clone() id=block.id version=block.version /> })}
        <div class="column wide">
            <Logged opened />
            {outcome.map(|outcome| view! { <Outcome outcome /> })}
            {one.then(|| view! { <p><a href=path.clone() class="link">"All stores"</a></p> })}
            {(!empty).then(|| view! { <HealthBox health user=user.clone() /> })}
            {empty.then(|| view! {
                <section class="box">
                    <div class="panel" data-testid="empty">
                        <Icon24 icon=Icon::Inbox />
                        <h2>"No memory blocks are held for this user."</h2>
                        <p>"Assistants write them with the memory tool, over HTTP or from a pipeline."</p>
                    </div>
                </section>
            })}
            {trees}
            {(!empty).then(|| view! { <Bin rows=listed user all=binned bin_days may_change /> })}
        </div>
    }
}

/// The result of a post.
#[component]
pub fn Outcome(outcome: BlockOutcome) -> impl IntoView {
    let done = |words: String| {
        view! { <div class="note" role="status" data-testid="block-done"><Icon16 icon=Icon::Check /><div class="note-text"><p class="note-title">{words}</p></div></div> }
            .into_any()
    };
    match outcome {
        BlockOutcome::Restored { version } => done(format!("Restored to version {version}.")),
        BlockOutcome::Redacted => done("Redacted. The text of that version is gone for good.".to_owned()),
        BlockOutcome::Binned => done("Moved to the bin. Assistants no longer get it.".to_owned()),
        BlockOutcome::BroughtBack => done("Restored from the bin. Assistants get it again.".to_owned()),
        BlockOutcome::Deleted => done("Deleted for good, with its history.".to_owned()),
        BlockOutcome::Refused(Problem::Stale { .. }) => view! {
            <div class="note warn" role="alert" data-testid="conflict">
                <Icon16 icon=Icon::Warning />
                <div class="note-text"><p class="note-title">"This changed since you looked"</p><p>"Nothing was done. Look at the newest version, then decide."</p></div>
            </div>
        }
        .into_any(),
        BlockOutcome::Refused(problem) => {
            let words = match problem {
                Problem::NotFound { what } if what == "block" => "This block is not there any more. Nothing was done.".to_owned(),
                Problem::PathTaken { .. } => "Another block is at its path now. Move or delete that one first.".to_owned(),
                problem => problem.to_string(),
            };
            view! {
                <div class="note danger" role="alert" data-testid="refused">
                    <Icon16 icon=Icon::Warning />
                    <div class="note-text"><p class="note-title">{words}</p></div>
                </div>
            }
            .into_any()
        }
    }
}

/// Asks for confirmation before a block is deleted for good: in a dialog with script, on the page without.
#[component]
pub fn AskToDelete(
    /// The page with all blocks.
    action: String,
    back: String,
    id: String,
    version: i64,
) -> impl IntoView {
    view! {
        <section class="ask" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <h2 id="question-title">"Delete this block for good?"</h2>
            <p>"The block goes with every version of it. This can’t be undone, and it is written to the audit log, without the text."</p>
            <form method="post" action=action>
                <input type="hidden" name="action" value="delete" />
                <input type="hidden" name="block" value=id />
                <input type="hidden" name="version" value=version />
                <div class="dialog-actions">
                    <button type="submit" class="button danger-solid" data-testid="dialog-confirm">"Delete for good"</button>
                    <a href=back class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                </div>
            </form>
        </section>
    }
}

/// A fill level: a bar that only repeats the words beside it.
#[component]
pub fn Gauge(fullness: Fullness) -> impl IntoView {
    let Fullness { words, percent, near } = fullness;
    view! {
        <span class="fullness" class:near=near>
            <svg width="56" height="6" aria-hidden="true">
                <rect class="rail" width="56" height="6" rx="3" />
                <rect class="fill" width=format!("{}%", percent.min(100)) height="6" rx="3" />
            </svg>
            <span>{words}{near.then_some(" · nearly full")}</span>
        </span>
    }
}

#[component]
fn HealthBox(health: Health, user: String) -> impl IntoView {
    let Health { limits, full, unread, refused, unread_days, refused_days } = health;
    let limits = limits.into_iter().map(|(what, fullness)| view! { <div><dt>{what}</dt><dd><Gauge fullness /></dd></div> });
    view! {
        <section class="box" data-testid="blocks-health">
            <header><h2>"Health"</h2><p class="lead">"What needs a look"</p></header>
            <dl class="pairs">{limits.collect_view()}</dl>
            <div class="block-looks">
                <Looks title="Nearly full" none="No block is near its limit." blocks=full user=user.clone() testid="blocks-full" />
                <Looks title="Unread" none=format!("Every block was read in the last {unread_days} days.") blocks=unread user testid="blocks-unread" />
                <Refusals refused days=refused_days />
            </div>
        </section>
    }
}

#[component]
fn Looks(
    title: &'static str,
    /// Shown if there are none.
    #[prop(into)]
    none: String,
    blocks: LookAts,
    user: String,
    testid: &'static str,
) -> impl IntoView {
    let LookAts { all, first } = blocks;
    let more = all.saturating_sub(first.len() as u64);
    let lines = first.into_iter().map(|block| {
        let open = block_path(&user, &block.id);
        view! { <li><a href=open class="link"><code>{block.path}</code></a>" "<span class="quiet-text">{block.words}</span></li> }
    });
    view! {
        <div data-testid=testid>
            <h3>{title}" "<span class="count">{grouped(all)}</span></h3>
            {if all == 0 {
                view! { <p class="quiet-text">{none}</p> }.into_any()
            } else {
                view! {
                    <ul>{lines.collect_view()}</ul>
                    {(more > 0).then(|| view! { <p class="quiet-text">{format!("and {} more", grouped(more))}</p> })}
                }
                .into_any()
            }}
        </div>
    }
}

#[component]
fn Refusals(refused: Vec<(String, u64)>, days: i64) -> impl IntoView {
    let all: u64 = refused.iter().map(|(_, times)| times).sum();
    let lines = refused.into_iter().map(|(rule, times)| {
        let times = if times == 1 { "once".to_owned() } else { format!("{} times", grouped(times)) };
        view! { <li>{rule}" "<span class="quiet-text">{times}</span></li> }
    });
    view! {
        <div data-testid="blocks-refused">
            <h3>"Refused writes "<span class="count">{grouped(all)}</span></h3>
            {if all == 0 {
                view! { <p class="quiet-text">{format!("None in the last {days} days.")}</p> }.into_any()
            } else {
                view! { <ul>{lines.collect_view()}</ul><p class="quiet-text">{format!("In the last {days} days, by rule. The texts are not kept.")}</p> }.into_any()
            }}
        </div>
    }
}

#[component]
fn Store(store: StoreTree, user: String, one: bool, first: bool) -> impl IntoView {
    let StoreTree { id, name, archived, nodes, next, .. } = store;
    let here = format!("{}?store={}", blocks_path(&user), in_url(&id));
    let title = name.map_or_else(|| "Default store".to_owned(), |name| format!("Store “{name}”"));
    let (none, more) = (nodes.is_empty(), next.is_some());
    let pager = (one && (more || !first)).then(|| {
        let start = here.clone();
        let next = next.clone().map(|next| format!("{here}&after={}", in_url(&next)));
        view! {
            <nav class="pager flush" aria-label="Pages" data-testid="pager">
                {(!first).then(|| view! { <a href=start class="button">"First page"</a> })}
                {next.map(|next| view! { <a href=next class="button" data-testid="pager-next">"Next"</a> })}
            </nav>
        }
    });
    let all = (!one && more)
        .then(|| view! { <p class="box-more"><a href=here.clone() class="link">"All blocks of this store"</a></p> });
    view! {
        <section class="box" data-testid="block-store">
            <header>
                <h2>{title}</h2>
                {archived.then(|| view! { <p class="lead">"Archived: its blocks can be read and deleted only"</p> })}
            </header>
            {if none {
                view! { <p class="box-empty">"No block is in this store."</p> }.into_any()
            } else {
                view! { <div class="block-tree"><Nodes nodes user /></div> }.into_any()
            }}
            {all}
        </section>
        {pager}
    }
}

#[component]
fn Nodes(nodes: Vec<Node>, user: String) -> AnyView {
    let rows = nodes.into_iter().map(|node| match node {
        Node::Folder { name, nodes } => {
            let user = user.clone();
            view! {
                <li>
                    <details open=true data-testid="block-folder">
                        <summary><Icon16 icon=Icon::Chevron /><code>{format!("{name}/")}</code></summary>
                        <Nodes nodes user />
                    </details>
                </li>
            }
            .into_any()
        }
        Node::Block(leaf) => view! { <LeafRow leaf user=user.clone() /> }.into_any(),
    });
    view! { <ul>{rows.collect_view()}</ul> }.into_any()
}

#[component]
fn LeafRow(leaf: Leaf, user: String) -> impl IntoView {
    let Leaf { id, name, fullness, pinned, read_only, labels, read, updated } = leaf;
    let read = read.map_or_else(|| "never read".to_owned(), |age| format!("read {}", ago(&age)));
    let marks = [pinned.then_some("pinned"), read_only.then_some("read-only")].into_iter().flatten().map(str::to_owned);
    let words: Vec<String> = marks.chain(labels).chain([read, format!("updated {}", ago(&updated))]).collect();
    view! {
        <li class="block-leaf" data-testid="block-row">
            <a href=block_path(&user, &id) class="link" data-testid="open-block"><code>{name}</code></a>
            <Gauge fullness />
            <span class="quiet-text">{words.join(" · ")}</span>
        </li>
    }
}

#[component]
fn Bin(
    /// Each with the name of its store.
    rows: Vec<(String, Binned)>,
    user: String,
    all: u64,
    bin_days: u32,
    may_change: bool,
) -> impl IntoView {
    let days = if bin_days == 1 { "1 day".to_owned() } else { format!("{bin_days} days") };
    let lead = if bin_days == 0 {
        "The bin is off: a deleted block is gone at once".to_owned()
    } else {
        format!("Deleted blocks can be restored for {days}")
    };
    let others = all.saturating_sub(rows.len() as u64);
    let none = rows.is_empty();
    let table = move || {
        let rows = rows.into_iter().map(|(store, block)| {
            let Binned { id, path, deleted, until, .. } = block;
            let (action, open) = (blocks_path(&user), block_path(&user, &id));
            let delete = format!("{action}?delete={}", in_url(&id));
            let (restore_name, delete_name) = (format!("Restore {path}"), format!("Delete {path} for good"));
            view! {
                <tr data-testid="binned-row">
                    <td class="said"><a href=open><code>{path}</code></a></td>
                    <td class="spare">{store}</td>
                    <td class="dim">{ago(&deleted)}</td>
                    <td class="dim spare">{until}</td>
                    <td>
                        {may_change.then(|| view! {
                            <div class="row-actions">
                                <form method="post" action=action>
                                    <input type="hidden" name="action" value="restore" />
                                    <input type="hidden" name="block" value=id />
                                    <button type="submit" class="button small" aria-label=restore_name data-testid="restore-block"><Icon16 icon=Icon::Undo />"Restore"</button>
                                </form>
                                <a href=delete class="button small danger" aria-label=delete_name data-dialog="true" data-testid="delete-block"><Icon16 icon=Icon::Trash />"Delete…"</a>
                            </div>
                        })}
                    </td>
                </tr>
            }
        });
        ledger(
            "Blocks in the bin",
            None,
            [("Path", ""), ("Store", "spare"), ("Deleted", ""), ("Goes for good", "spare"), ("Actions", "")],
            rows.collect_view(),
        )
    };
    view! {
        <section class="box" data-testid="blocks-bin">
            <header><h2>"Bin"</h2><p class="lead">{lead}</p></header>
            {if none { view! { <p class="box-empty">"The bin is empty."</p> }.into_any() } else { table() }}
            {(others > 0).then(|| view! { <p class="box-more">{format!("{} more are in the bin.", grouped(others))}</p> })}
        </section>
    }
}
