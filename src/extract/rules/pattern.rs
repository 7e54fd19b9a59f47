//! Word lists that patterns share, and the only place where patterns are compiled.
//!
//! A pattern may name a list in braces (`{STYLE}`), so that each list is written once. Only the `regex` crate is used: every
//! pattern runs in linear time on any message.

use regex::Regex;

/// Adverbs that may come between the subject and its verb.
const ADV: &str = r"(?:(?:also|really|actually|currently|usually|always|never|mostly|mainly|generally|normally|typically|primarily|often|rarely|seldom|sometimes|still|only|just|now|personally|strongly|basically|almost|exclusively|pretty much|both|much|very|far|definitely|honestly|regularly|daily|recently|originally|sort of|kind of|too|do|pretty|quite|fairly|partly|nearly|totally|completely|no longer|gladly|happily|deliberately)\s+)*";

/// What a standing wish about answers is about.
const STYLE: &str = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|emojis?|emoticons?|bullet ?points?|bullets?|bulleted|numbered|tables?|markdown|headings?|headers?|jargon|apolog\w+|pleasantr\w+|preambles?|intros?|disclaimers?|caveats?|small talk|fluff|filler|metric|imperial|celsius|fahrenheit|kilomet\w+|units?|24[- ]?h(?:ou)?rs?|12[- ]?hour|am/pm|iso(?:[- ]?8601)?|dates?|currenc\w+|prices|spelling|british|american|english|indonesian|bahasa|french|german|spanish|italian|portuguese|dutch|japanese|korean|mandarin|chinese|javanese|sundanese|hindi|arabic|formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|tone|concise(?:ly)?|brief(?:ly)?|terse(?:ly)?|blunt(?:ly)?|direct(?:ly)?|honest|straight|to the point|short(?:er)?|long(?:er)?|detailed|verbose|verbosity|step[- ]by[- ]step|comments?|type ?hints?|type annotations?|docstrings?|tabs|spaces|semicolons?|first names?|nickname|pronouns?|links|sources|citations?|cite|references|screenshots?|diagrams?|exclamation\w*|dark mode|one-liners?|abbreviations?|acronyms?|examples?|code (?:first|blocks?|snippets?|samples?)|snippets|snake_case|camelcase|passive voice|analog(?:y|ies)|metaphors?|flatter\w*|prais\w*|compliment\w*|hedg\w*|summar(?:y|ies|ise|ize|ising|izing)|follow-up questions?|clarifying questions?|paragraphs?|sentences?|bold|italics|italic|latex|typescript|javascript|python|rust|kotlin|swift|golang|go code|postgres|sql|orm|(?:easy|easier|simple|simpler|plain|short|big|difficult) (?:words|language|vocabulary|terms|sentences|english)|har exports?|my name|sir|ma'am|bro|dude|mate)";

/// The same for Indonesian.
const GAYA: &str = r"(?:jawab(?:an|in|nya|annya)?|(?:nge)?jelasin|penjelasan(?:nya)?|bahasa|emoji|emot(?:icon|ikon)?|stiker|tabel|bullet|poin|pointer|singkat|pendek|panjang|basa[- ]basi|formal|santai|kaku|gue/lo|gua/lu|saya/anda|lo gue|kode|code|contoh|istilah|satuan|metrik|markdown|bertele[- ]tele|ringkas|detail|langsung|to the point|inggris|indonesia|indo|sunda|jawa|melayu|komentar|komen|sapa|sapaan|nyapa|minta maaf|muji|puji\w*|intro|pembuka|pembukaan|penutup|kesimpulan|rangkuman|ringkasan|sumber|referensi|link|tanggal|format|rupiah|celsius|kilometer|jam 24|24 jam|huruf kapital|caps|singkatan|typescript|python|rust|kotlin|golang|sql|screenshot|diagram|langkah|step[- ]by[- ]step|paragraf|kalimat|gaya|nada|output|nanya|tanya)";

/// The user, in Indonesian.
const AKU: &str = r"(?:gue|gua|gw|gwe|aku|saya|ane|sy|ak|w)";

/// "Not", in Indonesian.
const GA: &str = r"(?:ga|gak|nggak|ngga|enggak|engga|gk|g|tidak|tdk|tak|kagak|kaga|ndak)";

