//! The bulk bar of a list, and the confirmation of a large bulk action.

use leptos::prelude::*;

use crate::notice::{Flash, grouped};
use crate::parts::icon::{Icon, Icon16};
use domain::facts::decision::Verb;
use domain::problem::Problem;

/// The bar that replaces the head of a list while something is selected. Without script, the checkboxes of the rows belong to its
/// form. The list handles its buttons: with an island, the island; in a document, `document::selection`.
#[component]
pub fn BulkBar(
    /// Whether an island shows it; in a document, `document::selection` does.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// Number of rows in the whole list.
    #[prop(optional, into)]
    total: Option<u64>,
    /// The number of selected rows.
    count: AnyView,
    verbs: AnyView,
    /// The buttons from 1 to 5.
    fives: AnyView,
    /// Further content of the menu, for widths at which the bar has no room for `rest`.
    narrow: AnyView,
    /// Shown between the verbs and the rest.
    more: AnyView,
    /// Controls that select more, or nothing.
    rest: AnyView,
) -> impl IntoView {
    view! {
        <form id="bulk" class="bulk-bar" class:shown=move || shown.is_some_and(|shown| shown.get()) method="post" action="/calls/decide" role="toolbar" aria-label="Bulk actions" data-testid="bulk-bar" data-total=total>
            <input type="hidden" name="bulk" value="1" />
            {count}
            {verbs}
            <details class="menu scripted" data-testid="bulk-importance">
                <summary class="button" id="bulk-importance" aria-label="Set importance"><span class="roomy">"Set importance"</span><Icon16 icon=Icon::Chevron /></summary>
                <div class="popover">
                    <span class="set-importance narrow-only">"Set importance"</span>
                    <span class="fives">{fives}</span>
                    {narrow}
                </div>
            </details>
            {more}
            <span class="bulk-rest scripted">{rest}</span>
        </form>
    }
}

/// Returns the confirmation after a form post, with the posted fields. The tests know the form and its button by name.
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

/// Returns the question, and the label of the button that confirms it. `flagged` of the facts contradict another fact.
pub fn words(verb: Verb, count: u64, flagged: u64) -> (String, String) {
    let rest = grouped(count.saturating_sub(flagged));
    let count = grouped(count);
    match verb {
        Verb::Approve if flagged > 0 => {
            let (contradict, are) = if flagged == 1 { ("contradicts", "is") } else { ("contradict", "are") };
            let flagged = grouped(flagged);
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
