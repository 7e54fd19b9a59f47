//! Finds explicit requests in a question to use the memories of some authors only, or of all but some: "use only Claude's
//! memories", "exclude Claude's", "abaikan ingatan Claude".
//!
//! Such a wish is a clause of its own: it begins a sentence or follows a comma, names an action and the authors, and ends there.
//! A question that only mentions an author ("what does Claude cost?") contains no wish. Wishes filter team facts, never personal
//! memories.

use crate::facts::provenance::{Origin, OriginFilter};

/// A question without its wishes, and the filter that they ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scoped {
    /// The text to search for. If the question was nothing but a wish, the whole of it.
    pub text: String,
    pub origins: OriginFilter,
}

/// Words that may precede a wish and change nothing about it.
const POLITE: [&str; 12] = ["please", "kindly", "now", "then", "also", "and", "but", "so", "tolong", "mohon", "dan", "tapi"];
/// Questions that are polite orders: "can you …".
const CAN: [&str; 4] = ["can", "could", "would", "will"];
const BISA: [&str; 3] = ["bisa", "bisakah", "dapatkah"];
const YOU: [&str; 3] = ["you", "kamu", "anda"];
/// Verbs of a wish to use memories.
const VERBS: [&str; 26] = [
    "use",
    "using",
    "consult",
    "consulting",
    "search",
    "searching",
    "answer",
    "answering",
    "reply",
    "replying",
    "respond",
    "responding",
    "rely",
    "relying",
    "recall",
    "recalling",
    "stick",
    "sticking",
    "gunakan",
    "pakai",
    "pakailah",
    "jawab",
    "jawablah",
    "andalkan",
    "menggunakan",
    "memakai",
];
/// Small words between the verb and the memories.
const FILLERS: [&str; 24] = [
    "with",
    "using",
    "use",
    "from",
    "on",
    "in",
    "to",
    "by",
    "based",
    "what",
    "this",
    "me",
    "it",
    "dengan",
    "dari",
    "pakai",
    "menggunakan",
    "memakai",
    "berdasarkan",
    "pertanyaan",
    "ini",
    "the",
    "all",
    "of",
];
const ONLY: [&str; 8] = ["only", "just", "solely", "exclusively", "strictly", "hanya", "cukup", "saja"];
const ONLY_AFTER: [&str; 5] = ["only", "alone", "exclusively", "saja", "doang"];
/// Beginnings of a wish to exclude memories.
const EXCLUDE: [&[&str]; 26] = [
    &["exclude"],
    &["excluding"],
    &["ignore"],
    &["ignoring"],
    &["disregard"],
    &["omit"],
    &["skip"],
    &["leave", "out"],
    &["leaving", "out"],
    &["without", "using"],
    &["do", "not", "use"],
    &["don't", "use"],
    &["dont", "use"],
    &["not", "using"],
    &["never", "use"],
    &["use", "everything", "but"],
    &["use", "everything", "except"],
    &["abaikan"],
    &["kecualikan"],
    &["lewati"],
    &["jangan", "gunakan"],
    &["jangan", "pakai"],
    &["jangan", "sertakan"],
    &["jangan", "ikutkan"],
    &["tanpa", "menggunakan"],
    &["tanpa", "memakai"],
];
const DETERMINERS: [&str; 8] = ["the", "all", "any", "of", "our", "my", "semua", "para"];
const NOUNS: [&str; 13] = [
    "memories",
    "memory",
    "knowledge",
    "facts",
    "fact",
    "notes",
    "note",
    "recollections",
    "ingatan",
    "memori",
    "pengetahuan",
    "catatan",
    "fakta",
];
/// Words between the memories and their author: "the memories of Claude", "ingatan milik Claude".
const OF: [&str; 7] = ["of", "from", "by", "dari", "milik", "punya", "si"];
const AND: [&str; 5] = ["and", "or", "nor", "dan", "atau"];
/// Names of the authors, longest first.
const AUTHORS: [(&[&str], Origin); 24] = [
    (&["claude", "code"], Origin::Agent),
    (&["claude-code"], Origin::Agent),
    (&["claude"], Origin::Agent),
    (&["coding", "agent"], Origin::Agent),
    (&["coding", "agents"], Origin::Agent),
    (&["agent"], Origin::Agent),
    (&["agents"], Origin::Agent),
    (&["agen"], Origin::Agent),
    (&["busybro"], Origin::Assistant),
    (&["keepsake"], Origin::Assistant),
    (&["assistant"], Origin::Assistant),
    (&["asisten"], Origin::Assistant),
    (&["teammate"], Origin::User),
    (&["teammates"], Origin::User),
    (&["team", "mates"], Origin::User),
    (&["team", "members"], Origin::User),
    (&["colleague"], Origin::User),
    (&["colleagues"], Origin::User),
    (&["coworkers"], Origin::User),
    (&["rekan", "tim"], Origin::User),
    (&["rekan", "setim"], Origin::User),
    (&["rekan", "kerja"], Origin::User),
    (&["rekan"], Origin::User),
    (&["anggota", "tim"], Origin::User),
];
/// Phrases that may follow a wish within its clause.
const TAILS: [&[&str]; 22] = [
    &["for", "this", "question"],
    &["for", "this", "answer"],
    &["for", "this", "turn"],
    &["for", "this", "one"],
    &["for", "this"],
    &["for", "that"],
    &["for", "now"],
    &["this", "time"],
    &["to", "answer", "this", "question"],
    &["to", "answer", "the", "question"],
    &["to", "answer", "this"],
    &["to", "answer", "that"],
    &["to", "answer"],
    &["when", "answering"],
    &["when", "you", "answer"],
    &["here"],
    &["please"],
    &["untuk", "pertanyaan", "ini"],
    &["untuk", "menjawab"],
    &["untuk", "ini"],
    &["kali", "ini"],
    &["ya"],
];
/// Words that join a second order in the same sentence, and its verbs: "… and tell me".
const THEN: [&str; 6] = ["and", "then", "to", "dan", "lalu", "kemudian"];
const NEXT: [&str; 30] = [
    "tell",
    "answer",
    "give",
    "list",
    "show",
    "explain",
    "say",
    "find",
    "describe",
    "summarise",
    "summarize",
    "what",
    "which",
    "how",
    "when",
    "where",
    "why",
    "help",
    "write",
    "check",
    "jawab",
    "jelaskan",
    "sebutkan",
    "beri",
    "berikan",
    "tunjukkan",
    "apa",
    "berapa",
    "bagaimana",
    "kapan",
];
/// Marks after which a clause begins, and marks that end one.
const BEGIN: [char; 9] = ['.', '!', '?', ';', ',', '—', '–', '(', '\n'];
const END: [char; 9] = ['.', '!', ';', ',', ':', '—', '–', ')', '\n'];

