//! Names that are on no list, recognised by their position: doing what only people do, being asked, being in charge, being away.
//!
//! No list has all the names of the world. A capitalised word that is not an ordinary word, product or place is a stranger, and a
//! stranger in the position of a person is taken for a person. Products occur in some of those positions too, so actions that
//! programs also do (`uses`, `runs`, `needs`) do not count. German, where every noun has a capital, is left to the other rules.

use super::company::{Company, answered_by, asked_directly, from_a_team, has_human_thing, next_is_thing, verb_after, word_at};
use super::gazetteer;
use super::people_words as list;
use super::reading::{Reading, Shape};
use super::stranger_words as places;

/// Shorter words are abbreviations more often than names.
const MIN_STRANGER: usize = 3;
/// How many words back a role or an object may be.
const REACH: usize = 8;

/// Whether a word that is on no list of names is used as one.
pub(super) fn is_person(reading: &Reading, at: usize, company: Company) -> bool {
    if !stranger(reading, at) {
        return false;
    }
    if company == Company::Certain && (!asked_directly(reading, at) || list::ASKING_PERSONS.contains(reading.before(at))) {
        return true;
    }
    if reading.is_german() || next_is_thing(reading, at) && !has_human_thing(reading, at) {
        return false;
    }
    acts(reading, at)
        || is_somebody(reading, at)
        || beside_role(reading, at)
        || reached_through(reading, at)
        || full_name(reading, at, company)
        || spoken_of(reading, at)
}

/// A capitalised word on its own that is not known as anything.
fn stranger(reading: &Reading, at: usize) -> bool {
    let Some(word) = reading.words.get(at) else { return false };
    reading.shape(at) == Shape::Capital
        && (word.alone || two_parts(reading, at))
        && !word.in_code
        && word.end - word.start >= MIN_STRANGER
        && gazetteer::name(reading.word(at)).is_none()
        && !gazetteer::is_ordinary(reading.word(at))
}

/// `Eun-mi`, `Jia-Hao`: the second part is short and not an English word.
pub(super) fn two_parts(reading: &Reading, at: usize) -> bool {
    const LONGEST: usize = 6;
    let second = word_at(reading, at + 1);
    reading.gap(at) == "-"
        && !matches!(reading.char_before(at), '-' | '/' | '_' | '.' | '@')
        && !second.is_empty()
        && second.len() <= LONGEST
        && second.bytes().all(|b| b.is_ascii_lowercase())
        && (!matches!(reading.char_after(at + 1), '-' | '_' | '/' | '.') || reading.gap(at + 1).starts_with(". "))
        && !gazetteer::is_english(second)
        && !gazetteer::is_term(second)
}

/// `X wrote the`, `X usually deploys`, `X yang pegang`: done by people and rarely by programs.
fn acts(reading: &Reading, at: usize) -> bool {
    let verb = verb_after(reading, at);
    if list::HUMAN_VERBS.contains(verb) && !places::DONE_BY_PROGRAMS.contains(verb) {
        return true;
    }
    let object =
        || matches!(object_after(reading, at), "the" | "a" | "an" | "this" | "every" | "all" | "both" | "most" | "it" | "our");
    if list::AUTHORED.contains(verb) && object() {
        return true;
    }
    if places::ONLY_BY_PEOPLE.contains(verb) {
        return true;
    }
    let habit = places::HABITS.contains(reading.after(at)) && verb.ends_with('s');
    habit || reading.after(at) == "yang" && places::KNOWING.contains(reading.after(at + 1))
}

/// The second word after this one, which follows the verb.
fn object_after(reading: &Reading, at: usize) -> &str {
    let verb = if list::ADVERBS.contains(reading.after(at)) { at + 2 } else { at + 1 };
    if verb < reading.words.len() { reading.after(verb) } else { "" }
}