/// "Use", in Indonesian.
const PAKE: &str = r"(?:pake|pakai|make|memakai|pke|gunain|gunakan|menggunakan|ngegunain|nggunain)";

/// Months, for dates that are too far away for an errand.
const MONTH: &str = r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januari|februari|maret|mei|juni|juli|agustus|oktober|desember|next (?:month|year|spring|summer|autumn|fall|winter|semester|quarter)|spring|summer|autumn|winter|christmas|new year|lebaran|ramadan|bulan depan|tahun depan|semester depan|q[1-4]|20[2-4]\d)";

/// Close family, kept because it is the user's own life.
const FAMILY: &str = r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|daughters?|sons?|kids?|child(?:ren)?|baby|bab(?:y|ies)|twins|toddler|mother|father|mom|mum|dad|parents|brothers?|sisters?|siblings?|grandmother|grandfather|grandma|grandpa|nephews?|nieces?|uncle|aunt|cousins?|in-laws|family|dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|parrot|rabbits?|hamster|horse|goldfish|tortoise)";

/// Family in Indonesian.
const KELUARGA: &str = r"(?:istri|suami|pacar|tunangan|anak(?: pertama| kedua| bungsu| sulung| cewek| cowok| perempuan| laki-laki)?|ibu|bapak|ayah|mama|papa|nyokap|bokap|orang ?tua|ortu|adik|adek|kakak|kaka|abang|kakek|nenek|keponakan|sepupu|mertua|kucing|anjing|peliharaan|keluarga)";

/// Days and other repeating times.
const DAY: &str = r"(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekdays?|weekends?)";

/// Components of projects. The main evidence that a sentence is about one.
const TECH: &str = r"(?:api|apis|endpoints?|services?|microservices?|clusters?|staging|production|prod|sandbox|environments?|envs?|deploy(?:s|ed|ing|ments?)?|releases?|releasing|branch(?:es)?|builds?|pipelines?|ci|ci/cd|databases?|dbs?|migrations?|schemas?|tables?|columns?|index(?:es)?|replicas?|caches?|cached|queues?|topics?|workers?|cron(?:jobs?)?|jobs?|schedulers?|feature flags?|flags?|configs?|configuration|settings?|backups?|snapshots?|logs?|logging|metrics|alerts?|monitoring|traces?|servers?|repos?|repositor(?:y|ies)|monorepo|webhooks?|ports?|port pool|containers?|images?|docker|kubernetes|k8s|helm|buckets?|artifacts?|artefacts?|dashboards?|tickets?|sprints?|on-?call|rota|runbooks?|playbooks?|handbooks?|wiki|docs?|documentation|readme|changelog|adrs?|design docs?|incidents?|post-?mortems?|imports?|importers?|exports?|exporters?|invoices?|billing|payments?|refunds?|ledgers?|tenants?|accounts?|sessions?|requests?|responses?|rate limits?|limits?|quotas?|timeouts?|retries|retention|tokens?|certificates?|certs?|tls|dns|cdn|load balancers?|prox(?:y|ies)|gateways?|firewall|vpn|lint(?:er)?|formatters?|tests?|test suite|coverage|fixtures?|e2e|staging db|merge requests?|pull requests?|prs?|commits?|tags?|versions?|versioning|semver|packages?|modules?|crates?|librar(?:y|ies)|sdks?|clients?|frontends?|backends?|mobile app|app|apps|websites?|uploads?|downloads?|files?|records?|rows?|events?|messages?|notifications?|emails?|templates?|translations?|locales?|search|embeddings?|models?|shards?|partitions?|nodes?|instances?|hosts?|domains?|subdomains?|urls?|routes?|routers?|permissions?|roles?|scopes?|audit|archives?|archived|collections?|shelf|shelves|catalogues?|catalogs?|reports?|batch(?:es)?|imports?|syncs?|sla|slo|error codes?|status page|error budget|deadlines?|freeze|code freeze|sprint|stand-?ups?|retros?|reviews?|reviewers?|approvals?|approvers?|main|trunk|hotfix(?:es)?|rollbacks?|rollouts?|canary|spec|specs|protocol|format|time ?zones?|timestamps?|identifiers?|ids?|uuids?|keys?|primary keys?|secrets? manager|vault|terraform|ansible|grafana|prometheus|sentry|jenkins|github actions|gitlab|jira|confluence|notion|slack channel|warehouse|orders?|shipments?|sku|skus|products?|prices?|currency|vat|customers?|subscriptions?|plans?|trial|sensors?|firmware|devices?|gateway|rekonsiliasi|boot|startup|shutdown|runtime|login|checkout|cart|onboarding|sign-?up|disk|cpu|storage|volumes?|network|regions?|zones?|machines?|process(?:es)?|unggahan|unduhan|ukuran|batas|sesi|faktur|pesanan|stok|gudang|pengujian|uji|tes|notifikasi|arsip|replika|penyimpanan|halaman|modul|pustaka|skema|kolom|tabel|indeks|kode error|penagihan|impor|ekspor|peringatan|versi|katalog|sertifikat|domain|rilis|antrian|antrean|cadangan|basis data|peladen|layanan|lingkungan|tagihan|pembayaran|laporan|berkas|dokumentasi|panduan|migrasi|konfigurasi|pengaturan|cabang|jadwal|data)";

