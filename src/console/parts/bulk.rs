//! The one question before a large bulk.

use leptos::prelude::*;

use crate::console::notice::Flash;
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
    let Err(Problem::ConfirmBulk { verb, count, flagged }) = &flash.outcome else { return None };
    let verb = Verb::parse(verb, flash.field("importance").and_then(|n| n.parse().ok()))?;
    let (question, button) = words(verb, *count, *flagged);
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

/// The question, and the words of the button that answers it. `flagged` of them contradict another fact.
pub fn words(verb: Verb, count: u64, flagged: u64) -> (String, String) {
    match verb {
        Verb::Approve if flagged > 0 => {
            let (rest, contradict) = (count.saturating_sub(flagged), if flagged == 1 { "contradicts" } else { "contradict" });
            let are = if flagged == 1 { "is" } else { "are" };
            (
                format!(
                    "Approve {rest} of {count} facts? They become recallable at once. {flagged} {contradict} another fact and {are} left for you."
                ),
                format!("Approve {rest}"),
            )
        }
        Verb::Approve => (format!("Approve {count} facts? They become recallable at once."), format!("Approve {count}")),
        Verb::Reject => (format!("Reject {count} facts? They are kept for audit and not recalled."), format!("Reject {count}")),
        Verb::Reopen => {
            (format!("Re-open {count} facts? They are not recalled until decided again."), format!("Re-open {count}"))
        }
        Verb::Importance(n) => (format!("Set importance {} for {count} facts?", n.get()), format!("Set {count}")),
        Verb::Delete => (format!("Delete {count} facts?"), format!("Delete {count} facts")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contradicts_is_counted_apart() {
        let (question, button) = words(Verb::Approve, 37, 3);
        let whole = "Approve 34 of 37 facts? They become recallable at once. 3 contradict another fact and are left for you.";
        assert_eq!((question.as_str(), button.as_str()), (whole, "Approve 34"));
        assert!(words(Verb::Approve, 37, 1).0.ends_with("1 contradicts another fact and is left for you."));
        assert_eq!(words(Verb::Approve, 37, 0).1, "Approve 37");
        assert_eq!(words(Verb::Reject, 37, 0).1, "Reject 37");
    }
}
