//! Decisions of each operator by week.

use leptos::prelude::*;

use crate::operators::shapes::{WorkRow, WorkTable};
use crate::parts::heads::heads;
use crate::stats::view::tile::Tile;

#[component]
pub fn Workload(work: WorkTable) -> impl IntoView {
    let WorkTable { weeks, rows } = work;
    let span = format!("last {} weeks", weeks.len());
    let week = |week: String| {
        let dated = week.starts_with(|first: char| first.is_ascii_digit());
        view! { <th scope="col" class="digits">{dated.then(|| view! { <span class="sr">"Week of "</span> })}{week}</th> }
    };
    let row = |row: WorkRow| {
        let WorkRow { id, name, decided, undone, by_week } = row;
        view! {
            <tr data-testid="work-row" data-operator-id=id>
                <th scope="row">{name}</th>
                <td class="digits" data-testid="work-decided">{decided}</td>
                <td class="digits" data-testid="work-undone">{undone}</td>
                {by_week.into_iter().map(|times| view! { <td class="digits">{times}</td> }).collect_view()}
            </tr>
        }
    };
    view! {
        <Tile title="Decisions per week" aside=span class="flush">
            <div class="sideways" tabindex="0" role="region" aria-label="Decisions per week, by operator">
                <table class="listing" data-testid="workload">
                    <caption class="sr">"Decisions per week, by operator"</caption>
                    <thead>
                        <tr>
                            {heads([("Operator", ""), ("All", "digits"), ("Undone", "digits")])}
                            {weeks.into_iter().map(week).collect_view()}
                        </tr>
                    </thead>
                    <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
            <p class="fine workload-note">"Each fact counts once. Undone: the operator took the decision back."</p>
        </Tile>
    }
}
