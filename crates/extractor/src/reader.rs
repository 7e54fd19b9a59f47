//! The steps of reading a message, in their order.

use language::lexicon::{self, SecretWord};

use crate::changes::{self, Takes, meant, withdraws};
use crate::clauses::{Bare, bare, clauses};
use crate::command::{Command, command};
use crate::commands::Said;
use crate::forget::Forget;
use crate::forms::forms;
use crate::heads::{self, Shares};
use crate::sentences::{Sentence, split};
use crate::telling::{self, Subject, told};
use crate::wishes;
use crate::{Audience, Kept, Kind, Reading, Step};

/// Number of characters of a message that are read; no one states a preference in a novel.
pub(crate) const READ_MAX_CHARS: usize = 20_000;
/// Maximum number of words in a sentence that may continue a change reported before it.
const SHORT: usize = 4;
/// Share from which a sentence may report a change, if it also withdraws what a memory holds.
const MAYBE: f32 = 0.04;
/// Similarity to a planted order from which a statement is not kept.
const LIKE_AN_ORDER: f32 = 0.5;
/// Maximum length of a memory in characters. A longer sentence is divided, and a continuation becomes a memory of its own.
const LONGEST: usize = 480;
/// Maximum length of a team statement in characters; a longer one is a text of its own.
const LONGEST_OF_TEAM: usize = 300;
/// Maximum number of sentences in a message that does not look pasted.
const MOST_SENTENCES: usize = 20;
/// Share from which a sentence that points back at a kept one belongs to it.
const POINTS_BACK: f32 = 0.2;

pub struct Reader<'a> {
    known: &'a [&'a str],
    /// Facts of the team that the message may be about.
    team: &'a [&'a str],
    /// Audience of the items of a list that began with "Remember these: …".
    wanted: Option<Audience>,
    /// Whether an earlier sentence mentioned a secret.
    hushed: bool,
    /// Number of statements kept before the last sentence.
    kept_before: usize,
    /// Index of the statement kept of the sentence before, if that reported a change.
    changed: Option<usize>,
    /// Whether the sentence before said that something is wrong.
    corrected: bool,
    /// The sentence before if it repeated what a memory holds, and the words that they share.
    repeated: Option<(String, String)>,
    /// Index of the statement kept of the sentence before.
    goes_on: Option<usize>,
    /// Whether the following sentences may be pasted or invented.
    doubted: bool,
    reading: Reading,
}

/// Properties of a whole sentence, beside those of its clauses.
struct Context<'s> {
    whole: Shares,
    /// Whether it says that something is wrong.
    corrects: bool,
    /// Index of the statement kept of the sentence before, if it points back at that.
    goes_on: Option<usize>,
    /// The statement that it points back at, if nothing was kept of that.
    before: Option<&'s Sentence>,
    /// Whether the sentence is a question, or all of it asks something of the assistant.
    asks: bool,
}

impl Context<'_> {
    fn alone(whole: Shares, asks: bool) -> Self {
        Self { whole, corrects: false, goes_on: None, before: None, asks }
    }
}

