//! Finds what could be shared with the whole team: impersonal statements about the project. It is far stricter than the personal
//! side, because everyone reads a team fact and nobody in particular answers for it.
//!
//! A sentence must be about a thing of the project, say something generally true, and contain evidence: a number, a schedule, a
//! rule, a place to look. It must not be about people, temporary states, opinions or the world.

mod alike;
mod spoken;

use std::sync::LazyLock;

use super::pattern::{Rule, Table, pattern};
use super::person::{Tongue, tidy, tongue};
use crate::domain::fact::FactKind;
pub use alike::{is_doubtful, is_of_family, is_work, weighed};
pub use spoken::in_one_voice;

/// Why a sentence cannot be shared with the team.
pub const NOT_SHARED: &[Rule] = &[
    Rule {
        name: "person",
        pattern: r"\b(?:i|i'm|i've|me|my|mine|myself|you|your|yours|you're|he|she|him|his|her|hers|us|ours|gue|gua|gw|gwe|aku|ku|saya|kamu|lo|lu|dia|mereka|anda|mas|mbak|pak|bu|bang|kak|mr|mrs|ms|guy|guys|wife|husband|kid|friend|temen|teman)\b|\b\w{3,}(?:kuu?)\b (?:adalah|itu)|@[a-z]",
        catches: &["my staging box is small", "she owns the release"],
        spares: &["The staging cluster restarts every night at 02:00"],
    },
    Rule {
        name: "somebody",
        pattern: r"\b(?:boss|manager|colleague|coworker|teammate|someone|somebody|bos)\b",
        catches: &["someone broke the build", "the manager is late"],
        spares: &["The duty officer signs the sheet"],
    },
    Rule {
        name: "passing_state",
        pattern: r"\b(?:is|are|seems?|looks?|keeps?|got|went|still|appears?|masih|lagi|kayaknya) (?:\w+ )?(?:down|broken|failing|flaky|slow|stuck|red|green|dead|offline|unavailable|crashing|hanging|blocked|missing|empty|wrong|weird|strange|corrupt\w*|full|lagging|throwing|returning (?:4|5)\d\d|timing out|not (?:working|responding|loading|building|starting|found)|being|going|getting|acting|having|back|up again|fixed|done|ready|merged|in progress|underway|live now|happening|loading|running (?:slow|hot|late|low|fine|out)|rusak|mati|error|lemot|lambat|macet|mentok)\b|\b(?:right now|at the moment|currently|today|tonight|tomorrow|yesterday|this (?:morning|week|afternoon|time|month|pr|branch|file|bug|test|function|build|release|sprint|ticket|page|one)|that (?:one|bug|test|file|page)|just now|since (?:this|yesterday|today|last)|last (?:night|week|month|release|deploy|time)|(?:an?|\d+) (?:minutes?|hours?|days?|weeks?) ago|again|anymore|any more|for now|so far|soon|later|temporarily|suddenly|sekarang|hari ini|kemarin|tadi|barusan|besok|nanti|lagi$|baru saja|minggu ini|sementara|tiba-tiba)\b|\b(?:fails?|failing|(?:has|have|just|it|builds?|tests?|deploys?|jobs?|pipeline|run|migration|upload|import) failed|failed (?:at|on|with|again|because|to|after)|failed$|crash(?:es|ed)?|broke|breaks|errors? out|throws?|threw|hangs|hung|exception|traceback|stack ?trace|segfault|undefined|nullpointer|returns? (?:an? )?(?:4\d\d|5\d\d|error|null|nothing|empty)|doesn't work|does not work|not working|won't|isn't (?:working|loading)|bug|bugs|gagal|ngehang|errornya|error (?:terus|mulu|lagi))\b",
        catches: &["The staging cluster is down", "The build failed today", "the API returns 500"],
        spares: &["Builds are kept for 30 days", "A retry runs every 5 minutes"],
    },
    Rule {
        name: "opinion",
        pattern: r"\b(?:annoying|nice|great|terrible|ugly|cool|better|best|worse|worst|sucks?|love|hate|like it|confusing|awful|amazing|beautiful|good|bad|horrible|fun|boring|interesting|pretty|awesome|stupid|silly|impressive|disappointing|expensive|cheap|easy|hard|difficult|weird|huge|tasty|delicious|lovely|wonderful|fantastic|brilliant|overrated|underrated|messy|clunky|painful|funny|probably|maybe|perhaps|might|could|i think|imho|imo|apparently|supposedly|somehow|hopefully|should probably|would be|seems|bagus|jelek|keren|ribet|enak|mantap|payah|menurut|kayaknya|mungkin|sepertinya|susah|gampang|lucu|parah|banget|bgt|lol|haha|wkwk\w*)\b",
        catches: &["The dashboard is ugly", "the API might use OAuth"],
        spares: &["The dashboard is rebuilt every 10 minutes"],
    },
    Rule {
        name: "past_or_plan",
        pattern: r"^[^,:]{0,60}?\b(?:was|were|had|did|went|became|got|didn't|wasn't|weren't|will|would|going to|gonna|plans? to|about to|has (?:just|been (?:down|broken|fixed|merged|deployed|updated|removed|slow|failing))|have (?:just|been (?:down|broken|fixed|merged|deployed|updated))|needs? (?:fixing|a fix|work|to be (?:fixed|done|rewritten|refactored|updated|cleaned|changed|reviewed))|harus (?:di)?(?:benerin|perbaiki|fix)|bakal|akan|pernah)\b",
        catches: &["The release was late", "The cluster will be replaced"],
        spares: &["Release branches are cut on the first Tuesday"],
    },
    Rule {
        name: "of_the_world",
        pattern: r"\b(?:weather|movie|film|football|soccer|basketball|match|game|song|album|band|concert|restaurant|coffee|pizza|sushi|beach|holiday|vacation|traffic|president|government|election|bitcoin|crypto|stock market|planet|earth|sun|moon|ocean|country|capital of|river|mountain|dinosaur|history|century|war|king|queen|actor|actress|celebrity|recipe|cuaca|bola|lagu|makan(?:an)?|macet|presiden|pemilu|harga emas|konser|liburan|hujan|negara|ibu kota|train|bus|metro|airport|museum|shop on|supermarket|hospital|school|gym|class(?:room|es)?|lessons?|exams?|teachers?)\b",
        catches: &["The weather is nice in staging", "we do tests in class"],
        spares: &["The Postgres cluster is on version 16"],
    },
    Rule {
        name: "of_the_trade",
        pattern: r"^(?:the )?(?:python|rust|java|javascript|typescript|go|golang|ruby|php|kotlin|swift|c\+\+|react|vue|angular|svelte|django|rails|linux|windows|macos|android|ios|git|docker|kubernetes|postgres(?:ql)?|mysql|sqlite|redis|http|https|tcp|udp|json|yaml|xml|html|css|sql|unicode|utf-8|ascii|aws|azure|gcp|google|apple|microsoft|amazon|openai|chatgpt|github|node(?:\.js)?|npm|the internet|ipv4|ipv6|dns|oauth|jwt|rest|graphql|tls|ssl|bash|vim|emacs|regex(?:es)?|chrome|firefox|safari)(?:'s)? (?:\w+ly )?(?:is|are|has|have|uses|use|was|supports?|can|does|doesn't|stands|means|runs|needs|handles|stores|\w+s)\b",
        catches: &["Python is slow", "Postgres uses MVCC"],
        spares: &["The Postgres cluster is on version 16"],
    },
    Rule {
        name: "pointing",
        pattern: r",\s*(?:now |please |then |so )?(?:model|design|write|show|draw|implement|express|put|make|turn|explain|do|solve|code) (?:that|this|it|them)\b|^the (?:file|table|list|array|page|script|sheet|csv|image|picture|text|string|vector|matrix|dataset|essay|article|button|form|input|header|title)\b|^(?:this|that|these|those|it|its|it's|there|here|he|she|they|what|which|who|how|why|when|where|if|unless|whenever|so|because|also this|ini|itu|kalo|kalau|jika|which|one|something|everything|nothing|all good|all of|none)\b|\b(?:the (?:above|following|former|latter|attached|button|modal|first one|second one|user story|screenshot|snippet|new feature|error message|loop|variable|function|method|class|script|query|diff|output|example)|as follows|see below|di atas|di bawah|yang ini|ini aja|ini ya|kode ini|email ini|file ini|tabel ini)\b",
        catches: &["this endpoint needs a key", "the function is called twice"],
        spares: &["Each endpoint needs a key"],
    },
];