/// `X is away`, `X will be back`, `X is the owner of`, `X is responsible for`.
fn is_somebody(reading: &Reading, at: usize) -> bool {
    let mut next = at + 1;
    if matches!(reading.after(at), "will" | "would" | "may" | "can" | "must" | "should") {
        next += 1;
    }
    if next >= reading.words.len() || next > at + 1 && word_at(reading, next) != "be" {
        return false;
    }
    let be = next == at + 2
        || matches!(reading.after(at), "is" | "was" | "isn" | "remains" | "became" | "becomes" | "adalah" | "lagi");
    if !be {
        return false;
    }
    let after = next + 1;
    let state = word_at(reading, after);
    if places::WHEREABOUTS.contains(state)
        || places::WHEREABOUTS.contains(word_at(reading, after + 1)) && places::DEGREES.contains(state)
    {
        return true;
    }
    let office = matches!(state, "the" | "a" | "an" | "our" | "one" | "now" | "listed" | "named" | "registered" | "still");
    office && (after + 1..after + 5).any(|near| is_office(reading, near))
}

/// `The architect is X`, `reviewer: X`, `the lead, X,`, `X (QA)`, `X and the QA team`.
fn beside_role(reading: &Reading, at: usize) -> bool {
    if let Some(previous) = at.checked_sub(1) {
        let gap = reading.gap(previous);
        let colon = gap == ": " || gap == ", " || gap == " - ";
        if colon && is_office(reading, previous) {
            return true;
        }
        let told = matches!(
            reading.word(previous),
            "is" | "are"
                | "was"
                | "were"
                | "adalah"
                | "ialah"
                | "yaitu"
                | "remains"
                | "named"
                | "called"
                | "bernama"
                | "and"
                | "or"
                | "dan"
        );
        if told && gap == " " && sentence_back(reading, previous).any(|near| is_office(reading, near)) {
            return true;
        }
        if reading.words[previous].shape == Shape::Lower && list::STAFF.contains(reading.before(at)) {
            return true;
        }
    }
    let gap = reading.gap(at);
    let listed = gap == ", "
        && matches!(word_at(reading, at + 1), "then" | "and" | "or" | "lalu" | "dan")
        && (at + 2..at + 6).any(|near| is_office(reading, near) || word_at(reading, near) == "manager");
    let bracketed = gap == " (" && (list::TEAMS.contains(word_at(reading, at + 1)) || is_office(reading, at + 1));
    let joined = matches!(reading.after(at), "and" | "or" | "dan" | "atau" | "with")
        && (at + 2..at + 6).any(|near| matches!(word_at(reading, near), "team" | "tim") || is_office(reading, near))
        && !reading.gap(at + 1).contains(['.', ';', ',']);
    bracketed || joined || listed
}

/// Earlier words of the same sentence, nearest first.
fn sentence_back(reading: &Reading, from: usize) -> impl Iterator<Item = usize> + '_ {
    (from.saturating_sub(REACH)..from).rev().take_while(|near| !reading.gap(*near).contains(['.', ';', '\n']))
}

/// A role that only a person has, also in the plural.
fn is_office(reading: &Reading, at: usize) -> bool {
    let word = word_at(reading, at);
    let one = word.strip_suffix('s').unwrap_or(word);
    let office = places::OFFICES.contains(one) || places::OFFICES.contains(word);
    office || one == "manager" && at > 0 && places::MANAGED_BY_PEOPLE.contains(reading.word(at - 1))
}

/// `reviewed by X`, `shared with X`, `handed over to X`, `feedback from X`, `lewat X dulu`.
fn reached_through(reading: &Reading, at: usize) -> bool {
    if reading.words[at].sentence_start {
        return false;
    }
    if answered_by(reading, at) {
        return true;
    }
    let before = reading.before(at);
    let Some(earlier) = at.checked_sub(2) else { return false };
    let near = |set: &std::collections::HashSet<&str>, reach: usize| {
        sentence_back(reading, at - 1).take(reach).any(|index| set.contains(reading.word(index)))
    };
    match before {
        "by" | "oleh" | "von" | "par" | "por" => {
            let adverb = matches!(
                reading.word(earlier),
                "twice" | "again" | "once" | "only" | "mostly" | "solely" | "weekly" | "daily" | "monthly"
            ) || reading.word(earlier).ends_with("ly");
            let done = if adverb && earlier > 0 { reading.word(earlier - 1) } else { reading.word(earlier) };
            let person = done.ends_with("ed")
                || done.ends_with("ten")
                || places::DONE.contains(done)
                || before == "oleh" && done.starts_with("di");
            person && !places::DONE_BY_PROGRAMS_PASSIVELY.contains(done)
        }
        "with" | "dengan" | "sama" => near(&places::WITH_PERSONS, 4),
        "to" | "ke" | "kepada" => near(&places::TO_PERSONS, 4) || near(&places::HANDED_OBJECTS, 3),
        "from" | "dari" => near(&places::FROM_PERSONS, REACH),
        "between" | "antara" => near(&places::SHARED_DUTIES, 4),
        "lewat" | "via" | "through" => matches!(reading.after(at), "dulu" | "first" | "saja"),
        "for" => near(&places::FOR_PERSONS, 3),
        _ => false,
    }
}

