//! Recognises commands to the memory in a line of a chat.

/// A command. Its argument is kept as typed, with single spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `/remember TEXT`; empty: asks for the usage.
    Remember(String),
    /// `/forget SUBSTRING`
    Forget(String),
    /// `/forget` alone, or `/forget all`
    ForgetAll,
    /// `/memory`: the notes as a list.
    Memory,
    /// `/memories`, or the same in plain words: everything with its ids.
    Memories,
    /// `/reset`
    Reset,
    /// `/reset_memory`: all notes.
    ResetMemory,
    /// `/help`
    Help,
}

/// Arguments of `/forget` that mean everything, including none.
const ALL: [&str; 3] = ["", "all", "semua"];

/// Parses a line. `None`: it is no command, but for the assistant. `/command@botname` is accepted, because Telegram writes it so
/// in groups.
#[must_use]
pub fn read(line: &str) -> Option<Command> {
    let line = line.trim();
    let Some(rest) = line.strip_prefix('/') else {
        return asks_what_is_known(line).then_some(Command::Memories);
    };
    let mut words = rest.split_whitespace();
    // "/ forget" is no command.
    let name = words.next().filter(|name| rest.starts_with(name))?;
    let name = name.split_once('@').map_or(name, |(name, _)| name).to_ascii_lowercase();
    let argument = words.collect::<Vec<_>>().join(" ");
    Some(match name.as_str() {
        "remember" => Command::Remember(argument),
        "forget" if ALL.contains(&argument.to_ascii_lowercase().as_str()) => Command::ForgetAll,
        "forget" => Command::Forget(argument),
        "memory" => Command::Memory,
        "memories" => Command::Memories,
        "reset" => Command::Reset,
        "reset_memory" => Command::ResetMemory,
        "help" => Command::Help,
        _ => return None,
    })
}

/// Questions by which people ask what is known about them, without punctuation. `{me}` stands for each of [`ME`].
const QUESTIONS: [&str; 15] = [
    "what do you remember about me",
    "what do you know about me",
    "what have you remembered about me",
    "what do you have on me",
    "show me what you remember about me",
    "show me what you know about me",
    "tell me what you remember about me",
    "tell me what you know about me",
    "show my memories",
    "apa yang {you} ingat tentang {me}",
    "apa yang {you} inget tentang {me}",
    "apa aja yang {you} inget tentang {me}",
    "apa saja yang {you} ingat tentang {me}",
    "apa yang {you} tahu tentang {me}",
    "{you} inget apa tentang {me}",
];
const ME: [&str; 6] = ["aku", "saya", "gue", "gua", "gw", "ku"];
const YOU: [&str; 6] = ["kamu", "lo", "lu", "anda", "elo", "kau"];

fn asks_what_is_known(line: &str) -> bool {
    // No form is longer.
    const LONGEST: usize = 100;
    if line.len() > LONGEST {
        return false;
    }
    let said = said_words(line);
    let courtesy = ["please", "hey", "hi", "halo", "hai", "eh", "so", "tolong", "coba"];
    let said: &[String] = match said.first() {
        Some(first) if courtesy.contains(&first.as_str()) => &said[1..],
        _ => &said,
    };
    let is = |form: &str| {
        let form: Vec<&str> = form.split(' ').collect();
        form.len() == said.len()
            && form.iter().zip(said).all(|(form, said)| match *form {
                "{me}" => ME.contains(&said.as_str()),
                "{you}" => YOU.contains(&said.as_str()),
                word => word == said,
            })
    };
    QUESTIONS.iter().any(|form| is(form))
}

/// Whether a line mentions its speaker. Only then does "everything" in it mean the memories about them, and not, say, the files
/// of a folder.
#[must_use]
pub fn names_speaker(line: &str) -> bool {
    said_words(line).iter().any(|word| ["i", "me", "my", "myself"].contains(&word.as_str()) || ME.contains(&word.as_str()))
}