/// People whom a user answers to, works with or lives with, by their relation to the user.
const RELATION: &str = r"(?:boss|manager|supervisor|lead|mentor|mentee|advis[oe]r|deputy|back-?up|stand-?in|counterpart|reviewer|buddy|assistant|pm|product owner|designer|director|head|accountant|lawyer|doctor|gp|therapist|coach|tutor|teacher|professor|landlord|flatmate|housemate|roommate|co-?founder|co-?author|partner|direct reports?|teammate|contact|sponsor|client|carer|emergency contact|skip-level|recruiter|intern|trainee|apprentice)";

/// The same for Indonesian.
const ATASAN: &str = r"(?:atasan|manajer|manager|bos|lead|leader|supervisor|spv|mentor|pembimbing|dosen pembimbing|dospem|partner|rekan|ketua|kepala|pengganti|wakil|asisten|dokter|guru|pelatih|klien|penanggung jawab)";

/// The scope within which a project's term has its meaning.
const SCOPE: &str = r"(?:(?:{IN_SCOPE}|here|di sini),? )";
const IN_SCOPE: &str = r"(?:(?:in|on|within|throughout) (?:our|the|this) (?:docs|documentation|code|project|codebase|domain|repo|repository|team|app|api|product|system|wiki|schema|spec|context)|(?:di|dalam) (?:proyek|project|repo|kode|tim|aplikasi|sistem|dokumen|dokumentasi|produk|konteks)(?: ini| kita)?)";

/// Regular events: what happens like this happens again.
const OFTEN: &str = r"(?:(?:every|each) (?:single |other |second |third )?(?:day|morning|afternoon|evening|night|week|weekday|weekend|month|quarter|year|spring|summer|autumn|fall|winter|{DAY})|(?:once|twice|thrice|(?:[\w-]+ )?times|\d+ ?x|(?:an?|one|two|three|four|five|ten|\d+) (?:[\w-]+)) (?:a|per|each|every) (?:day|night|week|month|year|season)|(?:on|at|over) (?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends|night)|daily|weekly|monthly|most (?:days|nights|evenings|mornings|weekends)|for a living|as a rule|in my (?:free|spare) time|year-round|all year(?: round)?|without exception)\b";

/// A time so long ago that the event is part of somebody's life.
const LONG_AGO: &str = r"(?:in (?:19|20)\d\d|(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|many|several|a few|some|a couple of) (?:years|decades) ago|a (?:year|decade) ago|as a (?:child|kid|boy|girl|teen\w*|student|baby|toddler)|when i was (?:an? |\d+|young|little|small|in |\w+teen|twelve|eleven|ten|nine|eight|seven|six|five)|since (?:childhood|birth|forever|always|(?:19|20)\d\d|i was|i can remember|school|university|college|(?:last|the) (?:year|pandemic)|{MONTH})|last (?:year|spring|summer|autumn|fall|winter)|back in (?:the |19|20)|for (?:(?:over|more than|almost|nearly|about|around|at least|the (?:last|past)) )*(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|many|several|a few|some|a couple of) (?:years|decades|months)|for (?:ages|years|decades)|(?:all|most of) my (?:adult )?life)\b";

