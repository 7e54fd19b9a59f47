//! Words that look like personal names but name a thing, judged by their neighbours or by what the sentence says about them.

use super::company::{follows_article, has_human_thing, next_is_thing, title_before, verb_after, word_at};
use super::gazetteer::{self, NameClass};
use super::people::plural_family;
use super::people_words as list;
use super::reading::{Reading, Shape};

/// A law, an algorithm, a product part, a code name: not the person.
pub(super) fn is_thing(reading: &Reading, at: usize, class: Option<NameClass>) -> bool {
    if named_after(reading, at) {
        return true;
    }
    let (before, next) = (reading.before(at), reading.after(at));
    // `bulan Mei`, `Mei dan Juli`.
    let months = ["bulan", "april", "juni", "juli", "agustus"];
    let near = [reading.before(at), reading.after(at), reading.after(at + 1)];
    if reading.word(at) == "mei" && near.iter().any(|word| months.contains(word)) {
        return true;
    }
    // `Mark 3 of the pump housing`.
    let model = matches!(reading.after(at + 1), "" | "of" | "and" | "weighs" | "uses");
    if reading.word(at) == "mark" && model && reading.words.get(at + 1).is_some_and(|next| next.shape == Shape::Number) {
        return true;
    }
    if list::PRODUCT_KINDS.contains(next) && reading.shape(at + 1) == Shape::Upper && reading.shape(at) == Shape::Capital {
        return true;
    }
    if is_place(reading, at, class) || names_a_thing(reading, at, class) || said_to_be_a_name(reading, at) {
        return true;
    }
    if matches!(class, Some(NameClass::WordToo | NameClass::ThingToo)) && listed_as_things(reading, at) {
        return true;
    }
    let located = matches!(before, "the" | "a" | "in" | "at" | "near" | "di");
    if located
        && list::PLACE_NOUNS.contains(next)
        && reading.shape(at + 1) == Shape::Capital
        && reading.shape(at) == Shape::Capital
    {
        return true;
    }
    // `Norman doors is the term for handles that mislead`.
    if matches!(class, Some(NameClass::WordToo | NameClass::ThingToo | NameClass::Surname | NameClass::Common))
        && reading.words[at].sentence_start
        && ["is the term", "are the names of", "is the name of", "is slang for", "is jargon for"]
            .iter()
            .any(|sign| reading.lower().contains(sign))
        && !(0..reading.words.len()).any(|index| list::ROLES.contains(reading.word(index)))
    {
        return true;
    }
    let compass = matches!(reading.word(at), "timur" | "barat" | "utara" | "selatan" | "tengah" | "tenggara");
    if compass && reading.is_indonesian() && !title_before(reading, at) && !list::STRICT_VERBS.contains(next) {
        return true;
    }
    if matches!(next, "is" | "was")
        && matches!(reading.after(at + 1), "the" | "a" | "an" | "our")
        && defined_as_thing(reading, at)
    {
        return true;
    }
    if before == "named" && at >= 2 && reading.word(at - 2) == "code" {
        return true;
    }
    let defined =
        matches!(before, "is" | "adalah" | "named" | "called") && at >= 2 && list::CODE_NAMES.contains(&reading.before(at - 1));
    if list::CODE_NAMES.contains(&before) || defined {
        return true;
    }
    let written = reading.shape(at);
    let article = follows_article(reading, at) && !reading.gap(at).starts_with('\'');
    if written == Shape::Capital && list::TOOL_NOUNS.contains(reading.after(at)) {
        return true;
    }
    let both =
        matches!(reading.word(at), "alice" | "bob") && reading.lower().contains("alice") && reading.lower().contains("bob");
    if both
        && ["protocol", "crypto", "diagram", "names used", "key exchange", "placeholder"]
            .iter()
            .any(|sign| reading.lower().contains(sign))
    {
        return true;
    }
    article && next_is_thing(reading, at) && written != Shape::Lower && !has_human_thing(reading, at)
        || class.is_some()
            && written == Shape::Lower
            && list::THINGS.contains(&reading.after(at))
            && !list::HUMAN_THINGS.contains(&reading.after(at))
}

