//! What a new statement makes obsolete: the known memory about the same slot, or one that names another thing of the same kind.

use regex::Regex;
use std::sync::LazyLock;

use super::super::echo::{content_words, shared};
use super::super::pattern::{compile, pattern};
use super::{squeezed, term};
use crate::domain::merging::holds_term;

/// A slot with one value: a new statement with another value makes the old one obsolete.
struct Slot {
    /// Has only one value at a time, even if nothing marks a correction.
    single: bool,
    pattern: &'static str,
}

const SLOTS: &[Slot] = &[
    Slot {
        single: true,
        pattern: r"\b(?:(?:lives?|resides?|based|living|relocated|relocating|home is|tinggal|domisili|ngekos|ngontrak|pindah|menetap)\b (?:\w+ ){0,2}?|(?:moved|moving)\b (?:(?:back|over|out|in|house|home|away|again|down|up|north|south|east|west|recently|permanently|here|from|abroad) )*)(?:in|to|near|di|ke)\b (?P<v>.+)",
    },
    Slot {
        single: true,
        pattern: r"\b(?:name is|named|called|goes by|nama panggilan(?: \w+ku)?|panggil|dipanggil|call (?:them|user|me)|nama pengguna(?: adalah| itu)?)\b (?P<v>.+)",
    },
    Slot { single: true, pattern: r"\b(?:time ?zone(?:'s)?|zona waktu|utc|gmt|wib|wita|\bwit\b|cet|pst|est)\b(?P<v>.*)" },
    Slot { single: true, pattern: r"\b(?:is|turned|umur|usia|berumur) (?P<v>\d{1,3})(?: years| tahun| now| sekarang|$)" },
    Slot {
        single: true,
        pattern: r"\b(?:works?|working|employed|started|joined|practises?|practices?|kerja|bekerja|ngantor|dinas|berdinas|bertugas|resign|pindah kerja|gabung)\b,? (?:now |full-time |as .{2,30} |sekarang |udah )*(?:at|for|in|di|ke)\b (?P<v>.+)",
    },
    // What people belong to, and what they do all day: a school, a company, a team.
    Slot {
        single: false,
        pattern: r"\b(?:works?|working|employed|practises?|practices?|runs?|been|is|am|student|studies|studying|mahasiswa|mahasiswi|kuliah|sekolah|kerja|bekerja|dinas|ngajar|mengajar|belongs?|part|member|nurse|engineer|teacher) (?:now |a \w+ |an \w+ |\w+ )?(?:at|for|with|in|of|to|on|di|tim)\b (?P<v>.+)",
    },
    Slot {
        single: false,
        pattern: r"\b(?:works?|working|is|megang|pegang|ngerjain|moved|assigned) (?:\w+ ){0,2}?(?:on|to|with) (?P<v>.+)",
    },
    Slot {
        single: false,
        pattern: r"\b(?:is (?:now )?an?|being an?|works as an?|as an?|promoted to|became an?|jadi|sebagai|seorang|role is|title is|job is) (?P<v>.+)",
    },
    Slot {
        single: false,
        pattern: r"\b(?:uses?|using|runs|running|pake|pakai|make|drives?|prefers?|likes?|wants|suka|prefer|switched to|moved to|ganti ke|pindah ke|is on) (?P<v>.+)",
    },
];

static FILLED: LazyLock<Vec<(bool, Regex)>> =
    LazyLock::new(|| SLOTS.iter().map(|slot| (slot.single, compile(slot.pattern))).collect());
pattern! { pub(super) OWN = r"^(?:the )?(?:User's |Users? |Pengguna |my )?(?:new |current |old )?(?P<k>[\w /+-]{3,45}?)(?: Pengguna)?(?: sekarang| now)? (?:is|are|has|runs|adalah|itu|namanya|=)(?: now| sekarang| called| named)* (?P<v>.+)$" }