// A person's body or daily life: not for a team, even if nobody is named.
pattern! {
    PRIVATE_MATTER = r"\b(?:allerg\w+|pregnan\w+|birthdays?|diabet\w+|sick leave|maternity leave|divorce\w*|religio\w+|alergi|hamil|ulang tahun|cuti (?:sakit|melahirkan)|cerai)\b";
    // Temporary states.
    OF_TODAY = r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening)|right now|at the moment|in (?:five|ten|\d+) minutes|hari ini|nanti|besok|kemarin|tadi|malam ini|sore ini)\b";

    // Present tense about something with an article, or about a plural: what usually happens at a place.
    PRESENT = r"^(?:the |our |all |each |every )?(?:[\w'’-]+ ){1,6}?(?:is|are|has to|have to|must|(?-i:[a-z]{3,}s)) \S";
    // What a thing is made of, or where it runs.
    MADE_OF = r"\b(?:is|are) (?:built|written|hosted|generated|deployed|managed|tracked) (?:with|in|on|by|from|through|using)\b|\bruns? on\b";
}

static REFUSED: LazyLock<Table> = LazyLock::new(|| Table::new(NOT_SHARED));

pattern! {
    TECH = r"\b{TECH}\b";
    GLOSSARY = r#"^(?:the (?:term|word|name|label) |{SCOPE}|istilah |kata )*["'`“]?(?P<term>[\w/+-]+(?: [\w/+-]+){0,4}?)["'`”]? (?:means|stands for|is short for|refers to|is what (?:we|the team) calls?|is our (?:name|word|term) for|is the (?:internal )?(?:name|word|term|codename|code name) (?:for|of)|artinya|berarti|adalah (?:istilah|sebutan|singkatan|nama)(?: internal)?(?: untuk| buat| dari)?|maksudnya|singkatan dari|kepanjangan dari|itu (?:artinya|maksudnya|singkatan(?: dari)?|sebutan))\s+\S+"#;
    QUOTED_TERM = r#"^(?:the (?:term|word|name|label) |{SCOPE}|istilah |kata |a |an )*["'`][^"'`]{2,40}["'`] (?:(?:here|always|only|di sini|{IN_SCOPE}) )?(?:means|stands for|is|refers|are|artinya|berarti|adalah|maksudnya|itu|merujuk)\b|^(?:{SCOPE})?by ["'`][^"'`]{2,40}["'`] (?:the (?:docs|code|team|project|handbook|spec)|we) (?:always )?means?\b"#;
    // A definition may begin with its scope.
    SCOPED = r"^{SCOPE}";
    HOWTO = r"^(?:to|in order to|untuk) (?:(?-i:[a-z])[\w-]+) .{2,90}?,? *(?:,|\b(?:run|set|use|call|open|add|create|delete|restart|push|pass|edit|send|post|execute|jalankan|jalanin|pakai|pake|gunakan|ubah|set|tambahkan|buka|hapus)\b) *.{3,}$|\bby (?:running|setting|calling|adding|pushing|editing|using|passing|opening|sending|bumping|tagging)\b|^(?:new|adding|creating|replaying|rotating|restoring|resetting) .{3,60} (?:requires?|needs?|takes|is done|goes through|means|starts with)\b|\bdengan (?:menjalankan|cara|perintah|mengubah|menambah\w*)\b";
    REFERENCE = r"\b(?:(?:is|are) (?:\w+ )?(?:documented|catalogu?ed|described|listed|explained|kept|stored|defined|found|located|tracked|published|recorded|written down|configured|hosted|archived|maintained) (?:in|at|on|under|by|inside)|(?:is|are) in (?:the|docs?|a)|lives? (?:in|at|under|on)|can be found|see (?:the|docs)|points? to|(?:ada|disimpan|tersimpan|terdokumentasi|didokumentasikan|dicatat|tercatat|ditulis|terdaftar|dijelaskan|didefinisikan|dikonfigurasi) di)\b";
    RULE = r"\b(?:between \d+ and|antara \d+|selama \d+|must|always|never|every|each|all|any|no|semua|only|once|twice|may not|must not|cannot|can't|are not allowed|is not allowed|requires?|required|at least|at most|no more than|up to|within|by default|defaults? to|expires?|limited to|capped at|before|after|until|unless|harus|wajib|selalu|tidak boleh|ga boleh|gak boleh|hanya|setiap|tiap|maksimal|minimal|paling (?:lama|banyak|lambat)|sebelum|setelah|secara default|dilarang|kecuali|sekali|otomatis|automatically|read-only|immutable|idempotent|append-only|nightly|weekly|daily|hourly|monthly)\b";
    MEASURE = r"\b(?:\d+(?:[.,:]\d+)*(?:\s?[-–]\s?\d+)?\s?(?:%|ms|s|seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|kb|mb|gb|tb|requests?|retries|times|degrees|°c|per ?cent|litres?|liters?|kg|kilos?|grams?|metres?|km|boxes|pallets|pieces|derajat|persen|kilo|porsi|rows|records|items|characters|bytes|connections|nodes|replicas|instances|workers|attempts|approvals?|reviewers?|cents?|utc|detik|menit|jam|hari|minggu|bulan|tahun|kali|baris|orang)|\d{1,2}:\d\d|v?\d+\.\d+|\d{2,}|(?:first|second|third|last|every|each|other|setiap|tiap|hari) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|day|night|week|month|hour|morning|senin|selasa|rabu|kamis|jumat|sabtu|minggu|malam|hari|bulan)|(?:on|before|after) (?:{DAY})|midnight|noon|tengah malam|pukul \d+|jam \d+)\b";
    // A number with its unit, or a time: enough evidence for a thing of the project.
    MEASURED = r"\b\d+(?:[.,]\d+)*\s?(?:%|ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?|kb|mb|gb|tb|requests?|retries|times|records|characters|bytes|connections|nodes|replicas|workers|attempts|approvals?|degrees|°c|per ?cent|litres?|liters?|kg|kilos?|grams?|metres?|km|boxes|pallets|pieces|derajat|persen|kilo|porsi|detik|menit|jam|hari|minggu|bulan|tahun|kali)\b|\b\d{1,2}:\d\d\b";
    // How something is recorded: a zone, an encoding, a unit.
    STANDARD = r"\b(?:in|as|to|with|using|dalam|sebagai|pakai|pake|memakai|menggunakan|format) (?:(?:plain|lowercase|lossless|signed|gzipped|utf-8) )?(?:utc|gmt|wib|utf-?8|iso[ -]?\d+|rfc ?\d+|unix (?:time|seconds|milliseconds)|epoch (?:seconds|milliseconds)|cents|sen|rupiah|euros?|dollars|milliseconds|bytes|metres|meters|kilograms|grams|celsius|json|ndjson|yaml|toml|csv|protobuf|avro|parquet|gzip|zstd|webp|avif|uuids?|ulids?|uuidv?[47]|snake_case|camelcase|kebab-case|base64|sha-?\d+|aes-?\d*|markdown|asciidoc|english|indonesian|bahasa (?:indonesia|inggris))\b";
    CODED = r"`[^`]+`|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z]{2,}[A-Z0-9_]*_[A-Z0-9_]+\b|(?-i:\b[a-z]+[A-Z][A-Za-z]+\b)|\b[a-z]+-[a-z]+-[a-z]+\b";
    VERB = r"\b(?:is|are|has|have|must|may|can|cannot|can't|does|doesn't|do not|don't|should|needs?|uses?|runs?|restarts?|lives?|requires?|goes|go|expires?|reads?|writes?|holds?|keeps?|stores?|sends?|returns?|starts?|stops?|closes?|opens?|deploys?|ships?|rotates?|retr(?:y|ies)|accepts?|rejects?|supports?|follows?|belongs?|contains?|covers?|includes?|points?|maps?|means|stands|refers|defaults?|happens?|takes?|lasts?|triggers?|falls?|ends?|begins?|serves?|listens?|syncs?|copies|archives?|purges?|deletes?|removes?|refreshes|builds?|publishes|merges?|gets?|come|comes|owns?|handles?|carr(?:y|ies)|adds?|limits?|blocks?|ignores?|validates?|checks?|emits?|logs?|counts?|rounds?|matches|applies|apply|changes?|treats?|allows?|rejects?|denies|permits?|produces?|generates?|exposes?|forwards?|calculates?|computes?|creates?|updates?|loads?|calls?|polls?|scales?|charges?|bills?|costs?|freezes|locks?|unlocks?|masks?|encrypts?|hashes|signs?|talks|pushes|pulls?|reports?|scans?|shares?|splits?|waits?|warms?|resets?|rolls?|replaces?|mirrors?|joins?|inherits?|enforces?|assumes?|excludes?|fires?|receives?|resolves?|sets?|shows?|switches|times out|tracks?|turns?|wraps?|works?|consumes?|respects?|converts?|compiles?|skips?|drains?|cleans?|clears?|expects?|passes|wants|prefers|adalah|harus|wajib|selalu|jalan|berjalan|disimpan|dibaca|pakai|pake|menggunakan|memakai|ada|berlaku|dibuat|dihapus|dijalankan|berarti|artinya|restart|expired|kedaluwarsa|boleh|bisa|butuh|perlu)\b";
    VERB_ID = r"\b(?:adalah|harus|wajib|selalu|jalan|pakai|pake|ada|artinya|restart|deploy|expired|kedaluwarsa|boleh|bisa|butuh|perlu|di[a-z]{3,}|ter[a-z]{4,}|ber[a-z]{3,}|me[a-z]{4,}|nge\w+|lewat|cuma|hanya|otomatis|tidak|ga|gak)\b";
    COMMAND_LIKE = r"^(?:please|add|fix|make|write|show|give|create|change|update|remove|delete|run|use|check|set|put|move|rename|help|explain|find|list|let|don't|do not|stop|always|never|keep|answer|tolong|bikin|buat|buatkan|buatin|cek|kasih|jangan|coba|hapus|ubah|ganti)\b";
    WE = r"^(?P<lead>(?:at work,? |here,? |on this project,? |in this (?:project|repo|codebase),? |on (?:our|the) team,? |on [\w]+days?,? |every [\w]+ |di (?:tim|kantor|proyek|project)(?: ini| kita)?,? )?)(?:we|kita|kami)(?P<rest> (?:(?:always|never|only|usually|generally|normally|mostly|all|also|currently|still|now|finally|just|have|selalu|biasanya|cuma|hanya|ga pernah) )?(?P<verb>[\w']+)\b.*)$";
    OUR = r"\b(?:our|kita|kami)\b";
    OUR_EN = r"\bour\b";
    OUR_ID = r" (?:kita|kami)\b";
    WE_LEFT = r"\b(?:we|us|we're|we've|kita|kami|our)\b";
}
const TEAM_VERBS: &[&str] = &[
    "use",
    "deploy",
    "ship",
    "release",
    "run",
    "keep",
    "store",
    "follow",
    "cut",
    "tag",
    "merge",
    "squash",
    "require",
    "support",
    "host",
    "write",
    "build",
    "log",
    "track",
    "monitor",
    "rotate",
    "freeze",
    "publish",
    "version",
    "call",
    "name",
    "review",
    "test",
    "lint",
    "format",
    "archive",
    "back",
    "bill",
    "charge",
    "invoice",
    "target",
    "don't",
    "rely",
    "cache",
    "queue",
    "page",
    "hold",
    "document",
    "retain",
    "send",
    "sync",
    "have",
    "do",
    "allow",
    "prefer",
    "pake",
    "pakai",
    "deploy",
    "rilis",
    "simpan",
    "nyimpen",
    "wajib",
    "harus",
    "menggunakan",
    "selalu",
    "taruh",
    "naruh",
    "nge-deploy",
    "ngerilis",
    "merilis",
    "gunakan",
    "memakai",
    "menyimpan",
    "mengikuti",
    "squash",
    "pisahin",
];
pattern! { HOUSEHOLD = r"\b{FAMILY}\b|\b{KELUARGA}\b|\b(?:house|home|apartment|garden|kitchen|wedding|married|rent|mortgage|dinner|vacation|holiday|anniversary|honeymoon|baby|bali|church|rumah|nikah|liburan|makan|nonton)\b" }

