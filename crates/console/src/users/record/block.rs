//! One of a user's memory blocks with its history: masked, shown after a post, restored, redacted, moved to the bin. Every post
//! goes to this page, so that no text is in a URL or in the session.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::notice::grouped;
use crate::parts::heads::ledger;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{load, loaded};
use crate::parts::meta::ago;
use crate::users::blocks::call::open_block;
use crate::users::blocks::shapes::{BlockPast, LineKind, OneBlock, VersionComparison, block_path, blocks_path};
use crate::users::record::blocks::{AskToDelete, Gauge, Outcome};
use crate::users::record::memories::{AskToShow, MASK_STEP, Masked, ShowLink, tag_words};
use crate::users::record::{Logged, RecordHead, not_shown, start_of_page, user_of_page};
use domain::problem::Problem;

#[component]
pub fn UserBlock() -> impl IntoView {
    let id = use_params_map().read_untracked().get("block").unwrap_or_default();
    let user = user_of_page();
    let version = start_of_page("version").and_then(|version| version.parse().ok());
    let asked = BlockPageParams {
        show: start_of_page("show").is_some(),
        redact: start_of_page("redact"),
        delete: start_of_page("delete").is_some(),
        version,
    };
    let page = load(
        {
            let user = user.clone();
            move || (user.clone(), id.clone(), version)
        },
        |(user, id, version)| open_block(user, id, version),
    );
    loaded(page, move |page| view! { <Page page asked=asked.clone() /> }, move |problem| gone(problem, user.clone()))
}

/// The parsed query of the URL.
#[derive(Clone)]
struct BlockPageParams {
    show: bool,
    /// The id of a version.
    redact: Option<String>,
    delete: bool,
    version: Option<i64>,
}

/// Distinguishes a missing block from a missing user.
fn gone(problem: Problem, user: String) -> AnyView {
    match problem {
        Problem::NotFound { what } if what == "block" => view! {
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::Inbox />
                <h2>"This block is not there any more."</h2>
                <a href=blocks_path(&user) class="button">"All blocks"</a>
            </section>
        }
        .into_any(),
        problem => not_shown(problem, user),
    }
}

#[component]
fn Page(page: OneBlock, asked: BlockPageParams) -> impl IntoView {
    let user = page.head.id.clone();
    let own = block_path(&user, &page.id);
    let here = asked.version.map_or_else(|| own.clone(), |version| format!("{own}?version={version}"));
    let (opened, may_change) = (page.head.opened.clone(), page.head.may_show);
    let texts = usize::from(page.mask.is_some()) + usize::from(page.compared.is_some());
    let quiet = page.outcome.is_none() && may_change;
    let asks_to_show = asked.show && quiet && !page.shown && texts > 0;
    // Only an existing version with a text can be redacted.
    let redact = asked.redact.filter(|id| quiet && page.past.iter().any(|past| past.id == *id && may_redact(past)));
    let asks_to_delete = asked.delete && quiet && !page.read_only;
    let OneBlock { head, id, path, store, version, mask, text, past, compared, outcome, shown, .. } = page.clone();
    let can_restore = may_change && !page.archived && !page.read_only && page.binned_until.is_none();
    let all = blocks_path(&user);
    view! {
        <RecordHead head />
        {asks_to_show.then(|| view! { <AskToShow href=here.clone() count=texts reason=opened.reason.clone() what="the text of this block" unit=("text", "texts") /> })}
        {redact.map(|id| view! { <AskToRedact here=own.clone() id /> })}
        {asks_to_delete.then(|| view! { <AskToDelete action=all.clone() back=own.clone() id version /> })}
        <div class="column wide">
            <Logged opened />
            {outcome.map(|outcome| view! { <Outcome outcome /> })}
            <section class="box" data-testid="block" data-version=version>
                <header>
                    <h2 class="block-path"><code>{path}</code></h2>
                    <p class="lead"><a href=all class="link">"All blocks"</a></p>
                    <ShowLink href=here.clone() shown count=texts may_show=may_change />
                </header>
                <div class="box-body" data-testid="block-text">
                    {match (text, mask) {
                        (Some(text), _) if text.is_empty() => view! { <p class="quiet-text">"The text is empty."</p> }.into_any(),
                        (Some(text), _) => view! { <pre class="block-text" tabindex="0" aria-label="Text of the block">{text}</pre> }.into_any(),
                        (None, Some(mask)) => view! { <svg class="mask" width=u32::from(mask) * MASK_STEP height="11" aria-hidden="true"></svg><span class="sr">"Hidden"</span> }.into_any(),
                        (None, None) => view! { <p class="quiet-text">"Its last text was redacted."</p> }.into_any(),
                    }}
                </div>
                <About page=page.clone() store />
                {may_change.then(|| view! { <BlockActions page=page.clone() here=own.clone() /> })}
            </section>
            {compared.map(|compared| view! { <Difference compared /> })}
            <section class="box">
                <header><h2>"History"</h2><p class="lead">"The last 50 versions, newest first"</p></header>
                <Past past here=own version may_change can_restore />
            </section>
        </div>
    }
}

