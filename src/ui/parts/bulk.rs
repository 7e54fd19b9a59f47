//! The one question before a large bulk.

use leptos::prelude::*;

use crate::calls::Flash;
use crate::domain::decision::Verb;
use crate::domain::problem::Problem;

/// The question after a form post: what was chosen comes back with it. The tests know the form and its button by name.
pub fn asked(
    flash: Option<Flash>,
    back: String,
    form_test: Option<&'static str>,
    button_test: Option<&'static str>,
) -> Option<impl IntoView> {
    let flash = flash?;
    let Err(Problem::ConfirmBulk { verb, count }) = &flash.outcome else { return None };
    let verb = Verb::parse(verb, flash.field("importance").and_then(|n| n.parse().ok()))?;
    let (question, button) = words(verb, usize::try_from(*count).unwrap_or(usize::MAX));
    let fields = flash.fields.iter().filter(|(name, _)| name != "confirmed");
    let fields =
        fields.map(|(name, value)| view! { <input type="hidden" name=name.clone() value=value.clone() /> }).collect_view();
    Some(view! {
        <form class="bulk-bar shown asked" method="post" action="/calls/decide" data-testid=form_test>
            {fields}
            <input type="hidden" name="confirmed" value="1" />
            <span class="sure" role="alert">{question}</span>
            <button type="submit" class="button primary" data-testid=button_test>{button}</button>
            <a href=back class="button">"Cancel"</a>
        </form>
    })
}

/// The question, and the words of the button that answers it.
pub fn words(verb: Verb, count: usize) -> (String, String) {
    match verb {
        Verb::Approve => (format!("Approve {count} facts? They become recallable at once."), format!("Approve {count}")),
        Verb::Reject => (format!("Reject {count} facts? They are kept for audit and not recalled."), format!("Reject {count}")),
        Verb::Reopen => {
            (format!("Re-open {count} facts? They are not recalled until decided again."), format!("Re-open {count}"))
        }
        Verb::Importance(n) => (format!("Set importance {} for {count} facts?", n.get()), format!("Set {count}")),
        Verb::Delete => (format!("Delete {count} facts?"), format!("Delete {count} facts")),
    }
}