/// A statement for the team.
#[derive(Debug, PartialEq, Eq)]
pub struct Shared {
    pub text: String,
    pub kind: FactKind,
}

/// "We deploy on Tuesdays" → "The team deploys on Tuesdays"; "our staging DB" → "The staging DB". `None` if the plural is a
/// household, or cannot be removed.
pub fn without_we(text: &str) -> Option<String> {
    told(text, false, |verb| TEAM_VERBS.contains(&verb))
}

/// `trade`: a kitchen or a house mentioned in it is a workplace.
fn told(text: &str, trade: bool, speaks_for_a_team: impl Fn(&str) -> bool) -> Option<String> {
    if !WE_LEFT.is_match(text) {
        return Some(text.to_owned());
    }
    if !trade && HOUSEHOLD.is_match(text) {
        return None;
    }
    let mut said = text.to_owned();
    if let Some(found) = WE.captures(text) {
        let verb = found["verb"].to_lowercase();
        if !speaks_for_a_team(&verb) {
            return None;
        }
        let indonesian = text.to_lowercase().contains("kita ") || text.to_lowercase().contains("kami ");
        said = if indonesian {
            format!("{}tim{}", &found["lead"], &found["rest"])
        } else {
            let third = super::person::third(&format!("I{}", &found["rest"]), super::person::Tongue::English);
            format!("{}the team{}", &found["lead"], third.strip_prefix("User").unwrap_or(&third))
        };
    }
    let said = OUR_EN.replace_all(&said, "the");
    let said = OUR_ID.replace_all(&said, "");
    (!WE_LEFT.is_match(&said)).then(|| tidy(&said))
}

