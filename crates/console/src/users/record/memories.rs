//! A user's personal memories: masked, and revealed only in the answer to a post.

use leptos::prelude::*;

use crate::notice::grouped;
use crate::parts::heads::ledger;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{load, loaded};
use crate::parts::meta::{Dots, ago};
use crate::parts::prose::Prose;
use crate::users::call::list_memories;
use crate::users::record::{Logged, Pager, RecordHead, not_shown, start_of_page, user_of_page};
use crate::users::shapes::{Memories, MemoryEntry, in_url, memory_path, record_path};
use domain::access::surfaces;

/// Width of one step of a mask in pixels.
pub const MASK_STEP: u32 = 10;

#[component]
pub fn UserMemories() -> impl IntoView {
    let (user, after, asked) = (user_of_page(), start_of_page("after"), start_of_page("show").is_some());
    let (id, start) = (user.clone(), after.clone());
    let page = load(move || (id.clone(), start.clone()), |(user, after)| list_memories(user, after));
    loaded(
        page,
        move |memories| view! { <Page memories after=after.clone() asked /> },
        move |problem| not_shown(problem, user.clone()),
    )
}

#[component]
fn Page(memories: Memories, #[prop(into)] after: Option<String>, asked: bool) -> impl IntoView {
    let Memories { head, rows, next, shown } = memories;
    let path = format!("{}/memories", record_path(&head.id));
    let here = after.as_ref().map_or_else(|| path.clone(), |after| format!("{path}?after={}", in_url(after)));
    let (first, opened, all) = (after.is_none(), head.opened.clone(), head.memories);
    let count = rows.len();
    let asks = asked && head.may_show && !shown && count > 0;
    let (may_show, id) = (head.may_show, head.id.clone());
    view! {
        <RecordHead head />
        {asks.then(|| view! { <AskToShow href=here.clone() count reason=opened.reason.clone() /> })}
        <div class="column wide">
            <Logged opened />
            <section class="box">
                <header>
                    <h2>"Personal memories"</h2>
                    <p class="lead">{format!("{} of {}, newest first", grouped(count), grouped(all))}</p>
                    <ShowLink href=here shown count may_show />
                </header>
                <MemoryTable rows user=id />
            </section>
            <Pager path first next />
        </div>
    }
}

/// Links to the confirmation, or back to the masked text.
#[component]
pub fn ShowLink(href: String, shown: bool, count: usize, may_show: bool) -> impl IntoView {
    let ask = if href.contains('?') { format!("{href}&show=1") } else { format!("{href}?show=1") };
    match (count > 0 && may_show, shown) {
        (true, false) => {
            view! { <a href=ask class="button small" data-dialog="true" data-testid="reveal"><Icon16 icon=Icon::Eye />"Show text…"</a> }
                .into_any()
        }
        (true, true) => {
            view! { <a href=href class="button small" data-testid="hide"><Icon16 icon=Icon::Eye />"Hide text"</a> }
                .into_any()
        }
        _ => ().into_any(),
    }
}

/// Asks for confirmation before text is shown: in a dialog with script, on the page without.
#[component]
pub fn AskToShow(
    /// The page whose rows are to be shown.
    href: String,
    count: usize,
    #[prop(into)] reason: Option<String>,
    /// Name of the text to show.
    #[prop(default = "memory text")]
    what: &'static str,
    /// Singular and plural of the unit that `count` counts.
    #[prop(default = ("row", "rows"))]
    unit: (&'static str, &'static str),
) -> impl IntoView {
    let action = href.clone();
    let with = reason.map_or_else(
        || "It is personal data. Showing it is written to the audit log.".to_owned(),
        |reason| format!("It is personal data. Showing it is written to the audit log with ticket {reason}."),
    );
    let rows = if count == 1 { unit.0 } else { unit.1 };
    view! {
        <section class="ask" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <h2 id="question-title">{format!("Show {what}?")}</h2>
            <p>{with}</p>
            <form method="post" action=action>
                <div class="dialog-actions">
                    <button type="submit" class="button primary" data-testid="dialog-confirm">{format!("Show {} {rows}", grouped(count))}</button>
                    <a href=href class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                </div>
            </form>
        </section>
    }
}

/// Rows of memories, each with its text or a mask.
#[component]
pub fn MemoryTable(rows: Vec<MemoryEntry>, user: String) -> impl IntoView {
    if rows.is_empty() {
        return view! {
            <div class="panel" data-testid="empty"><Icon24 icon=Icon::Inbox /><h2>"Nothing is held for this user."</h2></div>
        }
        .into_any();
    }
    let rows = rows.into_iter().map(|row| view! { <MemoryRow row user=user.clone() /> }).collect_view();
    ledger(
        "Personal memories",
        None,
        [
            ("Kind", "spare"),
            ("Memory", ""),
            ("Importance", "spare"),
            ("Surface", "spare"),
            ("Recalls", "number spare"),
            ("Updated", ""),
            ("Open", "number"),
        ],
        rows,
    )
}

#[component]
fn MemoryRow(row: MemoryEntry, user: String) -> impl IntoView {
    let open = memory_path(&user, &row.id);
    let name = format!("Open the memory, updated {}", ago(&row.updated));
    let labels = (row.tag_count > 0 || row.ends.is_some()).then(|| {
        let ends = row.ends.map(|ends| format!("ends {ends}"));
        let tags = (row.tag_count > 0).then(|| tag_words(row.tag_count, row.tags.as_deref()));
        view! { <p class="quiet-text" data-testid="memory-labels">{tags.into_iter().chain(ends).collect::<Vec<_>>().join(" · ")}</p> }
    });
    view! {
        <tr data-testid="memory-row">
            <td class="spare">{row.kind.label()}</td>
            <td class="said"><Masked text=row.text mask=row.mask />{labels}</td>
            <td class="spare"><Dots importance=row.importance /></td>
            <td class="spare">{surfaces::label(&row.surface).to_owned()}</td>
            <td class="number spare">{row.recalls}</td>
            <td class="dim">{ago(&row.updated)}</td>
            <td class="number"><a href=open class="button small" data-testid="open-memory" aria-label=name>"Open"</a></td>
        </tr>
    }
}

/// A text, or its mask.
#[component]
pub fn Masked(#[prop(into)] text: Option<String>, mask: u8) -> impl IntoView {
    match text {
        Some(text) => view! { <Prose text /> }.into_any(),
        None => view! { <svg class="mask" width=u32::from(mask) * MASK_STEP height="11" aria-hidden="true"></svg><span class="sr">"Hidden"</span> }.into_any(),
    }
}

/// Returns the tags, or their number while they are hidden.
pub fn tag_words(count: usize, tags: Option<&[String]>) -> String {
    match (count, tags) {
        (0, _) => "no tags".to_owned(),
        (_, Some(tags)) => tags.iter().map(|tag| format!("“{tag}”")).collect::<Vec<_>>().join(", "),
        (1, None) => "1 tag, hidden".to_owned(),
        (count, None) => format!("{count} tags, hidden"),
    }
}
