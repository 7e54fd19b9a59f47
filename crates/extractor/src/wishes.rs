//! Wishes to forget: everything, the last statement, a memory about a topic, or all memories about it.

use crate::command::command;
use crate::commands::Said;
use crate::forget::Forget;
use crate::forms::forms;
use crate::telling;

/// Parses the words after the verb: "the thing about my laptop". `None`: they name nothing.
pub fn named(rest: &str) -> Option<Forget> {
    let rest = rest.trim().trim_end_matches(['.', '!', '?', ',']);
    let is = |part: &str| forms().part(part).is_match(rest);
    if is("everything") {
        return Some(Forget::Everything);
    }
    if is("last") || is("just_now") {
        return Some(Forget::Last { just: is("just_now") });
    }
    let every = forms().part("every");
    if let Some(end) = every.end(rest).filter(|_| every.is_match(rest)) {
        let topic = topic(&rest[end..]);
        return (!topic.is_empty()).then(|| Forget::Every(telling::query(topic)));
    }
    let topic = topic(rest);
    (!topic.is_empty()).then(|| Forget::About(telling::query(topic)))
}

/// Parses a text that was sent as something to forget: a whole request, or only a topic.
pub fn asked(query: &str) -> Option<Forget> {
    let command = command(query.trim().trim_end_matches(['.', '!', '?']));
    if let Some(Said::Forget(wish)) = command.as_ref().and_then(|command| command.said.as_ref()) {
        return Some(wish.clone());
    }
    match command.map(|command| (command.name, command.rest)) {
        Some(("forget_all", _)) => Some(Forget::Everything),
        Some(("scratch", _)) => Some(Forget::Last { just: true }),
        Some(("forget", Some(rest))) => named(&rest),
        Some(("idle", _)) => None,
        _ => named(query),
    }
}

/// Removes the words around the topic.
fn topic(rest: &str) -> &str {
    let mut topic = rest.trim();
    loop {
        let head = forms().part("topic_head").end(topic).filter(|end| *end < topic.len());
        let Some(end) = head else { break };
        topic = topic[end..].trim_start();
    }
    let tail = forms().part("topic_tail").spans(topic).into_iter().map(|(from, _)| from).min().filter(|from| *from > 0);
    topic[..tail.unwrap_or(topic.len())].trim_end_matches([' ', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_everything_the_last_or_a_topic() {
        let about = |text: &str| Some(Forget::About(text.to_owned()));
        let every = |text: &str| Some(Forget::Every(text.to_owned()));
        for (query, meant) in [
            ("everything about me", Some(Forget::Everything)),
            ("Forget everything you know about me.", Some(Forget::Everything)),
            ("that last one", Some(Forget::Last { just: false })),
            ("what I just told you", Some(Forget::Last { just: true })),
            ("scratch that", Some(Forget::Last { just: true })),
            ("forget it", None),
            ("the thing about my boat", about("User's boat")),
            ("delete what I told you about the boat, please", about("Boat")),
            ("the boat thing", about("Boat")),
            ("that I own a boat", about("User owns a boat")),
            ("soal perahu gue", about("Perahu Pengguna")),
            ("User owns a boat", about("User owns a boat")),
            ("the", about("The")),
            ("forget everything I said about my boat", every("User's boat")),
            ("all memories of the boat", every("Boat")),
            ("semua yang aku bilang soal perahu gue", every("Perahu Pengguna")),
            ("everything about the boat except its name", about("Everything about the boat except its name")),
        ] {
            assert_eq!(asked(query), meant, "{query}");
        }
    }
}