#[component]
fn About(
    page: OneBlock,
    /// Its name, unless it is the default one, and its id.
    store: (Option<String>, String),
) -> impl IntoView {
    let store_href = format!("{}?store={}", blocks_path(&page.head.id), store.1);
    let store_name = store.0.unwrap_or_else(|| "Default store".to_owned());
    let marks = [page.pinned.then_some("pinned"), page.read_only.then_some("read-only")];
    let marks: Vec<&str> = marks.into_iter().flatten().collect();
    let labels = if page.labels.is_empty() { "none".to_owned() } else { page.labels.join(" · ") };
    view! {
        <dl class="pairs">
            <div><dt>"Store"</dt><dd><a href=store_href class="link">{store_name}</a>{page.archived.then_some(" (archived)")}</dd></div>
            {page.binned_until.clone().map(|until| view! { <div><dt>"In the bin"</dt><dd data-testid="block-binned">{format!("goes for good on {until}")}</dd></div> })}
            {page.binned_until.is_none().then(|| view! { <div><dt>"Size"</dt><dd><Gauge fullness=page.fullness.clone() /></dd></div> })}
            <div><dt>"Marks"</dt><dd>{if marks.is_empty() { "none".to_owned() } else { marks.join(" · ") }}</dd></div>
            <div><dt>"Labels"</dt><dd>{labels}</dd></div>
            <div><dt>"Description"</dt><dd data-testid="block-description">{match page.description {
                Some((mask, text)) => view! { <Masked text mask /> }.into_any(),
                None => "none".into_any(),
            }}</dd></div>
            <div><dt>"Tags"</dt><dd data-testid="block-tags">{tag_words(page.tag_count, page.tags.as_deref())}</dd></div>
            <div><dt>"Last read"</dt><dd>{page.read.map_or_else(|| "never".to_owned(), |age| ago(&age))}</dd></div>
            <div><dt>"Updated"</dt><dd>{ago(&page.updated)}</dd></div>
        </dl>
    }
}

/// Actions on the whole block.
#[component]
fn BlockActions(page: OneBlock, here: String) -> impl IntoView {
    if page.read_only {
        return view! {
            <p class="box-more" data-testid="read-only">"This block is read-only. It can be changed or deleted once an assistant turns "<code>"read_only"</code>" off."</p>
        }
        .into_any();
    }
    let delete = format!("{here}?delete=1");
    let in_bin = page.binned_until.is_some();
    let can_restore = in_bin && page.mask.is_some() && !page.archived;
    let can_bin = !in_bin && page.bin_days > 0;
    let form = |action: &'static str, words: &'static str, icon: Icon, test: &'static str| {
        view! {
            <form method="post" action=here.clone()>
                <input type="hidden" name="action" value=action />
                <input type="hidden" name="version" value=page.version />
                <button type="submit" class="button small" data-testid=test><Icon16 icon />{words}</button>
            </form>
        }
    };
    view! {
        <div class="box-body block-actions">
            {can_restore.then(|| form("restore", "Restore from the bin", Icon::Undo, "restore-block"))}
            {can_bin.then(|| form("bin", "Move to the bin", Icon::Trash, "bin-block"))}
            <a href=delete class="button small danger" data-dialog="true" data-testid="delete-block"><Icon16 icon=Icon::Trash />"Delete for good…"</a>
            <p class="hint-line">"Each is written to the audit log, without the text."</p>
        </div>
    }
    .into_any()
}

/// Asks for confirmation before a version is emptied.
#[component]
fn AskToRedact(here: String, id: String) -> impl IntoView {
    let back = here.clone();
    view! {
        <section class="ask" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <h2 id="question-title">"Redact this version?"</h2>
            <p>"Its text, its path and its size are deleted. This can’t be undone, and it is written to the audit log."</p>
            <form method="post" action=here>
                <input type="hidden" name="action" value="redact" />
                <input type="hidden" name="redact" value=id />
                <div class="dialog-actions">
                    <button type="submit" class="button danger-solid" data-testid="dialog-confirm">"Redact version"</button>
                    <a href=back class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                </div>
            </form>
        </section>
    }
}

