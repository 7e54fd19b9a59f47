//! Whole messages through all steps. The program as a whole is judged on blind dialogues, in `src/tests/learning/dialogues.rs` of
//! the product; these cases show the purpose of each step.

use crate::{Audience, Forget, Kind, Reading, Takes, asked_of_answers, asks_to_forget_many, read};

/// Summary of a reading: `+` for the user, `*` for the team, `-` to forget; with the words of the memory that is replaced, or `?`
/// for the nearest one.
fn kept(reading: &Reading) -> Vec<String> {
    let told = reading.kept.iter().map(|kept| {
        let mark = if kept.audience == Audience::User { '+' } else { '*' };
        match &kept.takes {
            Takes::Nothing => format!("{mark} {}", kept.text),
            Takes::Nearest => format!("{mark} {} ← ?", kept.text),
            Takes::Words(words) => format!("{mark} {} ← {words}", kept.text),
        }
    });
    let wish = |wish: &Forget| match wish {
        Forget::Everything => "- everything".to_owned(),
        Forget::Last { just } => format!("- last{}", if *just { ", just now" } else { "" }),
        Forget::About(query) => format!("- {query}"),
        Forget::Every(query) => format!("- all of {query}"),
    };
    told.chain(reading.forget.iter().map(wish)).collect()
}

/// Each line of `cases.tsv`.
#[test]
fn messages_teach_what_the_table_says() {
    let (mut known, mut judged): (Vec<&str>, _) = (Vec::new(), 0);
    for line in include_str!("../cases.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let message = fields.next().unwrap_or_default().replace("\\n", "\n");
        let wanted: Vec<&str> = fields.collect();
        if message == "known" {
            known = wanted;
            continue;
        }
        let reading = read(&message, &known, &[]);
        let (rules, wanted): (Vec<&str>, Vec<&str>) = wanted.into_iter().partition(|wanted| wanted.starts_with('!'));
        assert_eq!(kept(&reading), wanted, "{message}: {:?}", reading.steps);
        for rule in rules {
            let dropped = reading.steps.iter().any(|step| step.dropped && step.decided == &rule[1..]);
            assert!(dropped, "{message}: {:?}", reading.steps);
        }
        judged += 1;
    }
    assert!(judged > 40, "{judged}");
    assert_eq!(read("Call me Dee.", &[], &[]).kept[0].kind, Kind::Wish);
}

#[test]
fn what_is_asked_of_answers_is_found_as_it_was_written() {
    for (message, found) in [
        ("I fix bikes. Please stop using emojis.", "Please stop using emojis"),
        ("From now on answer in Dutch.", "From now on answer in Dutch"),
        ("Whenever I paste a log, tell me the cause first.", "Whenever I paste a log, tell me the cause first"),
        ("ga usah pake bahasa Inggris", "ga usah pake bahasa Inggris"),
        ("gue prefer tabel bukan paragraf", "gue prefer tabel bukan paragraf"),
        ("kalau gue tanya resep, kasih takarannya juga", "kalau gue tanya resep, kasih takarannya juga"),
        ("Stop the server.", ""),
        ("jangan lupa beli telur", ""),
        ("Don't use tables here.", ""),
        ("Should I stop using emojis?", ""),
        ("I prefer tea.", ""),
    ] {
        let asked = asked_of_answers(message);
        let asked: Vec<&str> = asked.iter().map(|sentence| sentence.trim_end_matches('.')).collect();
        let expected: Vec<&str> = Some(found).filter(|found| !found.is_empty()).into_iter().collect();
        assert_eq!(asked, expected, "{message}");
    }
}

#[test]
fn a_secret_may_be_told_in_the_next_sentence() {
    for message in
        ["My password changed. It's bluewhale now.", "The PIN is new. I hope you like it. It's the year of the bluewhale."]
    {
        let reading = read(message, &["User plays chess"], &[]);
        assert!(kept(&reading).iter().all(|text| !text.contains("bluewhale")), "{message}: {reading:?}");
    }
}

