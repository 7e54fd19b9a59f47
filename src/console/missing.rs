//! The page for an unknown URL.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::console::parts::focus::HEADING;
use crate::console::parts::load::load;
use crate::console::parts::problem::ProblemPanel;
use crate::console::session::call::open_missing;
use crate::domain::problem::Problem;

#[component]
pub fn Missing() -> impl IntoView {
    // The server is asked, so that the response has status 404.
    let answer = load(|| (), |()| open_missing());
    view! {
        <Title text="Not found" />
        <header class="head"><h1 id=HEADING tabindex="-1">"Not found"</h1></header>
        <Suspense>
            {move || Suspend::new(async move {
                let problem = answer.await.err().map_or_else(|| Problem::not_found("page"), |refused| refused.0);
                view! { <ProblemPanel problem missing="The page" /> }
            })}
        </Suspense>
    }
}