impl<'a> Reader<'a> {
    pub fn new(known: &'a [&'a str], team: &'a [&'a str]) -> Self {
        Self {
            known,
            team,
            wanted: None,
            hushed: false,
            kept_before: 0,
            changed: None,
            corrected: false,
            repeated: None,
            goes_on: None,
            doubted: false,
            reading: Reading::default(),
        }
    }

    pub fn read(mut self, message: &str) -> Reading {
        let message: String = message.chars().take(READ_MAX_CHARS).collect();
        let (sentences, aside) = split(&message);
        if aside {
            self.refuse("", "aside");
        }
        let forgets = |sentence: &Sentence| said_to(sentence).is_some_and(|command| command.name == "forget");
        let asks_not_to = |sentence: &&Sentence| refusal(&sentence.text) == Some("asked_not_to") && !forgets(sentence);
        if let Some(asked) = sentences.iter().find(asks_not_to) {
            self.refuse(&asked.text, "asked_not_to");
            return self.reading;
        }
        let mut before: Option<&Sentence> = None;
        let mut in_list = false;
        self.doubted = sentences.len() > MOST_SENTENCES;
        for (at, sentence) in sentences.iter().enumerate() {
            let command = said_to(sentence);
            in_list &= sentence.listed;
            if in_list {
                continue;
            }
            if self.is_secret(sentence, before, command.is_some()) {
                self.refuse(&sentence.text, "secret");
                (before, self.changed) = (None, None);
                continue;
            }
            self.wanted = self.wanted.filter(|_| sentence.listed);
            let kept_before = self.reading.kept.len();
            let refusal = refusal(&sentence.text);
            let command = command.filter(|command| !is_of_answers(command) || refusal.is_none());
            if command.is_none() && refusal == Some("fiction") {
                self.refuse(&sentence.text, "fiction");
                break;
            }
            let polite = !sentence.question || forms().part("polite_question").is_match(&sentence.text);
            if let Some(command) = command.filter(|_| polite) {
                self.command(&command, sentence, before);
            } else {
                let list = list(sentence, &sentences[at + 1..]);
                in_list = list.is_some();
                self.sentence(list.as_ref().unwrap_or(sentence), before);
            }
            self.doubted |= forms().part("invents").is_match(&sentence.text);
            // "Remember that" does not mean a sentence that was left out.
            before = Some(sentence).filter(|_| self.reading.steps.last().is_none_or(|step| !step.dropped));
            self.kept_before = kept_before;
        }
        self.reading
    }

    fn step(&mut self, sentence: &str, decided: &'static str, shares: Option<Shares>) {
        self.reading.steps.push(Step { sentence: sentence.to_owned(), decided, dropped: false, shares });
    }

    /// Records that a rule left a sentence out.
    fn refuse(&mut self, sentence: &str, rule: &'static str) {
        self.reading.steps.push(Step { sentence: sentence.to_owned(), decided: rule, dropped: true, shares: None });
    }

    /// Whether a sentence holds a secret, or may say the secret that one before it mentioned.
    fn is_secret(&mut self, sentence: &Sentence, before: Option<&Sentence>, commands: bool) -> bool {
        let holds = |text: &str| text.contains(gate::REDACTED) || !gate::secrets(text).is_empty();
        let with_opener =
            before.filter(|before| before.opens).is_some_and(|before| holds(&format!("{}: {}", before.text, sentence.text)));
        let points = forms().part("points_back").is_match(&sentence.text);
        let next = before.is_some_and(|before| secret_words(&before.text).next().is_some());
        let told = self.hushed && (points || sentence.listed || next && (commands || words(&sentence.text) <= SHORT));
        let secret = holds(&sentence.text) || with_opener || told;
        self.hushed |= secret || secret_words(&sentence.text).next().is_some();
        secret
    }

    fn command(&mut self, command: &Command, sentence: &Sentence, before: Option<&Sentence>) {
        self.step(&sentence.text, command.name, None);
        (self.changed, self.corrected, self.repeated) = (None, false, None);
        let before = before.filter(|before| !before.asks()).map(|before| bare(&before.text).text);
        match (command.name, command.rest.clone().or(before)) {
            _ if let Some(Said::Forget(wish)) = &command.said => self.forget(wish.clone()),
            (_, Some(text)) if command.said.is_some() => {
                self.keep(text, Audience::User, true, Takes::Nothing, true);
            }
            ("forget_all", _) => self.forget(Forget::Everything),
            ("scratch", _) => self.forget(Forget::Last { just: true }),
            ("forget", Some(text)) => {
                if let Some(wish) = wishes::named(&text) {
                    self.forget(wish);
                }
            }
            ("instead", Some(text)) => self.instead(&text, command.old.as_deref()),
            ("remember" | "remember_that", _) if sentence.opens => self.wanted = Some(Audience::User),
            ("team" | "team_that", _) if sentence.opens => self.wanted = Some(Audience::Team),
            ("remember" | "remember_that" | "wish" | "manner", Some(text)) => {
                self.keep_asked(&text, &sentence.text, Audience::User);
            }
            ("team" | "team_that", Some(text)) => self.keep_asked(&text, &sentence.text, Audience::Team),
            _ => {}
        }
    }

    /// Records a wish to forget. If the last statement stands in this message, it is dropped instead.
    fn forget(&mut self, wish: Forget) {
        if matches!(wish, Forget::Last { .. }) && self.reading.kept.len() > self.kept_before {
            return self.reading.kept.truncate(self.kept_before);
        }
        self.reading.forget.push(wish);
    }

    /// Handles "Forget the marathon, I'm training for a triathlon".
    fn instead(&mut self, text: &str, old: Option<&str>) {
        let bare = bare(text);
        let shares = heads::judge(&bare.text);
        match old.and_then(|old| changes::held(&changes::stems(old), self.known)) {
            Some(words) => {
                self.keep(told(&bare.text, Subject::User), Audience::User, true, Takes::Words(words), true);
            }
            None if !self.known.is_empty() => self.change(text, &bare.text, shares),
            None => {
                let sentence = Sentence::of(text);
                self.statement(&sentence.text, &bare.text, shares, &Context::alone(shares, sentence.asks()));
            }
        }
    }

    /// Keeps a text because the user asked to, whatever the heads think of it.
    fn keep_asked(&mut self, text: &str, said: &str, audience: Audience) {
        let text = bare(text).text;
        // A secret without a form of its own.
        if secret_words(&text).any(|word| word == SecretWord::Always) && text.chars().any(|c| c.is_ascii_digit()) {
            return self.refuse(&text, "secret");
        }
        // A statement about oneself is not for a team, whatever its speaker calls it.
        let audience = if speaks_of_me(&text) { Audience::User } else { audience };
        if audience == Audience::Team && forms().part("private").is_match(&text) {
            return self.refuse(&text, "private");
        }
        let takes = match meant(&text, self.known) {
            _ if audience == Audience::Team || self.known.is_empty() => Takes::Nothing,
            takes if forms().part("anew").is_match(said) || heads::judge(&text).is_change() => takes,
            _ => Takes::Nothing,
        };
        // It may already have been kept when it was said, before the request.
        let told = told(&text, subject(audience));
        self.reading.kept.retain(|kept| kept.text != told);
        self.keep(told, audience, true, takes, true);
    }

    /// Keeps a statement, and returns whether it is new.
    fn keep(&mut self, text: String, audience: Audience, asked: bool, takes: Takes, lasting: bool) -> bool {
        if gate::order_likeness(&text) >= LIKE_AN_ORDER {
            self.refuse(&text, "planted");
            return false;
        }
        let new = self.reading.kept.iter().all(|kept| kept.text != text || kept.audience != audience);
        if new {
            let kind = kind(&text, audience);
            self.reading.kept.push(Kept { text, audience, asked, kind, takes, lasting });
        }
        new
    }

    fn sentence(&mut self, sentence: &Sentence, before: Option<&Sentence>) {
        if let Some(audience) = self.wanted.filter(|_| !sentence.question && refusal(&sentence.text).is_none()) {
            self.step(&sentence.text, "listed", None);
            return self.keep_asked(&sentence.text, &sentence.text, audience);
        }
        let bare = bare(&sentence.text);
        let repeated = self.repeated.take();
        let goes_on = self.goes_on.take().filter(|_| forms().part("refers").is_match(&bare.text));
        let refused = refusal(&bare.text).or_else(|| refusal(&sentence.text));
        if let Some(rule) = refused.filter(|rule| *rule != "others" || goes_on.is_none()) {
            self.changed = None;
            if rule == "joke" && words(&bare.text) <= SHORT {
                // The joke was about the sentence before.
                self.reading.kept.truncate(self.kept_before);
            }
            let shared = changes::held(&changes::stems(&bare.text), self.known).filter(|_| rule == "said_back");
            self.repeated = shared.map(|shared| (bare.text, shared));
            return self.refuse(&sentence.text, rule);
        }
        let whole = heads::judge(&sentence.marked());
        if let Some((said, shared)) = repeated.filter(|_| !sentence.asks() && Self::continues_with(&bare.text, whole)) {
            self.step(&sentence.text, "change", Some(whole));
            let text = format!("{}. {}", told(&said, Subject::User), telling::after(&bare.text));
            self.keep(text, Audience::User, false, Takes::Words(shared), false);
            return;
        }
        let corrects = std::mem::replace(&mut self.corrected, forms().part("only_corrects").is_match(&sentence.text));
        let corrects = (bare.corrects || corrects) && !self.corrected;
        let before = before.filter(|before| goes_on.is_none() && !before.asks() && forms().part("refers").is_match(&bare.text));
        let asks = sentence.question;
        self.clauses(sentence, &bare, &Context { whole, corrects, goes_on, before, asks });
    }

    /// Keeps the statements among the clauses of a sentence, and leaves out what is asked of the assistant.
    fn clauses(&mut self, sentence: &Sentence, bare: &Bare, context: &Context<'_>) {
        let clauses = clauses(&bare.text);
        let kept = self.reading.kept.len();
        let statements: Vec<&str> = clauses.iter().filter(|clause| !clause.asks).map(|clause| clause.text.as_str()).collect();
        if statements.is_empty() || (sentence.question && clauses.len() == 1) {
            return self.question(sentence, &bare.text, context.whole);
        }
        for text in &statements {
            let alone = statements.len() == 1;
            let own = if clauses.len() == 1 { context.whole } else { heads::judge(text) };
            let shares = if alone { own.or(context.whole) } else { own };
            // Half of a question says nothing about a team.
            let shares = if clauses.len() > 1 { Shares { team: 0.0, ..shares } } else { shares };
            self.statement(if clauses.len() == 1 { &sentence.text } else { text }, text, shares, context);
        }
        if clauses.len() > 1 && self.reading.kept.len() > kept {
            for clause in clauses.iter().filter(|clause| clause.asks) {
                self.refuse(&clause.text, "question");
            }
        }
    }

    /// Keeps a whole question if it tells something beside its request.
    fn question(&mut self, sentence: &Sentence, text: &str, shares: Shares) {
        self.changed = None;
        let tells = shares.personal >= heads::TELLING_QUESTION && speaks_of_us(text);
        self.step(&sentence.text, if tells { "personal" } else { "nothing" }, Some(shares));
        if tells {
            let told = format!("User asked: {}", telling::after(&sentence.marked()));
            self.keep(told, Audience::User, false, Takes::Nothing, true);
        }
    }

    /// `shown` is the text that the steps report: the sentence, or one of its clauses.
    fn statement(&mut self, shown: &str, text: &str, shares: Shares, context: &Context<'_>) {
        if changes::stems(text).is_empty() {
            return self.step(shown, "nothing", Some(shares));
        }
        let maybe = withdraws(text, self.known).is_some_and(|sure| sure || shares.change >= MAYBE);
        let lasts = forms().part("habit").is_match(text) || forms().part("adds").is_match(text);
        let tells = (shares.is_change() && !lasts) || maybe || context.corrects;
        if tells && !self.known.is_empty() && !context.asks {
            return self.change(shown, text, shares);
        }
        if !context.asks && self.continues(shown, text, shares) {
            return;
        }
        self.changed = None;
        if let Some(at) = context.goes_on.filter(|_| !shares.is_team() && shares.personal >= POINTS_BACK) {
            self.step(shown, "personal", Some(shares));
            self.goes_on = Some(at);
            return self.append(at, text);
        }
        let audience = of(text, shares).filter(|audience| match audience {
            Audience::User => shares.personal >= self.level(text),
            Audience::Team => {
                !self.doubted
                    && text.chars().count() <= LONGEST_OF_TEAM
                    && (self.is_about_a_team(text) || shares.team >= heads::SURELY_TEAM)
            }
        });
        let Some(audience) = audience else { return self.step(shown, "nothing", Some(shares)) };
        self.step(shown, if audience == Audience::User { "personal" } else { "team" }, Some(shares));
        let said = match context.before.filter(|_| audience == Audience::User) {
            // It makes no sense without the sentence that it points back at.
            Some(before) => format!("{}. {}", told(&bare(&before.text).text, subject(audience)), telling::after(text)),
            None => told(text, subject(audience)),
        };
        if self.keep(said, audience, false, Takes::Nothing, true) && audience == Audience::User {
            self.goes_on = Some(self.reading.kept.len() - 1);
            if let Some(kept) = self.reading.kept.last_mut().filter(|_| shares.is_episode()) {
                kept.kind = Kind::Episode;
            }
        }
    }

    /// Minimum share for a statement to be about the speaker.
    fn level(&self, text: &str) -> f32 {
        if self.doubted {
            heads::DOUBTED
        } else if speaks_of_us(text) {
            heads::SURE.personal
        } else {
            heads::UNNAMED
        }
    }

    /// Whether a statement speaks in the voice of a team, or shares a name with a known fact of the team.
    fn is_about_a_team(&self, text: &str) -> bool {
        let named = |fact: &&str| changes::names(fact).any(|name| changes::names(text).any(|other| other == name));
        forms().part("team_voice").is_match(text) || self.team.iter().any(named)
    }

    /// Keeps a change in the place of the memory that it means; a lasting statement is kept even if there is none.
    fn change(&mut self, sentence: &str, text: &str, shares: Shares) {
        let takes = meant(text, self.known);
        self.step(sentence, "change", Some(shares));
        if let Some(at) = self.changed.take().filter(|_| !shares.is_personal()) {
            return self.append(at, text);
        }
        let of_team = of(text, shares) == Some(Audience::Team);
        // A change of the user's own memory about the team stays the user's.
        if of_team && takes == Takes::Nearest {
            self.keep(told(text, Subject::Team), Audience::Team, false, Takes::Nothing, true);
        }
        let subject = if of_team { Subject::Team } else { Subject::User };
        let new = self.keep(told(text, subject), Audience::User, false, takes, shares.is_personal() && !of_team);
        self.changed = new.then(|| self.reading.kept.len() - 1);
    }

    /// "They took me off the ramipril. It's losartan now.": the second sentence belongs to the first.
    fn continues(&mut self, shown: &str, text: &str, shares: Shares) -> bool {
        let Some(at) = self.changed.filter(|_| Self::continues_with(text, shares)) else { return false };
        self.step(shown, "change", Some(shares));
        self.append(at, text);
        true
    }

    /// Whether a sentence says nothing by itself, and points back or is short.
    fn continues_with(text: &str, shares: Shares) -> bool {
        let points = forms().part("points_back").is_match(text) || (2..=SHORT).contains(&words(text));
        points && of(text, shares).is_none()
    }

    fn append(&mut self, at: usize, text: &str) {
        let Some(kept) = self.reading.kept.get_mut(at) else { return };
        let longer = format!("{}. {}", kept.text, telling::after(text));
        if longer.chars().count() <= LONGEST {
            kept.text = longer;
            return;
        }
        self.keep(told(text, Subject::User), Audience::User, false, Takes::Nothing, true);
    }
}

