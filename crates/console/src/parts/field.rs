//! A refused form: the summary above, the message at the field, and what was typed.

use leptos::prelude::*;

use crate::decide::shapes::DraftVerdict;
use crate::notice::Flash;
use crate::parts::note::unreached;
use domain::problem::Problem;

/// The gate's findings in the refused text of the last form post.
#[derive(Clone)]
pub struct Blamed(pub Option<DraftVerdict>);

/// The result of the last form post, for the form it came from.
#[derive(Clone)]
pub struct Typed(pub Option<Flash>);

impl Typed {
    /// Returns the result of the form with this field, if it was refused.
    pub fn refused(field: &str) -> Option<(Problem, Flash)> {
        let flash = use_context::<Self>()?.0?;
        let problem = flash.outcome.clone().err()?;
        flash.field(field).is_some().then_some((problem, flash))
    }

    /// Returns why the form with this field was refused, and the text typed into the field.
    pub fn left(field: &str) -> (Option<Problem>, String) {
        match Self::refused(field) {
            Some((problem, flash)) => (Some(problem), flash.field(field).unwrap_or_default().to_owned()),
            None => (None, String::new()),
        }
    }
}

/// A refusal as a sentence for people, with field names in words.
pub fn sentence(problem: &Problem) -> String {
    if let Some(words) = unreached(problem) {
        return words.to_owned();
    }
    let text = problem.to_string();
    let Problem::Invalid { field, .. } = problem else { return text };
    let name = field.name();
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default();
    text.replacen(name, &capital, 1)
}

/// The error in one line that links to the field. It takes the focus.
#[component]
pub fn ErrorSummary(
    problem: Problem,
    /// The id of the field; the id of its message is this id plus `-error`.
    field: &'static str,
) -> impl IntoView {
    view! { <Errors of=vec![(problem, field)] /> }
}

/// Every error of a form, each linked to its field.
#[component]
fn Errors(of: Vec<(Problem, &'static str)>) -> impl IntoView {
    let title = if of.len() == 1 { "There is a problem".to_owned() } else { format!("There are {} problems", of.len()) };
    let lines = of.iter().map(|(problem, field)| view! { <li><a href=format!("#{field}")>{sentence(problem)}</a></li> });
    view! {
        <div class="error-summary" role="alert" tabindex="-1" autofocus=true data-testid="error-summary">
            <h2>{title}</h2>
            <ul>{lines.collect_view()}</ul>
        </div>
    }
}

/// Errors of a form by field.
#[derive(Clone, Default)]
pub struct Wrong(Vec<(Problem, &'static str)>);

impl Wrong {
    /// `id_of` gives the id of the field that a problem is about.
    pub fn new(problem: Option<&Problem>, id_of: impl Fn(&Problem) -> &'static str) -> Self {
        let each = problem.map(Problem::each).unwrap_or_default();
        Self(each.iter().map(|problem| (problem.clone(), id_of(problem))).collect())
    }

    pub fn has(&self, field: &str) -> bool {
        self.0.iter().any(|(_, id)| *id == field)
    }

    /// For `aria-invalid`.
    pub fn invalid(&self, field: &str) -> Option<&'static str> {
        self.has(field).then_some("true")
    }

    /// For `aria-describedby`: the message of the field, and its hint if it has one.
    pub fn described(&self, field: &str, hint: bool) -> Option<String> {
        let error = self.has(field).then(|| format!("{field}-error"));
        let ids: Vec<String> = error.into_iter().chain(hint.then(|| format!("{field}-hint"))).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    /// Returns the message at the field.
    pub fn at(&self, field: &'static str) -> Option<impl IntoView + use<>> {
        let words = self.0.iter().find(|(_, id)| *id == field).map(|(problem, _)| sentence(problem));
        words.map(|words| view! { <p id=format!("{field}-error") class="field-error">{words}</p> })
    }

    /// Returns all errors, above the form.
    pub fn summary(&self) -> Option<impl IntoView + use<>> {
        (!self.0.is_empty()).then(|| view! { <Errors of=self.0.clone() /> })
    }
}

/// The operator's own password, which is required again for an action that cannot be undone.
#[component]
pub fn PasswordAgain(
    /// The password was wrong.
    wrong: bool,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for="present">"Your password"</label>
            {wrong.then(|| view! { <p id="present-error" class="field-error">"That is not your password."</p> })}
            <input id="present" name="present" type="password" autocomplete="current-password" aria-required="true" aria-invalid=wrong.then_some("true") aria-describedby=wrong.then_some("present-error") data-testid="password-again" />
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::access::rights::Right;
    use domain::problem::Field;

    #[test]
    fn field_names_are_words() {
        let problem = Problem::invalid(Field::PresentPassword, "is not right");
        assert_eq!(sentence(&problem), "Current password is not right.");
        let view_only = Problem::ViewOnly { needs: Right::Review };
        assert_eq!(sentence(&view_only), "You can view this. Changing it needs facts:review.");
    }
}