/// Things of one kind: naming another one replaces the first.
const KINDS: &[&str] = &[
    r"vegetarian|vegan|pesc[ae]tarian|flexitarian|keto|omnivore|meat eater|eats? (?:meat|fish|everything|cheese|eggs)|makan (?:daging|ikan|segala\w*|ayam)|paleo|carnivore",
    r"windows(?: \d+)?|mac ?os|macs?|macbook(?: \w+)?|linux|ubuntu(?: [\d.]+)?|debian|fedora(?: \d+)?|arch|nixos|pop!?_?os|chromebook|mint",
    r"vs ?code|visual studio(?: code)?|neovim|nvim|vim|emacs|helix|sublime(?: text)?|zed|intellij|pycharm|webstorm|jetbrains|cursor|kakoune|nano|android studio|xcode|rustrover|goland",
    r"macbook(?: air| pro)?(?: m\d)?|thinkpad(?: \w+)?|framework(?: \d+)?|xps(?: \d+)?|surface(?: \w+)?|zenbook|ideapad|chromebook|asus|lenovo|dell|acer|imac|mac mini",
    r"bash|zsh|fish|nushell|powershell",
    r"firefox|chrome|safari|edge|brave|arc|vivaldi|chromium|opera",
    r"iphone(?: \w+)?|android|pixel(?: \w+)?|samsung|galaxy(?: \w+)?|xiaomi",
    r"ios(?: app)?|android(?: app)?|dashboard|web ?app|mobile app|backend|frontend|api|payments?|billing|checkout|search|infra(?:structure)?|platform|data pipeline",
    r"postgres(?:ql)?(?: \d+)?|mysql|mariadb|sqlite|mongo(?:db)?|redis|dynamodb|cockroachdb|oracle|firestore",
    r"aws|gcp|google cloud|azure|heroku|vercel|netlify|fly\.io|hetzner|digitalocean|render|railway",
    r"npm|yarn|pnpm|bun",
    r"pip|poetry|uv|conda|pipenv",
    r"react(?: native)?|vue|svelte|angular|solid|leptos|htmx|flutter|next\.?js|nuxt|remix|ember",
    r"python(?: [\d.]+)?|rust|golang|java|kotlin|typescript|javascript|ruby|c\+\+|c#|php|swift|elixir|scala|haskell|node(?:\.js)?(?: \d+)?|dart|zig",
    r"django|flask|fastapi|rails|laravel|spring(?: boot)?|express|nestjs|axum|actix",
    r"short(?:er)?|brief|concise|terse|long(?:er)?|detailed|verbose|thorough|in-depth|singkat|pendek|ringkas|panjang|detail|lengkap|step[- ]by[- ]step",
    r"formal|informal|casual|santai|kaku|playful|professional",
    r"tabs|spaces|two spaces|four spaces|2 spaces|4 spaces",
    r"british english|american english|british|american|english|indonesian|bahasa indonesia|bahasa inggris|bahasa jawa|bahasa sunda|french|german|spanish|dutch|italian|portuguese|japanese|korean|polish|turkish|russian|mandarin|chinese|arabic|inggris|indonesia",
    r"bullet points?|bullets|tables?|prose|paragraphs|haikus?|tabel|poin|bullet|lists|essays?|narasi|paragraf",
    r"metric|imperial|celsius|fahrenheit|kilometers|miles",
    r"light (?:mode|theme)|dark (?:mode|theme)|light|dark",
    r"coffee|tea|matcha|kopi|teh|decaf|espresso",
    r"wib|wita|\bwit\b|utc(?:[+-]\d+)?|gmt(?:[+-]\d+)?|cet|cest|pst|pdt|est|edt|eet|eest|wet|msk|ist|bst|jst|sgt",
    r"junior(?: \w+)*|senior(?: \w+)*|staff(?: \w+)*|principal(?: \w+)*|intern|tech lead|team lead|engineering manager|manager|director|vp|cto|freelancer?|product manager|data scientist|data engineer|backend (?:engineer|developer|dev)|frontend (?:engineer|developer|dev)|student|mahasiswa",
    r"married|single|divorced|engaged|widowed|girlfriend|boyfriend|wife|husband|menikah|jomblo|cerai|pacar|istri|suami",
    r"jenkins|github actions|gitlab ci|circleci|travis|buildkite|drone",
    r"slack|teams|discord|telegram|whatsapp|signal|email|zoom|google meet|zulip|mattermost|matrix|jitsi|webex|line",
    r"qwerty|qwertz|azerty|dvorak|colemak|workman",
    r"cats?|dogs?|parrots?|budgies?|hamsters?|rabbits?|kucing|anjing",
    r"she/her|he/him|they/them|xe/xem|ze/zir|she/they|he/they",
    r"bicycle|bike|bus|train|tram|car|scooter|motorbike|motorcycle|subway|metro|ferry|on foot|sepeda|mobil|motor|kereta|angkot|ojek",
    r"stata|spss|excel|google sheets|tableau|power ?bi|looker|metabase|libreoffice(?: calc)?|numbers",
    r"figma|sketch|adobe xd|penpot|canva|illustrator|inkscape|photoshop|gimp|affinity(?: \w+)?",
    r"terraform|pulumi|ansible|cloudformation|opentofu|chef|puppet",
    r"jest|vitest|mocha|jasmine|cypress|playwright|selenium|pytest|unittest|junit|postman|insomnia|bruno",
    r"kafka|rabbitmq|nats|redis streams|sqs|pulsar|activemq",
    r"redis|valkey|memcached|dragonfly|keydb",
    r"notion|obsidian|evernote|logseq|apple notes|onenote|roam",
    r"jira|linear|trello|asana|github issues|clickup|shortcut",
    r"mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|senin|selasa|rabu|kamis|jumat|sabtu|minggu",
    r"docker|podman|kubernetes|nomad",
    r"\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d|jam \d{1,2}",
    r"emojis?|emoji",
    r"tailwind|bootstrap|css modules|styled-components|sass",
    r"screenshots?|har exports?|logs",
    r"remote(?:ly)?|hybrid|from home|in the office|on-?site|wfh|wfo",
];

