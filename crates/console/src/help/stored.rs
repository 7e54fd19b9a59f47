//! The inventory of stored data in plain words: what is stored, why, for how long, and what an erasure does with it.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::screens;
use crate::shell::Head;
use domain::erasure::inventory::{Class, ErasureRule, TABLES, Table};

#[component]
pub fn Stored() -> impl IntoView {
    let (about, others): (Vec<&Table>, Vec<&Table>) = TABLES.iter().partition(|table| table.is_about_users());
    view! {
        <Title text=screens::STORED.title />
        <Head title=screens::STORED.title />
        <div class="column wide stored">
            <p>"Every table of the database, from the list that previews, erasures and exports are made from. The tests fail if a column is missing from it."</p>
            <section class="box">
                <header><h2>"What can be about a person"</h2></header>
                <table class="ledger">
                    <caption class="sr">"What can be about a person"</caption>
                    <thead><tr><th scope="col">"What"</th><th scope="col">"Why"</th><th scope="col">"How long"</th><th scope="col">"An erasure of everything"</th></tr></thead>
                    <tbody>{about.into_iter().map(|table| view! { <StoredRow table /> }).collect_view()}</tbody>
                </table>
            </section>
            <section class="box box-body">
                <h2>"What an erasure does not remove"</h2>
                <ul>
                    <li>"Team facts that somebody else contributed too. They count one contributor fewer."</li>
                    <li>"Team facts that nobody contributed, such as an agent’s. Only an operator deletes those."</li>
                    <li>"The audit log and the ledger of erasures. They hold a keyed digest in place of the user."</li>
                    <li>"Daily totals, which say how much happened and not to whom."</li>
                    <li>"Backups made before it. Restoring one carries the erasure out again."</li>
                    <li>"What other services hold: the account, the chat history, a provider’s logs."</li>
                </ul>
            </section>
            <section class="box">
                <header><h2>"What is not about a person"</h2></header>
                <table class="ledger">
                    <caption class="sr">"What is not about a person"</caption>
                    <thead><tr><th scope="col">"What"</th><th scope="col">"Why"</th></tr></thead>
                    <tbody>
                        {others
                            .into_iter()
                            .map(|table| view! { <tr data-testid="stored-row"><td>{table.what}" "<code class="table-name">{table.name}</code></td><td>{table.why}</td></tr> })
                            .collect_view()}
                    </tbody>
                </table>
            </section>
        </div>
    }
}

#[component]
fn StoredRow(table: &'static Table) -> impl IntoView {
    let personal: Vec<&str> =
        table.columns.iter().filter(|column| column.class == Class::Personal).map(|column| column.name).collect();
    let erasure = match table.erasure {
        ErasureRule::Deleted => "Deletes it.",
        ErasureRule::Settled => "Takes the user out of it.",
        ErasureRule::Stays => "Leaves it.",
        ErasureRule::Kept(why) => why,
    };
    view! {
        <tr data-testid="stored-row">
            <td>
                {table.what}" "<code class="table-name">{table.name}</code>
                {(!personal.is_empty()).then(|| view! { <span class="columns dim">{personal.join(", ")}</span> })}
            </td>
            <td>{table.why}</td>
            <td>{table.how_long}</td>
            <td>{erasure}</td>
        </tr>
    }
}
