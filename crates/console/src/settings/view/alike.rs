//! Examples under a similarity threshold: team facts that are about as alike as its value. While the value is changed, the script
//! takes those of the new value from the page that asks for confirmation.

use leptos::prelude::*;

use crate::parts::prose::Prose;
use crate::parts::stand::Stand;
use crate::settings::alike::shapes::{Alike, AlikeStatement, Near};

/// Examples under the setting, folded at first.
#[component]
pub fn AlikeHere(near: Near) -> impl IntoView {
    let (saved, draft) = (near.key.clone(), near.key.clone());
    view! {
        <details class="alike" data-testid="alike">
            <summary>"Examples around this value"</summary>
            <div data-near-saved=saved><Sides near /></div>
            <div data-near-draft=draft aria-live="polite" hidden></div>
        </details>
    }
}

/// Examples beside the effect of a change.
#[component]
pub fn AlikeThere(near: Near) -> impl IntoView {
    let key = near.key.clone();
    view! {
        <details class="alike" data-testid="alike">
            <summary>{format!("Examples around {}", near.value)}</summary>
            <div data-near=key><Sides near /></div>
        </details>
    }
}

#[component]
fn Sides(near: Near) -> impl IntoView {
    let Near { value, stand_in, from, below, .. } = near;
    view! {
        {stand_in.then(|| view! { <p class="fine">"Personal memories are not shown here. Team facts stand in for them."</p> })}
        <div class="alike-sides">
            <Side title=format!("Similarity {value} or above") pairs=from testid="alike-from" />
            <Side title=format!("Similarity below {value}") pairs=below testid="alike-below" />
        </div>
    }
}

#[component]
fn Side(title: String, pairs: Vec<Alike>, testid: &'static str) -> impl IntoView {
    view! {
        <section data-testid=testid>
            <h3 class="fine">{title}</h3>
            {if pairs.is_empty() {
                view! { <p class="quiet-text">"No matching pairs"</p> }.into_any()
            } else {
                view! { <ul class="nearest">{pairs.into_iter().map(|pair| view! { <Pair pair /> }).collect_view()}</ul> }.into_any()
            }}
        </section>
    }
}

#[component]
fn Pair(pair: Alike) -> impl IntoView {
    let Alike { similarity, one, other, outcome } = pair;
    view! {
        <li data-testid="alike-pair">
            <span class="similarity">{similarity}</span>
            <div>
                <Words said=one />
                <Words said=other />
                <p class="fine">{outcome}</p>
            </div>
        </li>
    }
}

/// A fact with its state, or the words that came with a merge.
#[component]
fn Words(said: AlikeStatement) -> impl IntoView {
    match said.fact {
        Some((id, status)) => view! {
            <p><a href=format!("/manage/facts/{id}")><Prose text=said.content /></a>" "<Stand status /></p>
        }
        .into_any(),
        None => view! { <p>"“"<Prose text=said.content />"”"</p> }.into_any(),
    }
}