/// Removes the wishes from a question. Authors that one wish includes may be excluded by another.
#[must_use]
pub fn scoped(question: &str) -> Scoped {
    let tokens = tokens(question);
    let (mut only, mut exclude, mut text, mut kept) = (Vec::new(), Vec::new(), String::new(), 0);
    let mut at = 0;
    while at < tokens.len() {
        let begins = at == 0 || tokens[at - 1].mark.is_some_and(|mark| BEGIN.contains(&mark));
        let Some(wish) = begins.then(|| wish(&tokens, at)).flatten() else {
            at += 1;
            continue;
        };
        if wish.only { &mut only } else { &mut exclude }.extend(wish.origins);
        text.push_str(&question[kept..tokens[at].start]);
        kept = tokens[wish.end - 1].end;
        // The mark after a wish is removed with it.
        at = wish.end;
        if tokens.get(at).is_some_and(|token| token.mark.is_some_and(|mark| END.contains(&mark) || mark == '?')) {
            kept = tokens[at].end;
            at += 1;
        }
    }
    let origins = filter(only, exclude);
    if origins == OriginFilter::Any {
        return Scoped { text: question.to_owned(), origins };
    }
    text.push_str(&question[kept..]);
    let searched = text.chars().any(char::is_alphanumeric);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Scoped { text: if searched { text } else { question.to_owned() }, origins }
}

