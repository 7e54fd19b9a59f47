//! The form that filters the list: search, chips and order. A GET form: the URL is the state.

use leptos::prelude::*;

use crate::facts::shapes::{Chip, FactFilters};
use crate::parts::boxes::{Apply, boxes};
use crate::parts::icon::{Icon, Icon16};
use domain::facts::fact::FactKind;
use domain::facts::provenance::Origin;
use domain::facts::rejection::Reason;

/// Sort orders of the list: value and label.
const ORDERS: [(&str, &str); 6] = [
    ("confidence", "Confidence"),
    ("newest", "Newest"),
    ("oldest", "Oldest"),
    ("contributors", "Contributors"),
    ("recalls", "Recalls"),
    ("importance", "Importance"),
];
/// Choices of importance.
const LEAST: [(u8, &str); 5] = [(1, "Any"), (2, "2 or more"), (3, "3 or more"), (4, "4 or more"), (5, "5")];
/// Choices of confidence.
const CONFIDENCE: [(&str, &str); 3] = [("", "Any"), ("ok", "Above the floor"), ("low", "Below the floor")];

#[component]
pub fn Filter(filters: FactFilters) -> impl IntoView {
    let kinds = boxes("kind", FactKind::ALL, &filters.kinds, FactKind::as_str, FactKind::label);
    let origins = boxes("origin", Origin::ALL, &filters.origins, Origin::as_str, Origin::label);
    let reasons =
        (filters.status != "approved").then(|| boxes("reason", Reason::ALL, &filters.reasons, Reason::as_str, Reason::label));
    let least = LEAST.map(|(n, words)| {
        let value = if n == 1 { String::new() } else { n.to_string() };
        view! { <label class="check radio"><input type="radio" name="min_importance" value=value checked=n == filters.min_importance data-submits="true" />{words}</label> }
    });
    let conf = CONFIDENCE.map(|(value, words)| {
        view! { <label class="check radio"><input type="radio" name="conf" value=value checked=value == filters.conf data-submits="true" />{words}</label> }
    });
    let contradiction = view! {
        <label class="check apart"><input type="checkbox" name="flag" value="contradiction" checked=filters.contradiction data-submits="true" />"Contradictions only"</label>
    };
    let flag = filters.chips.iter().find(|chip| chip.field == "flag").cloned();
    let sort = filters.sort.clone();
    let turned = sort.strip_prefix('-').map(str::to_owned);
    let name = turned.clone().unwrap_or_else(|| sort.clone());
    let words = ORDERS.iter().find(|(value, _)| *value == name).map_or("Confidence", |(_, words)| *words);
    let shown = if turned.is_some() { format!("{words}, reversed") } else { words.to_owned() };
    let orders = ORDERS.map(|(value, words)| view! { <option value=value selected=value == sort>{words}</option> });
    let reversed = turned.map(|_| view! { <option value=sort.clone() selected=true>{shown.clone()}</option> });
    let state =
        (filters.status != "approved").then(|| view! { <input type="hidden" name="status" value=filters.status.clone() /> });
    let clear = filters.clear.clone();
    let filtered = !filters.chips.is_empty();
    let chip = |field: &str| filters.chips.iter().find(|chip| chip.field == field).cloned();
    let (kind_chip, origin_chip, least_chip, conf_chip) = (chip("kind"), chip("origin"), chip("min_importance"), chip("conf"));
    let reason_chip = chip("reason");
    let q = filters.q;
    view! {
        <form method="get" action="/manage/facts" id="filters" class="filters" role="search" data-testid="filters">
            {state}
            <label class="search">
                <Icon16 icon=Icon::Search />
                <input type="search" id="search" name="q" value=q placeholder="Search fact text or id" aria-label="Search fact text or id" data-testid="filter-q" />
                <kbd class="roomy">"/"</kbd>
            </label>
            <details class="folded" open data-filtering=filtered.then_some("true")>
                <summary class="narrow-only button">"Filters"</summary>
                <Choice label="Kind" test="filter-kind" chip=kind_chip>{kinds.collect_view()}<Apply /></Choice>
                <Choice label="Origin" test="filter-origin" chip=origin_chip>{origins.collect_view()}<Apply /></Choice>
                {reasons.map(|reasons| view! { <Choice label="Reason" test="filter-reason" chip=reason_chip>{reasons.collect_view()}<Apply /></Choice> })}
                <Choice label="Importance" test="filter-importance" chip=least_chip>{least.collect_view()}</Choice>
                <Choice label="Confidence" test="filter-confidence" chip=conf_chip>{conf.collect_view()}{contradiction}</Choice>
                {flag.map(|Chip { words, without, .. }| view! {
                    <span class="chip-pair"><span class="chip-button on"><b>{words.clone()}</b></span><Off words without /></span>
                })}
                {clear.map(|href| view! { <a href=href class="link clear" data-testid="filter-clear">"Clear filters"</a> })}
                <label class="chip-button sort">"Sort "<b aria-hidden="true">{shown}</b><select name="sort" aria-label="Sort" data-testid="filter-sort" data-submits="true">{orders}{reversed}</select><Icon16 icon=Icon::Chevron /></label>
                <button type="submit" class="button unscripted">"Apply filters"</button>
            </details>
        </form>
    }
}

/// One filter: its choices, and a link to clear it while it is active.
#[component]
fn Choice(label: &'static str, test: &'static str, chip: Option<Chip>, children: Children) -> impl IntoView {
    let on = chip.is_some();
    let words = chip.as_ref().map_or_else(|| "Any".to_owned(), |chip| chip.words.clone());
    view! {
        <span class="chip-pair">
            <details class="menu" data-testid=test>
                <summary class="chip-button" class:on=on>{label}" "<b>{words}</b>{(!on).then(|| view! { <Icon16 icon=Icon::Chevron /> })}</summary>
                <div class="popover">{children()}</div>
            </details>
            {chip.map(|Chip { words, without, .. }| view! { <Off words=format!("{label} {words}") without /> })}
        </span>
    }
}

/// Clears one filter.
#[component]
fn Off(words: String, without: String) -> impl IntoView {
    view! { <a href=without class="chip-off" aria-label=format!("Remove filter: {words}")><Icon16 icon=Icon::Cross /></a> }
}