const LISTS: [(&str, &str); 18] = [
    ("{OFTEN}", OFTEN),
    ("{LONG_AGO}", LONG_AGO),
    ("{SCOPE}", SCOPE),
    ("{IN_SCOPE}", IN_SCOPE),
    ("{RELATION}", RELATION),
    ("{ATASAN}", ATASAN),
    ("{ADV}", ADV),
    ("{STYLE}", STYLE),
    ("{GAYA}", GAYA),
    ("{AKU}", AKU),
    ("{GA}", GA),
    ("{PAKE}", PAKE),
    ("{MONTH}", MONTH),
    ("{FAMILY}", FAMILY),
    ("{KELUARGA}", KELUARGA),
    ("{DAY}", DAY),
    ("{TECH}", TECH),
    ("{ASK}", ASK),
];

/// How a question or a request begins.
const ASK: &str = r"(?:how|what|what's|whats|why|when|where|who|which|whose|can|could|would|will|should|is|are|do|does|did|may|might|any|got any|please|pls|help|show|give|tell|explain|find|suggest|recommend|write|fix|make|list|gimana|bagaimana|gmn|kenapa|knp|kapan|apa|apakah|siapa|berapa|brp|bisa|boleh|ada|tolong|bantu|coba|bikin\w*|buat(?:in|kan)|cari(?:in|kan)|kasih|rekomendasi\w*|saran\w*|enaknya|sebaiknya|mending|di ?mana)";

/// The letters, digits and joining characters of the scripts used here. The crate's own `\w` covers every script, and patterns
/// with it take three times as long to compile and four times the memory.
const WORD: &str =
    r"[0-9A-Za-z_ªµº\u{C0}-\u{58F}\u{5D0}-\u{6D3}\u{900}-\u{109F}\u{1E00}-\u{1FFF}\u{3041}-\u{9FFF}\u{AC00}-\u{D7A3}]";

/// Compiles a constant pattern, case-insensitive, with the lists filled in.
pub fn compile(pattern: &str) -> Regex {
    let filled = LISTS.iter().fold(format!("(?i){pattern}"), |text, (name, list)| text.replace(name, list));
    let filled = filled.replace(r"\w", WORD).replace(r"\d", "[0-9]");
    Regex::new(&filled).expect("patterns are constants and their examples run as tests")
}

/// One named pattern, with texts that it must and must not match.
pub struct Rule {
    pub name: &'static str,
    pub pattern: &'static str,
    #[cfg_attr(not(test), allow(dead_code, reason = "examples run as tests"))]
    pub catches: &'static [&'static str],
    #[cfg_attr(not(test), allow(dead_code, reason = "examples run as tests"))]
    pub spares: &'static [&'static str],
}

/// A table of rules, compiled.
pub struct Table(Vec<(&'static str, Regex)>);

impl Table {
    pub fn new(rules: &[Rule]) -> Self {
        Self(rules.iter().map(|rule| (rule.name, compile(rule.pattern))).collect())
    }

    /// Every rule that matches `text`.
    pub fn all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        self.0.iter().filter(move |(_, pattern)| pattern.is_match(text)).map(|(name, _)| *name)
    }

    /// The first rule that matches `text`.
    pub fn first(&self, text: &str) -> Option<&'static str> {
        self.0.iter().find(|(_, pattern)| pattern.is_match(text)).map(|(name, _)| *name)
    }
}

/// A pattern that is compiled on first use.
macro_rules! pattern {
    ($($(#[$note:meta])* $visible:vis $name:ident = $pattern:expr);+ $(;)?) => {$(
        $(#[$note])*
        $visible static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::extract::rules::pattern::compile($pattern));
    )+};
}
pub(crate) use pattern;

#[cfg(test)]
pub fn check_examples(rules: &[Rule]) {
    let mut wrong = Vec::new();
    for rule in rules {
        let pattern = compile(rule.pattern);
        wrong.extend(rule.catches.iter().filter(|t| !pattern.is_match(t)).map(|t| format!("{} should catch {t:?}", rule.name)));
        wrong.extend(rule.spares.iter().filter(|t| pattern.is_match(t)).map(|t| format!("{} should spare {t:?}", rule.name)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
