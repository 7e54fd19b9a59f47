//! An opened user record: the parts that all its pages share.

mod access;
mod block;
mod blocks;
mod contributions;
mod erasures;
mod glimpse;
mod kinds;
mod memories;
mod memory;
mod overview;
mod told;

pub use access::UserAccess;
pub use block::UserBlock;
pub use blocks::UserBlocks;
pub use contributions::UserContributions;
pub use erasures::UserErasures;
pub use memories::UserMemories;
pub use memory::UserMemory;
pub use overview::UserOverview;
pub use told::UserTold;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_location, use_params_map, use_query_map};

use crate::notice::grouped;
use crate::parts::copy::CopyId;
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::note::Told;
use crate::parts::problem::ProblemPanel;
use crate::screens::{self, Screen};
use crate::users::shapes::{Head, RecordOpening, in_url, record_path};
use crate::users::view::OpenCard;
use domain::problem::Problem;

/// The user in this page's URL.
pub fn user_of_page() -> String {
    use_params_map().read_untracked().get("id").unwrap_or_default()
}

/// A parameter of this page's URL, such as where a list starts; `None` if it is empty.
fn start_of_page(name: &str) -> Option<String> {
    use_query_map().read_untracked().get(name).filter(|start| !start.is_empty())
}

/// The id, the links of the record, and the log entry made by opening it.
#[component]
fn RecordHead(head: Head) -> impl IntoView {
    let Head { id, memories, contributions, told, blocks, entries, erasures, may_show, .. } = head;
    let path = record_path(&id);
    let here = use_location().pathname.get_untracked();
    // `/manage/users/ID/PAGE`: an id is one segment of the path, however it is encoded.
    let page = here.split('/').nth(4).unwrap_or_default();
    let at = |name: &str| (page == name).then_some("page");
    let to = |page: &str| format!("{path}/{page}");
    let named = |screen: &Screen| format!("{} ", screen.title);
    let (memories_href, chat_href, blocks_href) = (to("memories"), to("chat"), to("blocks"));
    let (contributions_href, access_href) = (to("contributions"), to("access"));
    let (erasures_href, erase, export) = (to("erasures"), to("erase"), to("export"));
    view! {
        <Title text=format!("User {id}") />
        <Crumbs id>
            {may_show.then(|| view! {
                <div class="head-actions">
                    <form method="post" action=export class="inline-form" data-testid="export-user">
                        <button type="submit" name="format" value="json" class="button small"><Icon16 icon=Icon::Download />"Export (Art. 15)"</button>
                        <button type="submit" name="format" value="html" class="button small">"Readable export (HTML)"</button>
                    </form>
                    <a href=erase class="button small danger" data-testid="start-erasure"><Icon16 icon=Icon::Trash />"Erase…"</a>
                </div>
            })}
        </Crumbs>
        <nav class="subnav" aria-label="Record" data-testid="user-counts">
            <a href=path aria-current=at("")>{screens::USER.title}</a>
            <a href=memories_href aria-current=at("memories")>{named(&screens::USER_MEMORIES)}<span class="count">{grouped(memories)}</span></a>
            <a href=chat_href aria-current=at("chat")>{named(&screens::USER_CHAT)}<span class="count">{grouped(told)}</span></a>
            <a href=blocks_href aria-current=at("blocks")>{named(&screens::USER_BLOCKS)}<span class="count">{grouped(blocks)}</span></a>
            {may_show.then(|| view! { <a href=contributions_href aria-current=at("contributions")>{named(&screens::USER_CONTRIBUTIONS)}<span class="count">{grouped(contributions)}</span></a> })}
            <a href=erasures_href aria-current=at("erasures")>{named(&screens::USER_ERASURES)}<span class="count">{grouped(erasures)}</span></a>
            <a href=access_href aria-current=at("access")>{named(&screens::USER_ACCESS)}<span class="count">{grouped(entries)}</span></a>
        </nav>
    }
}

#[component]
fn Crumbs(id: String, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <header class="head">
            <p class="crumbs"><a href=screens::USERS.path>{screens::USERS.title}</a><span aria-hidden="true">"›"</span></p>
            <h1 id=HEADING tabindex="-1" class="id-title"><code>{id.clone()}</code></h1>
            <CopyId id />
            {children.map(|children| children())}
        </header>
    }
}

/// Links to the first page of a list, and to the next one.
#[component]
fn Pager(path: String, first: bool, #[prop(into)] next: Option<String>) -> impl IntoView {
    let start = path.clone();
    (next.is_some() || !first).then(|| view! {
        <nav class="pager flush" aria-label="Pages" data-testid="pager">
            {(!first).then(|| view! { <a href=start class="button">"First page"</a> })}
            {next.map(|next| view! { <a href=format!("{path}?after={}", in_url(&next)) class="button" data-testid="pager-next">"Next"</a> })}
        </nav>
    })
}

/// Says that opening the record was logged.
#[component]
fn Logged(
    opened: RecordOpening,
    /// Says what is visible of the record.
    #[prop(default = "Memory text stays hidden until you ask for it.")]
    seen: &'static str,
) -> impl IntoView {
    let RecordOpening { by, reason, at } = opened;
    let why = reason.map(|reason| format!(" · {reason}")).unwrap_or_default();
    view! {
        <Told class="note wide" icon=Icon::Eye title="Opening this record was logged">
            <p>{format!("{by}{why} · {at}. {seen}")}</p>
        </Told>
    }
}

/// Shown instead of a page: the question for a reason, or the error.
pub fn not_shown(problem: Problem, user: String) -> AnyView {
    match problem {
        Problem::NotOpened => view! {
            <Title text=format!("User {user}") />
            <Crumbs id=user.clone() />
            <div class="column"><OpenCard user cancel="/manage/users".to_owned() /></div>
        }
        .into_any(),
        Problem::NotFound { .. } => view! {
            <Title text="Not found" />
            <Crumbs id=user.clone() />
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::People />
                <h2>{format!("No user matches “{user}”.")}</h2>
                <p>"An erased user has no record. To see the receipts, look the id up in Users or in "<a href="/manage/erasures" class="link">"Erasures"</a>"."</p>
                <a href="/manage/users" class="button">"Find another"</a>
            </section>
        }
        .into_any(),
        problem => view! {
            <Title text="User" />
            <Crumbs id=user />
            <ProblemPanel problem missing="The record" />
        }
        .into_any(),
    }
}