/// Joins the sentence that opens a list with its items, if together they tell something of the speaker.
fn list(opener: &Sentence, after: &[Sentence]) -> Option<Sentence> {
    let items = after.iter().take_while(|item| item.listed).count();
    let list = opener.with(&after[..items]);
    let is_one = opener.opens && items > 0 && list.text.chars().count() <= LONGEST;
    (is_one && heads::judge(&list.text).is_personal()).then_some(list)
}

fn subject(audience: Audience) -> Subject {
    match audience {
        Audience::User => Subject::User,
        Audience::Team => Subject::Team,
    }
}

/// The audience of a text, if the heads are sure. A statement with "me", or about a household, is not for the team, and one that
/// only points back says nothing to it.
fn of(text: &str, shares: Shares) -> Option<Audience> {
    let is = |name: &str| forms().part(name).is_match(text);
    if shares.is_team() && !is("private") {
        let audience = if speaks_of_me(text) { Audience::User } else { Audience::Team };
        return (!is("points_back")).then_some(audience);
    }
    shares.is_personal().then_some(Audience::User)
}

fn speaks_of_us(text: &str) -> bool {
    speaks_of_me(text) || forms().part("ours").is_match(text)
}

fn speaks_of_me(text: &str) -> bool {
    let text = text.to_lowercase().replace("i/o", "").replace("i.e", "");
    forms().part("me").is_match(&text)
}