pub(super) static CATEGORIES: LazyLock<Vec<Regex>> =
    LazyLock::new(|| KINDS.iter().map(|kind| compile(&format!(r"\b(?:{kind})\b"))).collect());

/// The term in a known memory that `statement` (third person) makes obsolete. `marked`: it is said to be a change.
pub fn outdates(statement: &str, marked: bool, known: &[String]) -> Option<String> {
    if let Some(old) = taken_back_in(statement, known) {
        return Some(old);
    }
    known
        .iter()
        .filter(|memory| squeezed(memory) != squeezed(statement))
        .find_map(|memory| {
            turned(statement, memory)
                .or_else(|| same_own(statement, memory))
                .or_else(|| same_slot(statement, memory, true))
                .or_else(|| {
                    if marked {
                        same_kind(statement, memory).or_else(|| lifted(statement, memory)).or_else(|| {
                            same_slot(statement, memory, false)
                                .filter(|_| near(statement, memory))
                                .or_else(|| same_task(statement, memory).filter(|_| alone(statement, memory, known)))
                        })
                    } else {
                        None
                    }
                })
        })
        .or_else(|| if marked { nearest(statement, known) } else { None })
}

/// The name in a memory: of the user, a child, a project.
pub(super) fn name_in(memory: &str) -> Option<String> {
    NAME.captures(memory).map(|found| found["v"].trim().to_owned())
}

pattern! { NAME = r"\b(?:name is|named|called|goes by|dipanggil|namanya|nama \w+(?: \w+)?(?: adalah)?) (?P<v>(?:(?:mr|mrs|ms|dr|prof)\.? )?(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)*)" }