/// `the depot in Florence.`, `in Washington, Houston and Columbus`, and destinations, `flights to Livingstone`.
fn is_place(reading: &Reading, at: usize, class: Option<NameClass>) -> bool {
    // Maximum number of list words to look through.
    const FAR: usize = 12;
    let is_city = |at: usize| gazetteer::is_city(reading.word(at)) && reading.shape(at) == Shape::Capital;
    if !is_city(at) || has_human_thing(reading, at) {
        return false;
    }
    let surname = reading.words.get(at + 1).is_some_and(|next| next.shape == Shape::Capital) && reading.gap(at) == " ";
    let next = verb_after(reading, at);
    let acts = list::HUMAN_VERBS.contains(next)
        || list::STRICT_VERBS.contains(next)
        || next.len() > 3 && next.ends_with('s') && !next.ends_with("ss");
    // In a list of cities, the word before the first applies to all of them.
    let mut first = at;
    while at - first < FAR && first > 0 {
        let before = first - 1;
        let joined = matches!(reading.word(before), "and" | "or" | "dan" | "atau") && before > 0;
        let member = if joined { before - 1 } else { before };
        if !(is_city(member) && (joined || reading.gap(member).starts_with(','))) {
            break;
        }
        first = member;
    }
    let stands = match reading.before(first) {
        "in" | "di" => first >= 2 && of_a_place(reading, first - 1),
        "from" | "to" | "between" | "via" | "ke" | "dari" | "antara" => {
            class != Some(NameClass::Common) && first >= 2 && list::TRAVELS.contains(reading.word(first - 2))
        }
        _ => false,
    };
    stands && !surname && !acts
}

/// Whether a word about places comes before the one at `at`, in the same sentence.
fn of_a_place(reading: &Reading, at: usize) -> bool {
    const FAR: usize = 8;
    let mut before = (at.saturating_sub(FAR)..at).rev().take_while(|index| !reading.gap(*index).contains(['.', ';', '!', '?']));
    before.any(|index| list::PLACES.contains(reading.word(index)) || list::TRAVELS.contains(reading.word(index)))
}

/// `Storm Ciara damaged`, `varietas Bima`: also a storm, but not a man called Topan. A verb in the present tense, or a thing that
/// people have, points to a person: `the ferry Ratna books`.
fn names_a_thing(reading: &Reading, at: usize, class: Option<NameClass>) -> bool {
    let known = matches!(class, Some(NameClass::Common | NameClass::Given));
    let kind = list::BEFORE_NAMES_OF_THINGS.contains(reading.word(at)) && !known;
    if kind && reading.words.get(at + 1).is_some_and(|next| next.shape == Shape::Capital) {
        return true;
    }
    let before = reading.before(at);
    let of_a_kind = list::BEFORE_NAMES_OF_THINGS.contains(before) || !known && list::BEFORE_NAMES_OF_ROOMS.contains(before);
    let next = reading.after(at);
    let acts = list::HUMAN_VERBS.contains(&next) || list::STRICT_VERBS.contains(&next) || next.ends_with("ed") && known;
    let storm = matches!(before, "storm" | "typhoon" | "hurricane" | "cyclone" | "topan" | "badai" | "siklon");
    of_a_kind && reading.shape(at) == Shape::Capital && (storm || !acts) && !has_human_thing(reading, at)
}

