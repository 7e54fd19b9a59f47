//! Read-only tables, and the heads of their columns.

use leptos::prelude::*;

/// Returns a column head for each name, with its class, if it has one.
pub fn heads<const N: usize>(columns: [(&'static str, &'static str); N]) -> impl IntoView {
    columns.map(|(name, class)| view! { <th scope="col" class=(!class.is_empty()).then_some(class)>{name}</th> })
}

/// Returns a read-only table: its name for screen readers, the heads of its columns, its rows.
pub fn ledger<const N: usize>(
    name: &'static str,
    test: Option<&'static str>,
    columns: [(&'static str, &'static str); N],
    rows: impl IntoView,
) -> AnyView {
    view! {
        <table class="ledger" data-testid=test>
            <caption class="sr">{name}</caption>
            <thead><tr>{heads(columns)}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}