/// The kind of fact of a statement.
pub fn kind(text: &str) -> FactKind {
    if GLOSSARY.is_match(text) || QUOTED_TERM.is_match(text) {
        FactKind::Glossary
    } else if HOWTO.is_match(text) {
        FactKind::Howto
    } else if REFERENCE.is_match(text) {
        FactKind::Reference
    } else {
        FactKind::Fact
    }
}

/// Whether it speaks for a group: the team, the project, everyone.
pub fn speaks(clause: &str) -> bool {
    spoken::read(clause).is_some()
}

/// Roughly the words before the verb: what the sentence is about.
fn subject(text: &str) -> &str {
    let verb = if tongue(text) == Tongue::Indonesian { &VERB_ID } else { &VERB };
    let end = verb.find_iter(text).find(|verb| verb.start() > 0).map_or(text.len(), |verb| verb.end());
    &text[..end]
}

/// Required evidence if the message does nothing else.
const EVIDENCE: usize = 2;
/// With this much evidence, no question, and nothing called "ours", it need not be about software.
const PLENTY: usize = 3;

/// Reads a clause as something to propose. `asking`: the message also asks for something, so more evidence is required. The error
/// names the rule that refused it.
pub fn read(clause: &str, asking: bool) -> Result<Shared, &'static str> {
    let words = clause.split_whitespace().count();
    if !(4..=60).contains(&words) || COMMAND_LIKE.is_match(clause) {
        return Err("not_shared");
    }
    let spoken = spoken::read(clause);
    let said = spoken.as_ref().map_or(clause, |spoken| spoken.text.as_str());
    let owned = OUR.is_match(said) || WE.is_match(said);
    let trade = spoken.as_ref().is_some_and(|spoken| spoken.of_a_trade);
    let text = told(said, trade, |verb| spoken.is_some() || TEAM_VERBS.contains(&verb)).ok_or("person")?;
    let kind = kind(&text);
    let defines = matches!(kind, FactKind::Glossary | FactKind::Howto);
    // A definition may mention the past and what is broken.
    let state = |rule: &&str| match *rule {
        "passing_state" => !defines && !spoken.as_ref().is_some_and(|spoken| spoken.decided),
        "past_or_plan" => !defines && !spoken.as_ref().is_some_and(|spoken| spoken.decided),
        // What is called "ours" belongs to the team and not to the trade in general.
        "of_the_trade" => !owned,
        "of_the_world" => !trade,
        _ => true,
    };
    let judged = if kind == FactKind::Glossary { SCOPED.replace(&text, "") } else { text.as_str().into() };
    if let Some(rule) = REFUSED.all(&judged).find(state) {
        return Err(rule);
    }
    if spoken.is_some() {
        return Ok(Shared { text: tidy(&text), kind });
    }
    let about = subject(&text);
    let topical = TECH.is_match(about) || CODED.is_match(about) || (owned && TECH.is_match(&text));
    let holds = VERB.is_match(&text) || VERB_ID.is_match(&text) || PRESENT.is_match(&text) || kind == FactKind::Howto;
    let evidence = [
        MEASURE.is_match(&text),
        MEASURED.is_match(&text),
        RULE.is_match(&text),
        STANDARD.is_match(&text),
        CODED.is_match(&text),
        kind != FactKind::Fact,
        TECH.find_iter(&text).count() >= 2,
        owned,
        SCOPED.is_match(clause),
        QUOTED_TERM.is_match(&text) || kind == FactKind::Howto,
        MADE_OF.is_match(&text),
    ];
    let evidence = evidence.into_iter().filter(|e| *e).count();
    let about_project = match kind {
        FactKind::Glossary => QUOTED_TERM.is_match(&text) || TECH.is_match(&text),
        FactKind::Howto => TECH.is_match(&text) || CODED.is_match(&text),
        _ => topical || (!asking && !owned && evidence >= PLENTY),
    };
    // What is called "ours" is not part of the question.
    let needed = if asking && !owned { EVIDENCE + 1 } else { EVIDENCE };
    if about_project && holds && evidence >= needed { Ok(Shared { text: tidy(&text), kind }) } else { Err("not_shared") }
}