fn filter(only: Vec<Origin>, exclude: Vec<Origin>) -> OriginFilter {
    let listed = |mut list: Vec<Origin>| {
        list.sort_unstable();
        list.dedup();
        list
    };
    let left: Vec<Origin> = only.iter().copied().filter(|origin| !exclude.contains(origin)).collect();
    match (left.is_empty(), only.is_empty(), exclude.is_empty()) {
        (false, ..) => OriginFilter::Only(listed(left)),
        (true, false, _) => OriginFilter::Only(listed(only)),
        (true, true, false) => OriginFilter::Exclude(listed(exclude)),
        (true, true, true) => OriginFilter::Any,
    }
}

/// A word in lower case without its possessive ending, or a mark.
struct Token {
    start: usize,
    end: usize,
    word: String,
    possessive: bool,
    mark: Option<char>,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if !first.is_alphanumeric() {
            if !first.is_whitespace() || first == '\n' {
                let end = start + first.len_utf8();
                tokens.push(Token { start, end, word: String::new(), possessive: false, mark: Some(first) });
            }
            continue;
        }
        let mut end = start + first.len_utf8();
        while let Some(&(at, c)) = chars.peek() {
            let joins = matches!(c, '\'' | '’' | '-' | '_')
                && (text[at + c.len_utf8()..].starts_with(char::is_alphanumeric)
                    || (c != '-' && c != '_' && text[..at].ends_with('s')));
            if !c.is_alphanumeric() && !joins {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        let lower = text[start..end].to_lowercase().replace('’', "'");
        let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix('\''));
        let possessive = bare.is_some();
        tokens.push(Token { start, end, word: bare.unwrap_or(&lower).to_owned(), possessive, mark: None });
    }
    tokens
}

struct OriginWish {
    only: bool,
    origins: Vec<Origin>,
    /// Index of the first token after it.
    end: usize,
}

fn is(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| token.mark.is_none() && words.contains(&token.word.as_str()))
}

/// Whether these words are here, one after the other.
fn stands(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    words.iter().enumerate().all(|(n, word)| is(tokens, at + n, &[*word]))
}

/// Parses the wish that begins here.
fn wish(tokens: &[Token], start: usize) -> Option<OriginWish> {
    let mut at = start;
    while is(tokens, at, &POLITE) {
        at += 1;
    }
    let can = (is(tokens, at, &CAN) || is(tokens, at, &BISA)) && is(tokens, at + 1, &YOU);
    if can {
        at += 2;
        while is(tokens, at, &POLITE) {
            at += 1;
        }
    }
    let gerund = tokens.get(at).is_some_and(|token| token.word.ends_with("ing") || token.word.starts_with("meng"));
    let (only, origins, end) = only(tokens, at).or_else(|| exclude(tokens, at))?;
    let end = closed(tokens, end, can || (gerund && start > 0))?;
    Some(OriginWish { only, origins, end })
}

fn only(tokens: &[Token], start: usize) -> Option<(bool, Vec<Origin>, usize)> {
    let mut at = start;
    let mut said = is(tokens, at, &ONLY);
    at += usize::from(said);
    if !is(tokens, at, &VERBS) {
        return None;
    }
    at += 1;
    while is(tokens, at, &FILLERS) || is(tokens, at, &ONLY) {
        said |= is(tokens, at, &ONLY);
        at += 1;
    }
    let (origins, mut at) = source(tokens, at)?;
    if is(tokens, at, &ONLY_AFTER) {
        said = true;
        at += 1;
    }
    said.then_some((true, origins, at))
}

fn exclude(tokens: &[Token], start: usize) -> Option<(bool, Vec<Origin>, usize)> {
    let parted = |at: usize| {
        // "leave Claude's memories out"
        is(tokens, at, &["leave", "leaving"])
            .then(|| source(tokens, at + 1))
            .flatten()
            .filter(|(_, end)| is(tokens, *end, &["out"]))
    };
    if let Some((origins, end)) = parted(start) {
        return Some((false, origins, end + 1));
    }
    let lead = EXCLUDE.iter().find(|lead| stands(tokens, start, lead))?;
    let (origins, at) = source(tokens, start + lead.len())?;
    Some((false, origins, at))
}

