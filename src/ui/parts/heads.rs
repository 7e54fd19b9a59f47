//! The heads of a table's columns.

use leptos::prelude::*;

/// A head for each name, with its class where it has one.
pub fn heads<const N: usize>(columns: [(&'static str, &'static str); N]) -> impl IntoView {
    columns.map(|(name, class)| view! { <th scope="col" class=(!class.is_empty()).then_some(class)>{name}</th> })
}
