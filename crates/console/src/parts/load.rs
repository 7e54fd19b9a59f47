//! Loads the data of a page.

use std::future::Future;

use leptos::prelude::*;
use leptos_meta::Title;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::notice::Refused;
use crate::parts::focus::HEADING;
use crate::parts::problem::ProblemPanel;
use crate::parts::top::Top;
use domain::problem::Problem;

/// Calls `fetcher`; the document waits for its answer.
pub fn load<S, T, Fut>(
    source: impl Fn() -> S + Send + Sync + 'static,
    fetcher: impl Fn(S) -> Fut + Send + Sync + 'static,
) -> Resource<T>
where
    S: PartialEq + Clone + Send + Sync + 'static,
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    Resource::new_blocking(source, fetcher)
}

/// Shows the data of `page` once it is loaded, or `instead` if it was refused.
pub fn loaded<T, V, W>(
    page: Resource<Result<T, Refused>>,
    show: impl Fn(T) -> V + Clone + Send + Sync + 'static,
    instead: impl Fn(Problem) -> W + Clone + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
    W: IntoView + 'static,
{
    view! {
        <Suspense>
            {move || {
                let (show, instead) = (show.clone(), instead.clone());
                Suspend::new(async move {
                    match page.await {
                        Ok(answer) => show(answer).into_any(),
                        Err(Refused(problem)) => instead(problem).into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

/// Returns a panel in place of data that did not load. `what` names the data, as the start of a sentence.
pub fn missing(what: &'static str) -> impl Fn(Problem) -> AnyView + Clone + Send + Sync + 'static {
    move |problem| view! { <ProblemPanel problem missing=what /> }.into_any()
}

/// Like [`missing`], below the heading of the page.
pub fn headed(heading: &'static str, what: &'static str) -> impl Fn(Problem) -> AnyView + Clone + Send + Sync + 'static {
    move |problem| {
        view! {
            <header class="head"><h1 id=HEADING tabindex="-1">{heading}</h1></header>
            <ProblemPanel problem missing=what />
        }
        .into_any()
    }
}

/// Like [`headed`], for a page that otherwise has no title.
pub fn lost(heading: &'static str, what: &'static str) -> impl Fn(Problem) -> AnyView + Clone + Send + Sync + 'static {
    let page = headed(heading, what);
    move |problem| view! { <Title text="Not found" />{page(problem)} }.into_any()
}

/// Like [`missing`], for a page below another, with its title.
pub fn below(
    title: &'static str,
    above: (&'static str, &'static str),
    what: &'static str,
) -> impl Fn(Problem) -> AnyView + Clone + Send + Sync + 'static {
    move |problem| {
        view! {
            <Title text=title />
            <Top title above />
            <ProblemPanel problem missing=what />
        }
        .into_any()
    }
}
