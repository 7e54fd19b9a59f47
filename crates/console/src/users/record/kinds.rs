//! What both forms of a record show: counts of what was told in chats, and memories by kind.

use leptos::prelude::*;

use crate::notice::grouped;
use domain::memory::MemoryKind;

/// `2 preferences · 1 note · 12 rows of the profile and the history`
pub(super) fn told_words(preferences: i64, notes: i64, all: i64) -> String {
    let counted = |count: i64, one: &str, many: &str| format!("{} {}", grouped(count), if count == 1 { one } else { many });
    format!(
        "{} · {} · {} of the profile and the history",
        counted(preferences, "preference", "preferences"),
        counted(notes, "note", "notes"),
        counted(all - preferences - notes, "row", "rows")
    )
}

/// Memories by kind: a table whose bars only repeat its numbers.
#[component]
pub(super) fn Kinds(kinds: Vec<(MemoryKind, i64, i64)>) -> impl IntoView {
    let most = kinds.iter().map(|(_, count, _)| *count).max().unwrap_or(1).max(1);
    view! {
        <section class="box">
            <header><h2>"By kind"</h2></header>
            <table class="shares">
                <caption class="sr">"Personal memories by kind"</caption>
                <thead class="sr"><tr><th scope="col">"Kind"</th><th scope="col">"Bar"</th><th scope="col">"Memories"</th><th scope="col">"Share"</th></tr></thead>
                <tbody>
                    {kinds
                        .into_iter()
                        .map(|(kind, count, share)| view! {
                            <tr>
                                <th scope="row">{kind.label()}</th>
                                <td class="bar-cell">
                                    <svg width="100%" height="6" aria-hidden="true">
                                        <rect class="rail" width="100%" height="6" rx="3" />
                                        <rect class="fill" width=format!("{}%", count * 100 / most) height="6" rx="3" />
                                    </svg>
                                </td>
                                <td class="number">{grouped(count)}</td>
                                <td class="number dim">{format!("{share}%")}</td>
                            </tr>
                        })
                        .collect_view()}
                </tbody>
            </table>
        </section>
    }
}
