//! The foot of a list: the place of this page, and links to the previous and next one.

use leptos::prelude::*;

use crate::notice::PageSpan;

#[component]
pub fn Pager(
    span: PageSpan,
    /// Further controls, such as the number of rows.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let turn = |href: Option<String>, words: &'static str, test: &'static str| match href {
        Some(href) => view! { <a href=href class="button" data-testid=test>{words}</a> }.into_any(),
        None => view! { <span class="button off" aria-disabled="true" data-testid=test>{words}</span> }.into_any(),
    };
    view! {
        <nav class="pages" aria-label="Pages" data-testid="pager">
            <span class="pages-range" data-testid="pager-range">{span.words()}</span>
            {children.map(|children| children())}
            {turn(span.previous, "Previous", "pager-prev")}
            {turn(span.next, "Next", "pager-next")}
        </nav>
    }
}

/// Pager of a list that a post asked for: its pages are posted as well, with the same fields.
#[component]
pub fn PostedPager(
    /// The previous and the next page are given as numbers.
    span: PageSpan,
    action: &'static str,
    fields: Vec<(&'static str, String)>,
) -> impl IntoView {
    let turn = |page: Option<String>, words: &'static str, test: &'static str| match page {
        Some(page) => {
            view! { <button type="submit" name="page" value=page class="button" data-testid=test>{words}</button> }.into_any()
        }
        None => view! { <span class="button off" aria-disabled="true" data-testid=test>{words}</span> }.into_any(),
    };
    view! {
        <nav aria-label="Pages" data-testid="pager">
            <form method="post" action=action class="pages">
                {fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view()}
                <span class="pages-range" data-testid="pager-range">{span.words()}</span>
                {turn(span.previous, "Previous", "pager-prev")}
                {turn(span.next, "Next", "pager-next")}
            </form>
        </nav>
    }
}
