//! The status of a fact.

use leptos::prelude::*;

use crate::parts::icon::{Icon, Icon16};
use domain::facts::fact::FactStatus;

/// The status of a fact: an icon and a word.
#[component]
pub fn Stand(status: FactStatus) -> impl IntoView {
    let (icon, word) = match status {
        FactStatus::Pending => (Icon::Pending, "Pending"),
        FactStatus::Approved => (Icon::Approved, "Approved"),
        FactStatus::Rejected => (Icon::Rejected, "Rejected"),
    };
    view! { <span class=format!("status {}", status.as_str())><Icon16 icon />{word}</span> }
}
