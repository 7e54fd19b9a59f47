//! The page for an unknown URL.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::parts::focus::HEADING;
use crate::parts::load::load;
use crate::parts::problem::ProblemPanel;
use crate::session::call::open_missing;
use domain::problem::Problem;

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