/// Words of a line in lower case, without punctuation.
fn said_words(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Whether a line consists of exactly this phrase, ignoring case, spaces and punctuation.
#[must_use]
pub fn says(line: &str, phrase: &str) -> bool {
    // A longer line cannot match.
    line.len() <= 2 * phrase.len() && said_words(line) == said_words(phrase)
}

/// Whether a text contains `substring`, ignoring case.
#[must_use]
pub fn contains(text: &str, substring: &str) -> bool {
    text.to_lowercase().contains(&substring.to_lowercase())
}

/// Joins as many whole lines as fit into `max_chars` characters. `rest` words the number of lines left out, including `beyond`
/// further ones that are not in `lines`.
#[must_use]
pub fn whole_lines(head: &str, lines: &[String], beyond: usize, max_chars: usize, rest: impl Fn(usize) -> String) -> String {
    let chars = |text: &str| text.chars().count();
    let all = chars(head) + lines.iter().map(|line| chars(line) + 1).sum::<usize>();
    let last = chars(&rest(lines.len() + beyond)) + 1;
    let room = if beyond == 0 && all <= max_chars { max_chars } else { max_chars.saturating_sub(last) };
    let (mut text, mut used, mut taken) = (head.to_owned(), chars(head), 0);
    for line in lines {
        used += chars(line) + 1;
        if used > room {
            break;
        }
        text.push('\n');
        text.push_str(line);
        taken += 1;
    }
    let left = lines.len() - taken + beyond;
    if left > 0 {
        text.push('\n');
        text.push_str(&rest(left));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_known_with_or_without_the_name_of_a_bot() {
        for (line, command) in [
            ("/remember  likes\n tea ", Some(Command::Remember("likes tea".to_owned()))),
            ("/REMEMBER@keepsake_bot likes tea", Some(Command::Remember("likes tea".to_owned()))),
            ("/remember", Some(Command::Remember(String::new()))),
            ("/forget Tea", Some(Command::Forget("Tea".to_owned()))),
            ("/forget", Some(Command::ForgetAll)),
            ("/forget@keepsake_bot ", Some(Command::ForgetAll)),
            ("/forget ALL", Some(Command::ForgetAll)),
            ("/forget semua", Some(Command::ForgetAll)),
            ("/forget all tea", Some(Command::Forget("all tea".to_owned()))),
            ("/memory", Some(Command::Memory)),
            ("/memories@x", Some(Command::Memories)),
            (" /reset ", Some(Command::Reset)),
            ("/reset_memory", Some(Command::ResetMemory)),
            ("/help", Some(Command::Help)),
            ("/ forget tea", None),
            ("/", None),
            ("/start", None),
            ("/etc/passwd", None),
            ("remember that I like tea", None),
            ("", None),
        ] {
            assert_eq!(read(line), command, "{line}");
        }
    }

    #[test]
    fn the_question_what_is_known_is_a_command_in_plain_words() {
        for asked in [
            "What do you remember about me?",
            "what do you know about me",
            "Hey, what do you remember about me??",
            "Apa yang kamu ingat tentang aku?",
            "apa yang lo inget tentang gue",
            "Lo inget apa tentang gue?",
        ] {
            assert_eq!(read(asked), Some(Command::Memories), "{asked}");
        }
        for other in [
            "what do you remember about Rome?",
            "what do you know about me and Rome?",
            "do you know what he said about me?",
            "apa yang kamu ingat tentang dia?",
            "what do you think about me?",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn a_line_names_its_speaker_or_not() {
        for line in ["Forget everything about me.", "delete all I told you", "lupakan semua tentang gue"] {
            assert!(names_speaker(line), "{line}");
        }
        for line in ["delete everything", "hapus semua", "forget all of it", ""] {
            assert!(!names_speaker(line), "{line}");
        }
    }

    #[test]
    fn a_phrase_is_said_whole_or_not_at_all() {
        for line in ["ya hapus semua", "Ya, hapus semua!", " ya  hapus semua. "] {
            assert!(says(line, "ya hapus semua"), "{line}");
        }
        for line in ["ya", "hapus semua", "ya hapus semua dong", "tidak, ya hapus semua", "yahapussemua", ""] {
            assert!(!says(line, "ya hapus semua"), "{line}");
        }
    }

    #[test]
    fn case_does_not_matter_in_a_search() {
        assert!(contains("Suka KOPI Äpfel", "kopi äP") && !contains("Suka kopi", "teh"));
    }

    #[test]
    fn a_list_is_cut_between_lines() {
        let lines: Vec<String> = (1..=9).map(|n| format!("{n}. {}", "é".repeat(7))).collect();
        let rest = |n: usize| format!("+{n}");
        assert_eq!(whole_lines("Notes:", &lines, 0, 6 + 9 * 11, rest).lines().count(), 10, "all fit exactly");
        let cut = whole_lines("Notes:", &lines, 0, 6 + 9 * 11 - 1, rest);
        assert!(cut.chars().count() <= 104 && cut.ends_with("\n8. ééééééé\n+1"), "{cut}");
        assert!(whole_lines("Notes:", &lines, 4, 6 + 9 * 11, rest).ends_with("\n8. ééééééé\n+5"));
        assert!(whole_lines("Notes:", &lines, 4, 200, rest).ends_with("\n9. ééééééé\n+4"));
        assert_eq!(whole_lines("Notes:", &lines, 0, 12, rest), "Notes:\n+9");
        assert_eq!(whole_lines("Notes:", &[], 0, 20, rest), "Notes:");
    }
}