/// Parses the authors of the memories: "Claude's memories", "Claude's and BusyBro's", "the memories of Claude", "ingatan Claude".
fn source(tokens: &[Token], start: usize) -> Option<(Vec<Origin>, usize)> {
    let mut at = start;
    while is(tokens, at, &DETERMINERS) {
        at += 1;
    }
    let noun_first = is(tokens, at, &NOUNS);
    if noun_first {
        at += 1;
        while is(tokens, at, &OF) || is(tokens, at, &DETERMINERS) {
            at += 1;
        }
    }
    let mut origins = Vec::new();
    let possessive = loop {
        while is(tokens, at, &DETERMINERS) {
            at += 1;
        }
        let (name, origin) = AUTHORS.iter().find(|(name, _)| stands(tokens, at, name))?;
        at += name.len();
        let possessive = tokens[at - 1].possessive;
        origins.push(*origin);
        let another = |next: usize| {
            let next = next + usize::from(is(tokens, next, &DETERMINERS));
            AUTHORS.iter().any(|(name, _)| stands(tokens, next, name))
        };
        if (is(tokens, at, &AND) || tokens.get(at).is_some_and(|token| token.mark == Some('&'))) && another(at + 1) {
            at += 1;
        } else {
            break possessive;
        }
    };
    if noun_first {
        return Some((origins, at));
    }
    let noun = is(tokens, at, &NOUNS);
    (noun || possessive).then(|| (origins, at + usize::from(noun)))
}