/// The term in a known memory that has the same subject as the statement and another value.
pub fn fills_the_place_of(statement: &str, known: &[String]) -> Option<String> {
    known.iter().find_map(|memory| same_own(statement, memory))
}

fn same_own(statement: &str, memory: &str) -> Option<String> {
    let (new, old) = (OWN.captures(statement)?, OWN.captures(memory)?);
    let (new_key, old_key) = (content_words(&new["k"]), content_words(&old["k"]));
    let same = !new_key.is_empty() && new_key == old_key && squeezed(&new["v"]) != squeezed(&old["v"]);
    same.then(|| term(&old["v"])).filter(|t| !t.is_empty())
}

/// The value without the text after it.
fn value(raw: &str) -> &str {
    raw.split([',', ';']).next().unwrap_or(raw)
}

fn same_slot(statement: &str, memory: &str, single: bool) -> Option<String> {
    FILLED.iter().filter(|(one, _)| *one == single).find_map(|(_, pattern)| {
        let (new, old) = (pattern.captures(statement)?, pattern.captures(memory)?);
        let (new, old) = (term(value(&new["v"])), term(value(&old["v"])));
        let differs = !old.is_empty() && squeezed(&new) != squeezed(&old) && shared(&new, &old) < 0.6;
        differs.then_some(old)
    })
}

pattern! { NO_MORE = r"\b(?:not|no longer|isn't|aren't|instead of|rather than|no more|stop(?: with| using)?|quit|bukan|jangan|udah {GA}|sudah {GA}|{GA}) (?:(?:in|at|on|with|using|a|an|the|di|pake|pakai|kerja|tinggal) )*(?P<old>[\w .+#-]{2,40}?)(?: (?:lagi|terus|mulu|any ?more|any longer|now|please))?(?:[,;]|$)" }

/// The term that the statement itself rejects, if a known memory contains it: "in BSD, not in Kuningan".
fn taken_back_in(statement: &str, known: &[String]) -> Option<String> {
    NO_MORE.captures_iter(statement).map(|found| term(&found["old"])).find(|old| {
        !content_words(old).is_empty()
            && known.iter().any(|memory| holds_term(memory, old) && squeezed(memory) != squeezed(statement))
            && !known.iter().any(|memory| NO_MORE.captures(memory).is_some_and(|found| term(&found["old"]) == *old))
    })
}

pattern! {
    FOND = r"\b(?:loves?|likes?|enjoys?|prefers?|adores?|suka|seneng|demen|doyan)\b";
    AVERSE = r"\b(?:hates?|dislikes?|avoids?|detests?|can't stand|doesn't (?:like|enjoy|eat|drink)|{GA} suka|benci|anti)\b";
}

/// Loves what was hated before, or the other way round.
fn turned(statement: &str, memory: &str) -> Option<String> {
    let (fond, averse) = (FOND.find(statement), AVERSE.find(statement));
    let taste = averse.or(fond)?;
    let object = &statement[taste.end()..];
    let other = if averse.is_some() { FOND.is_match(memory) && !AVERSE.is_match(memory) } else { AVERSE.is_match(memory) };
    let same = !content_words(object).is_empty() && content_words(object).is_subset(&content_words(memory));
    (other && same).then(|| memory.to_owned())
}

pattern! {
    REFUSES = r"\b(?:can't|doesn't|isn't|no|not|never|without|wants no|avoids?|{GA}|jangan|tanpa|bukan)\b";
    ALLOWS = r"\b(?:again|fine|ok|okay|allowed|welcome|can|may|lagi|boleh|bisa)\b";
}

/// What was rejected is fine again, or the other way round: the same thing, once negated and once not.
fn lifted(statement: &str, memory: &str) -> Option<String> {
    let opposed =
        REFUSES.is_match(memory) != REFUSES.is_match(statement) && (ALLOWS.is_match(statement) || REFUSES.is_match(statement));
    let common = content_words(statement)
        .intersection(&content_words(memory))
        .any(|word| word.chars().count() >= TELLING_CHARS && !LOOSE.is_match(word));
    (opposed && common).then(|| memory.to_owned())
}