fn kind(text: &str, audience: Audience) -> Kind {
    let is = |name: &str| forms().part(name).is_match(text);
    match audience {
        Audience::User if is("wish") => Kind::Wish,
        Audience::Team if is("glossary") => Kind::Glossary,
        Audience::Team if is("howto") => Kind::Howto,
        Audience::Team if is("reference") => Kind::Reference,
        _ => Kind::Statement,
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Requests in the user's own sentences to forget possibly several memories: everything, or everything about something.
pub fn asks_to_forget_many(message: &str) -> Vec<Forget> {
    let message: String = message.chars().take(READ_MAX_CHARS).collect();
    let could = forms().part("perhaps_all");
    if !could.is_match(&message) {
        return Vec::new();
    }
    let (sentences, _) = split(&message);
    let wish = |sentence: &Sentence| {
        let polite = !sentence.question || forms().part("polite_question").is_match(&sentence.text);
        many(&said_to(sentence).filter(|_| polite)?)
    };
    sentences.iter().filter(|sentence| could.is_match(&sentence.text)).filter_map(wish).collect()
}

/// Whether one of the user's own sentences is a command to the memory.
pub fn asks_something(message: &str) -> bool {
    let message: String = message.chars().take(READ_MAX_CHARS).collect();
    split(&message).0.iter().any(|sentence| {
        let polite = !sentence.question || forms().part("polite_question").is_match(&sentence.text);
        polite && said_to(sentence).is_some_and(|command| command.name != "idle")
    })
}

/// The user's own sentences that say how the assistant is to answer from now on.
pub fn asked_of_answers(message: &str) -> Vec<String> {
    let message: String = message.chars().take(READ_MAX_CHARS).collect();
    let asks = |sentence: &&Sentence| {
        let polite = !sentence.question || forms().part("polite_question").is_match(&sentence.text);
        polite && said_to(sentence).is_some_and(|command| is_of_answers(&command)) && refusal(&sentence.text).is_none()
    };
    split(&message).0.iter().filter(asks).map(Sentence::marked).collect()
}

fn is_of_answers(command: &Command) -> bool {
    ["wish", "manner"].contains(&command.name)
}

fn many(command: &Command) -> Option<Forget> {
    match command.name {
        _ if let Some(Said::Forget(wish)) = &command.said => Some(wish.clone()).filter(|wish| !matches!(wish, Forget::About(_))),
        "forget_all" => Some(Forget::Everything),
        "forget" => wishes::named(command.rest.as_deref()?).filter(|wish| matches!(wish, Forget::Everything | Forget::Every(_))),
        _ => None,
    }
}

/// Parses a sentence as a command, with or without its filler.
fn said_to(sentence: &Sentence) -> Option<Command> {
    command(&sentence.text).or_else(|| command(&bare(&sentence.text).text))
}

fn refusal(text: &str) -> Option<&'static str> {
    forms().refusal.iter().find(|form| form.is_match(text)).map(|form| form.name.as_str())
}

/// Words of a text that a secret follows, surely or perhaps.
fn secret_words(text: &str) -> impl Iterator<Item = SecretWord> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let one = |word: &str| lexicon::secret_word(word).or_else(|| lexicon::secret_word(word.strip_suffix('s')?));
    words.into_iter().filter_map(one).collect::<Vec<_>>().into_iter()
}