#[component]
fn Difference(compared: VersionComparison) -> impl IntoView {
    let VersionComparison { from, to, added, removed, lines } = compared;
    let title = if from == 0 { format!("Version {to}") } else { format!("From version {from} to version {to}") };
    let lines_of = |count: usize| if count == 1 { "1 line".to_owned() } else { format!("{} lines", grouped(count)) };
    let lead = format!("{} added, {} removed", lines_of(added), lines_of(removed));
    view! {
        <section class="box" data-testid="block-diff">
            <header><h2>{title}</h2><p class="lead">{lead}</p></header>
            {match lines {
                None => view! { <p class="box-empty">"The lines are hidden until you show the text."</p> }.into_any(),
                Some(lines) if lines.is_empty() => view! { <p class="box-empty">"The texts are the same."</p> }.into_any(),
                Some(lines) => view! {
                    <div class="block-diff" role="region" tabindex="0" aria-label="Changed lines">
                        {lines.into_iter().map(|(kind, text)| view! { <DiffLine kind text /> }).collect_view()}
                    </div>
                }
                .into_any(),
            }}
        </section>
    }
}

#[component]
fn DiffLine(kind: LineKind, text: String) -> impl IntoView {
    match kind {
        LineKind::Added => view! { <p class="line added"><span aria-hidden="true">"+"</span><ins><span class="sr">"Added: "</span>{text}</ins></p> }.into_any(),
        LineKind::Removed => view! { <p class="line removed"><span aria-hidden="true">"−"</span><del><span class="sr">"Removed: "</span>{text}</del></p> }.into_any(),
        LineKind::Same => view! { <p class="line"><span aria-hidden="true">" "</span><span>{text}</span></p> }.into_any(),
        LineKind::Place => view! { <p class="line place" aria-hidden="true">{text}</p> }.into_any(),
    }
}

fn may_redact(past: &BlockPast) -> bool {
    !past.is_current && past.redacted.is_none() && past.size.is_some()
}

#[component]
fn Past(past: Vec<BlockPast>, here: String, version: i64, may_change: bool, can_restore: bool) -> impl IntoView {
    let rows = past.into_iter().map(|past| {
        let number = past.version;
        let redact = (may_change && may_redact(&past)).then(|| format!("{here}?redact={}", past.id));
        let restore = can_restore && !past.is_current && past.size.is_some();
        let compare = past.size.is_some().then(|| format!("{here}?version={number}"));
        let state = match &past.redacted {
            Some(at) => format!("redacted on {at}"),
            None => past.size.clone().unwrap_or_else(|| "no text".to_owned()),
        };
        let action = here.clone();
        view! {
            <tr data-testid="block-version">
                <td class="number">{number}</td>
                <td>{how_words(&past.how)}{past.is_current.then_some(" · current")}</td>
                <td class="dim">{past.at}</td>
                <td class="spare said">{past.by}</td>
                <td class="spare">{state}</td>
                <td>
                    <div class="row-actions">
                        {compare.map(|href| view! { <a href=href class="button small" aria-label=format!("What version {number} changed") data-testid="compare-version">"Compare"</a> })}
                        {restore.then(|| view! {
                            <form method="post" action=action>
                                <input type="hidden" name="action" value="restore_version" />
                                <input type="hidden" name="restore" value=number />
                                <input type="hidden" name="version" value=version />
                                <button type="submit" class="button small" aria-label=format!("Restore version {number}") data-testid="restore-version"><Icon16 icon=Icon::Undo />"Restore"</button>
                            </form>
                        })}
                        {redact.map(|href| view! { <a href=href class="button small danger" aria-label=format!("Redact version {number}") data-dialog="true" data-testid="redact-version">"Redact…"</a> })}
                    </div>
                </td>
            </tr>
        }
    });
    ledger(
        "Versions of the block",
        Some("block-history"),
        [("Version", "number"), ("What", ""), ("When", ""), ("By", "spare"), ("Size", "spare"), ("Actions", "")],
        rows.collect_view(),
    )
}

fn how_words(how: &str) -> &'static str {
    match how {
        "created" => "Created",
        "deleted" => "Moved to the bin",
        "restored" => "Restored from the bin",
        _ => "Changed",
    }
}