/// `Wati adalah nama robot`, `the meeting room called Grace`.
fn said_to_be_a_name(reading: &Reading, at: usize) -> bool {
    // How far to look; searching the whole text for every word would be quadratic.
    const FAR: usize = 160;
    let word = &reading.words[at];
    let lower = reading.lower();
    let from = (word.start.saturating_sub(FAR)..=word.start).find(|at| lower.is_char_boundary(*at)).unwrap_or(word.start);
    let to = (word.end..=(word.end + FAR).min(lower.len())).rev().find(|at| lower.is_char_boundary(*at)).unwrap_or(word.end);
    let (before, after) = (&lower[from..word.start], &lower[word.end..to]);
    let named = pattern!(
        r"^(?: [a-z]+)? (?:is|was) the (?:nick)?name of (?:the|a|an|our) (?:[a-z-]+ ){0,2}(?:robot|boat|ship|ferry|van|truck|forklift|machine|oven|kiln|pump|boiler|cat|dog|cow|horse|goat|tractor|drone|bot|tool|script|room|hall|storm|cluster|database|release|font)(?:[.,;]|$| (?:in|on|at|of)\b)|^(?: [a-z]+)? (?:adalah|menjadi|dipakai sebagai) (?:nama|merek|merk|sebutan) (?:robot|mesin|kapal|perahu|beras|lampu|ruang|ruangan|aula|gedung|kucing|anjing|sapi|kambing|mobil|truk|kopi|teh|cat|sabun|produk|varietas|rilis|aplikasi|bot)(?:[.,;]|$| (?:di|yang|untuk)\b)"
    );
    let called = pattern!(
        r"(?:^|[.;] |\b(?:the|a|an|our) (?:[a-z]+ )?)(?:room|robot|boat|ship|ferry|van|truck|forklift|oven|kiln|pump|drone|hall|cluster|release|bot|ruang|ruangan|aula|kapal|mesin) (?:is |are |was )?(?:called|named|nicknamed|bernama|dinamai|diberi nama) $"
    );
    let listed = pattern!(
        r"\b(?:rooms|halls|wards|robots|boats|ships|ferries|vans|trucks|forklifts|ovens|kilns|pumps|drones|clusters|releases|ruangan|aula|kapal|mesin)\b[^.;\n]{0,30} (?:called|named|bernama|dinamai) (?:[a-z]+(?:, and |, | and | dan ))*$"
    );
    named.is_match(after.as_bytes()) || called.is_match(before.as_bytes()) || listed.is_match(before.as_bytes())
}

/// `Rose, Olive and Hazel are the three paint shades`.
fn listed_as_things(reading: &Reading, at: usize) -> bool {
    const FAR: usize = 5;
    const LONGEST_LIST: usize = 16;
    let listed =
        |index: &usize| reading.shape(*index) == Shape::Capital || matches!(reading.word(*index), "and" | "or" | "dan" | "atau");
    let verb = (at..reading.words.len()).take(LONGEST_LIST).find(|index| !listed(index)).unwrap_or(at);
    let named = &list::NAMED_THINGS;
    matches!(word_at(reading, verb), "are" | "were" | "adalah")
        && (verb + 1..=verb + FAR).any(|index| named.contains(word_at(reading, index)))
}

/// `Lucia is the font`: the kind of thing follows the article, or comes one word later.
fn defined_as_thing(reading: &Reading, at: usize) -> bool {
    let is_noun = |index: usize| {
        let noun = word_at(reading, index);
        list::TOOL_NOUNS.contains(noun) || list::THINGS.contains(noun) && !list::HUMAN_THINGS.contains(noun)
    };
    let ends = |index: usize| !list::STAFF.contains(word_at(reading, index + 1));
    is_noun(at + 3) && ends(at + 3) || is_noun(at + 4) && !list::STAFF.contains(word_at(reading, at + 3)) && ends(at + 4)
}

/// `Moore's law`, `Boyer-Moore search`, `the Adam optimizer`.
pub(super) fn named_after(reading: &Reading, at: usize) -> bool {
    let eponym = gazetteer::is_term(reading.word(at))
        || matches!(
            gazetteer::name(reading.word(at)).or_else(|| plural_family(reading, at, reading.word(at))),
            None | Some(NameClass::ThingToo)
        );
    let noun = |index: usize| {
        index < reading.words.len()
            && (list::STRICT_EPONYM_NOUNS.contains(&reading.word(index))
                || eponym && list::EPONYM_NOUNS.contains(&reading.word(index)))
    };
    let mut index = at + 1;
    if reading.words.get(index).is_some() && reading.gap(at) == "'" && reading.word(index) == "s" {
        index += 1;
    }
    let linked = |from: usize, to: usize| {
        (from..to).all(|i| i < reading.words.len() && reading.gap(i).len() <= 2 && !reading.gap(i).contains([',', '.', ';', ':']))
    };
    if noun(index) && linked(at, index) {
        return true;
    }
    // With one more word between: `Bloom filter false`, `Hindley-Milner type inference`, `Conway's game of life`.
    let between = index < reading.words.len()
        && (reading.words[index].shape == Shape::Capital || list::EPONYM_ADJECTIVES.contains(&reading.word(index)));
    between && noun(index + 1) && linked(at, index + 1) && !list::HUMAN_THINGS.contains(&reading.word(index + 1))
}