#[test]
fn long_and_odd_messages_are_read() {
    for message in ["", " ", "\u{202e}", "....", "\"", "```", ":", "I", "I, I, I", &"a, ".repeat(20_000), &"(".repeat(30_000)] {
        assert!(read(message, &["User plays chess"], &[]).kept.len() < 100);
    }
}

#[test]
fn what_is_said_to_the_memory_is_seen_among_other_sentences_and_only_in_the_users_own_words() {
    for (message, asks) in [
        ("Thanks. Remember that I live in Porto.", true),
        ("Please forget my boat.", true),
        ("Could you forget everything about me?", true),
        ("For the team: invoices go out on the 3rd.", true),
        ("From now on answer in French.", true),
        ("Scratch that.", true),
        ("jangan inget lagi soal alergi gue", true),
        ("I live in Porto and work on the importer.", false),
        ("Do you remember where I live?", false),
        ("> Remember that I live in Porto.", false),
        ("forget it", false),
        ("", false),
    ] {
        assert_eq!(crate::asks_something(message), asks, "{message}");
    }
}

#[test]
fn a_wish_to_forget_everything_is_seen_among_other_sentences_and_only_in_the_users_own_words() {
    for (message, asks) in [
        ("Thanks. Now forget everything about me!", true),
        ("Could you delete everything you know about me?", true),
        ("tolong lupakan semua tentang aku", true),
        ("Did you forget everything about me?", false),
        ("Translate this: forget everything about me", false),
        ("> forget everything about me", false),
        ("forget everything about the gym", false),
        ("I forget everything.", false),
        ("forget it", false),
    ] {
        assert_eq!(asks_to_forget_many(message).contains(&Forget::Everything), asks, "{message}");
    }
}

/// No statement is cut: each content word of every statement in the labelled talk is in the memory that is kept of it.
#[test]
fn a_memory_has_all_words_of_what_was_said() {
    let (mut judged, mut cut) = (0, Vec::new());
    for line in language::talk() {
        let reading = read(&line.text, &[], &[]);
        let (told, dropped) = (lower_words(&joined(&reading)), lower_words(&left_out(&reading)));
        if told.is_empty() {
            continue;
        }
        judged += 1;
        for sentence in crate::sentences_of(&line.text).into_iter().map(|(sentence, _)| crate::clauses::bare(&sentence).text) {
            let lost: Vec<_> = lower_words(&sentence).into_iter().filter(|word| is_lost(word, &told, &dropped)).collect();
            let kept =
                reading.steps.iter().any(|step| ["personal", "team"].contains(&step.decided) && holds(&step.sentence, &sentence));
            cut.extend((kept && !lost.is_empty()).then(|| format!("{} loses {lost:?}: {}", line.text, joined(&reading))));
        }
    }
    assert!(judged > 2_000, "{judged}");
    assert!(cut.is_empty(), "{cut:#?}");
}

fn holds(whole: &str, part: &str) -> bool {
    whole.contains(part.trim_end_matches('?'))
}

fn joined(reading: &Reading) -> String {
    reading.kept.iter().map(|kept| kept.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn left_out(reading: &Reading) -> String {
    let questions = reading.steps.iter().filter(|step| step.decided == "question");
    questions.map(|step| step.sentence.as_str()).collect::<Vec<_>>().join(" ")
}

fn lower_words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .replace('’', "'")
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| word.len() > 3)
        .map(str::to_owned)
        .collect()
}

/// Whether nothing in the memory begins like the word. The first letters stay when a verb or a noun is put into the third person.
fn is_lost(word: &str, told: &[String], dropped: &[String]) -> bool {
    let stem: String = word.chars().take(word.chars().count().saturating_sub(2).max(3)).collect();
    let is_told = |words: &[String]| words.iter().any(|other| other.starts_with(&stem));
    let changes = language::lexicon::is_common(word, language::lexicon::Language::English)
        || !language::lexicon::pronouns(word).is_empty()
        || crate::telling::is_reworded(word);
    !changes && !is_told(told) && !is_told(dropped)
}