pattern! { ANSWERS = r"\b(?:answers?|answered|repl(?:y|ies)|responses?|explanations?|explained|wants?|writes? to them|jawab\w*|dijawab|penjelasan|balas\w*|minta|ingin|mau)\b" }

/// Whether it is a wish about answers that replaces another one: long instead of short, English instead of German.
pub fn restyles(statement: &str, known: &[String]) -> bool {
    ANSWERS.is_match(statement) && known.iter().any(|memory| ANSWERS.is_match(memory) && same_kind(statement, memory).is_some())
}

fn same_kind(statement: &str, memory: &str) -> Option<String> {
    CATEGORIES.iter().find_map(|kind| {
        let old: Vec<_> = kind.find_iter(memory).map(|m| m.as_str().to_owned()).collect();
        let new: Vec<_> = kind.find_iter(statement).map(|m| m.as_str().to_lowercase()).collect();
        if new.is_empty() { None } else { old.into_iter().find(|word| !new.contains(&word.to_lowercase())) }
    })
}

/// The slots for what people are and work on. What they use or like can have many values at once.
fn same_task(statement: &str, memory: &str) -> Option<String> {
    same_slot(statement, memory, false).filter(|_| !(USES.is_match(statement) || USES.is_match(memory)))
}

pattern! { USES = r"\b(?:uses?|using|runs|running|pake|pakai|drives?|prefers?|likes?|loves?|hates?|wants?|suka|prefer|switched|ganti)\b" }

/// No other known memory is about one of the statement's slots.
fn alone(statement: &str, memory: &str, known: &[String]) -> bool {
    !known.iter().any(|other| other != memory && same_slot(statement, other, false).is_some())
}

/// The only known memory that a sentence about a change can mean: it names another thing of the same kind, or no other one shares
/// a significant word.
pub fn about<'a>(sentence: &str, known: &'a [String]) -> Option<&'a str> {
    let mut same = known.iter().filter(|memory| same_kind(sentence, memory).is_some());
    if let (Some(memory), None) = (same.next(), same.next()) {
        return Some(memory);
    }
    known.iter().find(|memory| only_sharer(sentence, memory, known)).map(String::as_str)
}

/// Minimum length of a significant word.
const TELLING_CHARS: usize = 4;

/// No other known memory shares a significant word with the statement.
fn only_sharer(statement: &str, memory: &str, known: &[String]) -> bool {
    let words = content_words(statement);
    let shares = |memory: &str| {
        content_words(memory).intersection(&words).any(|word| word.chars().count() >= TELLING_CHARS && !LOOSE.is_match(word))
    };
    shares(memory) && !known.iter().any(|other| other != memory && shares(other))
}

// Verbs that say nothing about the topic.
pattern! { pub(super) LOOSE = r"^(?:live|liv|work|like|lik|love|lov|hate|hat|prefer|want|need|have|make|mak|take|tak|keep|does|goes|going|been|being|more|most|with|from|only|when|call|suka|pake|pakai|tinggal|kerja|punya|lebih|dengan|untuk|udah|sudah)$" }

fn near(statement: &str, memory: &str) -> bool {
    shared(statement, memory) >= 0.2
}

/// Share of common words from which a marked correction is about a memory.
const NEAREST: f64 = 0.3;

/// The full text of the known memory that shares most words with the statement.
fn nearest(statement: &str, known: &[String]) -> Option<String> {
    let best = known.iter().max_by(|a, b| shared(statement, a).total_cmp(&shared(statement, b)))?;
    let near = shared(statement, best) >= NEAREST || only_sharer(statement, best, known);
    (near && squeezed(best) != squeezed(statement)).then(|| best.clone())
}
