//! An opened user record: the parts that all its pages share.

mod access;
mod contributions;
mod erasures;
mod memories;
mod overview;

pub use access::UserAccess;
pub use contributions::UserContributions;
pub use erasures::UserErasures;
pub use memories::UserMemories;
pub use overview::UserOverview;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::parts::copy::CopyId;
use super::parts::focus::HEADING;
use super::parts::icon::{Icon, Icon16, Icon24};
use super::parts::problem::ProblemPanel;
use super::users::OpenCard;
use crate::calls::users::{Head, Opened, record_path};
use crate::domain::problem::Problem;

/// The user of this page's URL.
pub fn user_of_page() -> Memo<String> {
    let params = use_params_map();
    Memo::new(move |_| params.read().get("id").unwrap_or_default())
}

/// Where the page of a list starts.
fn start_of_page(name: &'static str) -> Memo<Option<String>> {
    let query = use_query_map();
    Memo::new(move |_| query.read().get(name).filter(|start| !start.is_empty()))
}

/// The id, the links of the record, and what opening it left in the log.
#[component]
fn RecordHead(head: Head) -> impl IntoView {
    let Head { id, memories, contributions, entries, erasures, may_show, .. } = head;
    let path = record_path(&id);
    let to = |page: &str| format!("{path}/{page}");
    let (memories_href, contributions_href, access_href) = (to("memories"), to("contributions"), to("access"));
    let (erasures_href, erase, export) = (to("erasures"), to("erase"), to("export"));
    view! {
        <Title text=format!("User {id}") />
        <Crumbs id>
            {may_show.then(|| view! {
                <div class="head-actions">
                    <form method="post" action=export class="inline-form" data-testid="export-user">
                        <button type="submit" name="format" value="json" class="button small"><Icon16 icon=Icon::Download />"Export (Art. 15)"</button>
                        <button type="submit" name="format" value="html" class="button small">"As a page"</button>
                    </form>
                    <A href=erase attr:class="button small danger" attr:data-testid="start-erasure"><Icon16 icon=Icon::Trash />"Erase…"</A>
                </div>
            })}
        </Crumbs>
        <nav class="subnav" aria-label="Record" data-testid="user-counts">
            <A href=path exact=true>"Overview"</A>
            <A href=memories_href>"Personal memories "<span class="count">{memories}</span></A>
            <A href=contributions_href>"Team contributions "<span class="count">{contributions}</span></A>
            <A href=erasures_href>"Erasures "<span class="count">{erasures}</span></A>
            <A href=access_href>"Who looked "<span class="count">{entries}</span></A>
        </nav>
    }
}

#[component]
fn Crumbs(id: String, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <header class="head">
            <p class="crumbs"><A href="/manage/users">"Users"</A><span aria-hidden="true">"›"</span></p>
            <h1 id=HEADING tabindex="-1" class="id-title"><code>{id.clone()}</code></h1>
            <CopyId id=Some(id) />
            {children.map(|children| children())}
        </header>
    }
}

/// Says that opening the record was recorded.
#[component]
fn Logged(opened: Opened) -> impl IntoView {
    let Opened { by, reason, at } = opened;
    let why = reason.map(|reason| format!(" · {reason}")).unwrap_or_default();
    view! {
        <div class="note wide">
            <Icon16 icon=Icon::Eye />
            <div class="note-text">
                <p class="note-title">"Opening this record was logged"</p>
                <p>{format!("{by}{why} · {at}. Memory text stays hidden until you ask for it.")}</p>
            </div>
        </div>
    }
}

/// In place of a page that is not shown: the question why, or what went wrong.
pub fn not_shown(problem: Problem, user: String, opened: RwSignal<usize>) -> AnyView {
    match problem {
        Problem::NotOpened => view! {
            <Title text=format!("User {user}") />
            <Crumbs id=user.clone() />
            <div class="column"><OpenCard user cancel="/manage/users".to_owned() opened /></div>
        }
        .into_any(),
        Problem::NotFound { .. } => view! {
            <Title text="Not found" />
            <Crumbs id=user.clone() />
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::People />
                <h2>{format!("No user matches “{user}”.")}</h2>
                <A href="/manage/users" attr:class="button">"Find another"</A>
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

/// The record while it loads.
#[component]
pub fn Loading() -> impl IntoView {
    view! {
        <header class="head"><h1 id=HEADING tabindex="-1">"User"</h1></header>
        <div class="column" aria-busy="true" aria-label="Loading"><div class="box loading"><span class="bone text"></span><span class="bone meta"></span></div></div>
    }
}