/// Two strangers in a row, where a name can be.
fn full_name(reading: &Reading, at: usize, company: Company) -> bool {
    let pair = |first: usize| {
        first + 1 < reading.words.len() && reading.gap(first) == " " && stranger(reading, first) && stranger(reading, first + 1)
    };
    let first = if pair(at) {
        at
    } else if at > 0 && pair(at - 1) {
        at - 1
    } else {
        return false;
    };
    let last = first + 1;
    let verb = verb_after(reading, last);
    let thing = next_is_thing(reading, last) || list::TOOL_NOUNS.contains(reading.after(last));
    let foreign = reading.is_french() || reading.is_spanish();
    if thing || foreign || matches!(reading.before(first), "the" | "a" | "an") {
        return false;
    }
    list::HUMAN_VERBS.contains(verb)
        || list::STRICT_VERBS.contains(verb)
        || has_human_thing(reading, last)
        || from_a_team(reading, last)
        || company >= Company::Weak && !reading.words[first].sentence_start
        || !reading.is_indonesian()
}

/// `X, who`, `only X knows`, `since X left`, `laptop X dipakai`.
fn spoken_of(reading: &Reading, at: usize) -> bool {
    let who = reading.gap(at) == ", " && matches!(word_at(reading, at + 1), "who" | "whose" | "whom");
    let only = matches!(reading.before(at), "only" | "hanya")
        && matches!(reading.after(at), "may" | "can" | "knows" | "has" | "bisa" | "boleh" | "tahu" | "yang");
    let on_duty = !reading.words[at].sentence_start
        && sentence_back(reading, at).any(|near| {
            places::DUTIES.contains(reading.word(near))
                || reading.word(near) == "call"
                    && reading.before(near).is_empty()
                    && word_at(reading, near.wrapping_sub(1)) == "on"
        });
    let weekday = |word: &str| word.strip_suffix('s').unwrap_or(word).ends_with("day") || places::WEEKDAYS.contains(word);
    let on_that_day = weekday(reading.before(at)) && gazetteer::is_english(reading.after(at)) && reading.after(at).ends_with('s');
    let done = places::DONE_INDONESIAN.contains(reading.before(at));
    let owned = places::OWNED_IN_INDONESIAN.contains(reading.before(at)) && !reading.is_french();
    let apposed = reading.gap(at) == ", "
        && matches!(word_at(reading, at + 1), "the" | "our" | "a" | "an")
        && (at + 2..at + 6).any(|near| is_office(reading, near) && reading.gap(near).starts_with([',', '.', ')']));
    let met = places::MET.contains(reading.before(at)) && !reading.words[at].sentence_start;
    who || only
        || apposed
        || met
        || owns(reading, at)
        || on_duty
        || on_that_day
        || done
        || owned && (reading.is_indonesian() || reading.words[at - 1].sentence_start)
}

/// `is X's code`, `X's responsibility`, `two signatures, X's and`.
fn owns(reading: &Reading, at: usize) -> bool {
    let Some(s) = (reading.gap(at) == "'" && word_at(reading, at + 1) == "s").then_some(at + 1) else { return false };
    let thing = word_at(reading, s + 1);
    let own = |noun: &str| places::OWN.contains(noun) || list::HUMAN_THINGS.contains(noun);
    match reading.possessed(at) {
        Some(_) if matches!(thing, "and" | "or" | "dan") => true,
        Some(_) => places::OWN.contains(thing) || own(reading.after(s + 1)) && !list::THINGS.contains(thing),
        None => !reading.words[at].sentence_start,
    }
}