/// A statement that the user asked to share: only people in it prevent that.
pub fn asked(text: &str) -> Result<Shared, &'static str> {
    let text = told(text, true, |_| true).ok_or("person")?;
    match REFUSED.first(&text) {
        Some("person") => Err("personal_in_team"),
        _ if PRIVATE_MATTER.is_match(&text) => Err("personal_in_team"),
        _ if OF_TODAY.is_match(&text) => Err("one_off"),
        _ if text.split_whitespace().count() < 3 => Err("not_shared"),
        _ => Ok(Shared { kind: kind(&text), text: tidy(&text) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_table_hold() {
        super::super::pattern::check_examples(NOT_SHARED);
    }

    #[test]
    fn project_statements_are_proposed() {
        for (said, stored, kind) in [
            (
                "The staging cluster restarts every night at 02:00",
                "The staging cluster restarts every night at 02:00",
                FactKind::Fact,
            ),
            ("Feature flags are read once at boot", "Feature flags are read once at boot", FactKind::Fact),
            (
                "\"Cold shelf\" means a collection that has not been read for 90 days",
                "\"Cold shelf\" means a collection that has not been read for 90 days",
                FactKind::Glossary,
            ),
            (
                "To replay a failed import, set its state to queued and run the importer",
                "To replay a failed import, set its state to queued and run the importer",
                FactKind::Howto,
            ),
            ("Release branches are cut on the first Tuesday", "Release branches are cut on the first Tuesday", FactKind::Fact),
            (
                "API error codes are catalogued in the errors section of the handbook",
                "API error codes are catalogued in the errors section of the handbook",
                FactKind::Reference,
            ),
            ("we deploy on Tuesdays", "The team deploys on Tuesdays", FactKind::Fact),
            ("our staging DB is Postgres 16", "The staging DB is Postgres 16", FactKind::Fact),
            (
                "Cluster staging restart otomatis tiap malam jam 02:00",
                "Cluster staging restart otomatis tiap malam jam 02:00",
                FactKind::Fact,
            ),
        ] {
            assert_eq!(read(said, false), Ok(Shared { text: stored.to_owned(), kind }), "{said}");
        }
    }

    #[test]
    fn the_rest_is_not() {
        for said in [
            "The staging cluster is down",
            "the weather is nice today",
            "My staging box restarts every night",
            "Python is slow on large lists",
            "The dashboard is ugly",
            "The build failed at 10:00",
            "we have two kids",
            "Dana owns the release",
            "Fix the login page on staging",
        ] {
            assert!(read(said, false).is_err(), "{said}");
        }
    }
}
