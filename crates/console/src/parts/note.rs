//! Says why a decision was not carried out, at the place where it was made.

use leptos::prelude::*;

use crate::notice::UNREACHED;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::prose::Prose;
use domain::facts::fact::FactStatus;
use domain::problem::Problem;

/// Says why a decision was not carried out. `text` is the fact's, if it is not visible beside the note.
#[component]
pub fn Note(problem: Problem, #[prop(into)] text: Option<String>, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    let NoteWords { tone, icon, title, line } = words(&problem);
    let conflict = matches!(problem, Problem::AlreadyDecided { .. } | Problem::Stale { .. });
    view! {
        <div class=format!("note {tone}") role="alert" data-testid=if conflict { "conflict" } else { "refused" }>
            <Icon16 icon />
            <div class="note-text">
                <p class="note-title">{title}</p>
                {text.map(|text| view! { <p class="quote">"“"<Prose text />"”"</p> })}
                {line.map(|line| view! { <p>{line}</p> })}
                {children.map(|children| view! { <div class="note-actions">{children()}</div> })}
            </div>
        </div>
    }
}

/// A note in a box: a title and its text.
#[component]
pub fn Told(class: &'static str, icon: Icon, title: &'static str, children: Children) -> impl IntoView {
    view! {
        <div class=class>
            <Icon16 icon />
            <div class="note-text">
                <p class="note-title">{title}</p>
                {children()}
            </div>
        </div>
    }
}

struct NoteWords {
    tone: &'static str,
    icon: Icon,
    title: String,
    line: Option<String>,
}

fn words(problem: &Problem) -> NoteWords {
    let note = |tone, icon, title: &str, line: Option<&str>| NoteWords {
        tone,
        icon,
        title: title.to_owned(),
        line: line.map(str::to_owned),
    };
    match problem {
        Problem::AlreadyDecided { status, by, seconds, .. } => {
            let yours = if status == FactStatus::Rejected.as_str() { "approval" } else { "rejection" };
            note(
                "info",
                Icon::Info,
                &format!("Already {status} by {by}, {}before you", seconds.map(span).unwrap_or_default()),
                Some(&format!("Your {yours} was not applied.")),
            )
        }
        Problem::Stale { .. } => note("warn", Icon::Warning, "This changed since you looked", Some("Look again, then decide.")),
        Problem::NotFound { what } if what == "key" => note("info", Icon::Info, "This key no longer exists.", None),
        Problem::NotFound { .. } => note("info", Icon::Info, "This fact no longer exists.", None),
        Problem::ViewOnly { needs } => {
            let line = format!("You need {}. If you had it before, your access changed.", needs.capability());
            note("warn", Icon::Warning, "You can view this, but not change it.", Some(&line))
        }
        other => note("danger", Icon::Warning, &unreached(other).map_or_else(|| other.to_string(), str::to_owned), None),
    }
}

/// The message for a call that did not reach the server.
pub fn unreached(problem: &Problem) -> Option<&'static str> {
    let lost = matches!(problem, Problem::Malformed { detail } if detail == UNREACHED);
    lost.then_some("That did not reach the server. Nothing changed. Try again.")
}

/// `4 seconds `, `2 minutes `; empty from one day on, which is no race.
fn span(seconds: i64) -> String {
    let plural = |n: i64, unit: &str| format!("{n} {unit}{} ", if n == 1 { "" } else { "s" });
    match (seconds, seconds / 60, seconds / 3600) {
        (0, ..) => "less than a second ".to_owned(),
        (1..60, ..) => plural(seconds, "second"),
        (_, 1..60, _) => plural(seconds / 60, "minute"),
        (.., 1..24) => plural(seconds / 3600, "hour"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn a_span_is_told_in_its_own_unit() {
        for (seconds, words) in [
            (0, "less than a second "),
            (1, "1 second "),
            (59, "59 seconds "),
            (60, "1 minute "),
            (7300, "2 hours "),
            (90_000, ""),
        ] {
            assert_eq!(span(seconds), words);
        }
    }
}