/// Returns the end of the wish, if its clause ends there too. `asked`: it may be put as a question.
fn closed(tokens: &[Token], mut at: usize, asked: bool) -> Option<usize> {
    if let Some(tail) = TAILS.iter().find(|tail| stands(tokens, at, tail)) {
        at += tail.len();
        if tail.starts_with(&["to", "answer"]) || tail.starts_with(&["untuk", "menjawab"]) {
            return Some(at);
        }
    }
    match tokens.get(at) {
        None => Some(at),
        Some(Token { mark: Some('?'), .. }) => asked.then_some(at),
        Some(Token { mark: Some(mark), .. }) => END.contains(mark).then_some(at),
        Some(_) if is(tokens, at, &THEN) && is(tokens, at + 1, &NEXT) => Some(at + 1),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use Origin::{Agent, Assistant, User};

    use super::*;

    fn only(list: &[Origin]) -> OriginFilter {
        OriginFilter::Only(list.to_vec())
    }

    fn without(list: &[Origin]) -> OriginFilter {
        OriginFilter::Exclude(list.to_vec())
    }

    #[test]
    fn an_explicit_wish_filters_and_is_not_searched_for() {
        for (question, origins, text) in [
            ("Use only Claude's memories. Which port does the gateway use?", only(&[Agent]), "Which port does the gateway use?"),
            ("use only claude’s memories: what is the PAC pool", only(&[Agent]), "what is the PAC pool"),
            ("What is the PAC pool? Exclude Claude's.", without(&[Agent]), "What is the PAC pool?"),
            ("What is the PAC pool, excluding Claude's memories?", without(&[Agent]), "What is the PAC pool,"),
            ("Answer using only BusyBro's knowledge: how are deploys run?", only(&[Assistant]), "how are deploys run?"),
            ("How are deploys run, using only Keepsake's knowledge?", only(&[Assistant]), "How are deploys run,"),
            ("Please answer only from Claude Code's notes: how are deploys run?", only(&[Agent]), "how are deploys run?"),
            ("Can you use only the agent's memories? Where are backups kept?", only(&[Agent]), "Where are backups kept?"),
            ("Rely solely on what our teammates' notes. Where are backups kept?", only(&[User]), "Where are backups kept?"),
            (
                "Only use the memories of Claude and tell me where backups are kept",
                only(&[Agent]),
                "tell me where backups are kept",
            ),
            ("Use Claude's and BusyBro's memories only. Release day?", only(&[Assistant, Agent]), "Release day?"),
            ("Don't use Claude's memories for this question. Release day?", without(&[Agent]), "Release day?"),
            ("Release day? Ignore the assistant's facts, please", without(&[Assistant]), "Release day? please"),
            ("Leave Claude's notes out. Release day?", without(&[Agent]), "Release day?"),
            ("Leave out the notes from Claude and BusyBro: release day?", without(&[Assistant, Agent]), "release day?"),
            ("Use everything except Claude's memories. Release day?", without(&[Agent]), "Release day?"),
            ("Without using claude-code's memories, when is release day?", without(&[Agent]), "when is release day?"),
            ("Use only Claude's memories, exclude Claude's. Release day?", only(&[Agent]), "Release day?"),
            ("Gunakan hanya ingatan Claude. Kapan hari rilis?", only(&[Agent]), "Kapan hari rilis?"),
            ("Hanya gunakan pengetahuan BusyBro: kapan hari rilis?", only(&[Assistant]), "kapan hari rilis?"),
            ("Tolong jawab dengan pengetahuan BusyBro saja, kapan hari rilis?", only(&[Assistant]), "kapan hari rilis?"),
            ("Jawab hanya dari catatan rekan tim. Kapan hari rilis?", only(&[User]), "Kapan hari rilis?"),
            ("Kapan hari rilis? Abaikan ingatan milik Claude.", without(&[Agent]), "Kapan hari rilis?"),
            ("Jangan gunakan ingatan dari Claude Code. Kapan hari rilis?", without(&[Agent]), "Kapan hari rilis?"),
            ("Kapan hari rilis? Kecualikan memori asisten", without(&[Assistant]), "Kapan hari rilis?"),
            // The question is nothing but a wish.
            ("Use only Claude's memories", only(&[Agent]), "Use only Claude's memories"),
        ] {
            let text = text.to_owned();
            assert_eq!(scoped(question), Scoped { text, origins }, "{question}");
        }
    }

    #[test]
    fn a_plain_question_is_not_filtered_whomever_it_mentions() {
        for question in [
            "What does Claude cost?",
            "Does the team use Claude only for reviews?",
            "Use Claude only for reviews.",
            "Use only Claude.",
            "Use only Claude's API for the importer.",
            "Exclude Claude from the licence count.",
            "Exclude Claude's API key from the backup.",
            "How do I exclude Claude's memories?",
            "Why does recall use only Claude's memories?",
            "Is the bot using only Claude's memories?",
            "Should we use only Claude's memories?",
            "Who said to ignore Claude's notes?",
            "What happens if I ignore Claude's notes?",
            "What does “use only Claude's memories” do?",
            "\"Exclude Claude's\" is a phrase in the manual, right?",
            "Do not use Claude's memories in production configuration",
            "Don't use Claude's memory feature on the build machine.",
            "Never use Claude's notes as a source for invoices.",
            "Ignore Claude's reviews on generated files.",
            "Ignore the linter's notes.",
            "Use only the gateway's memory for sessions.",
            "Use only your knowledge.",
            "Use Claude's memories.",
            "Use only Claude's memories?",
            "Which facts did Claude write last week?",
            "List Claude's memories about deploys",
            "What do my teammates' notes say about backups?",
            "When did we decide to answer using only BusyBro's knowledge?",
            "Remember that answers use only Claude's memories on Fridays.",
            "I was told: use only Claude's memories",
            "Is BusyBro allowed to skip Claude's memories?",
            "Skip Claude's standup on Monday, what else is planned?",
            "Without Claude's memories, what would the bot still know?",
            "The flag is called exclude Claude's memories",
            "Apakah tim hanya memakai Claude untuk tinjauan?",
            "Berapa biaya Claude?",
            "Gunakan Claude hanya untuk tinjauan kode.",
            "Siapa yang menulis catatan Claude?",
            "Kenapa ingatan Claude diabaikan?",
            "Pakai memori server saja untuk sesi.",
            "",
            "?!",
        ] {
            assert_eq!(scoped(question), Scoped { text: question.to_owned(), origins: OriginFilter::Any }, "{question}");
        }
    }
}
