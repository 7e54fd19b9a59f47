//! Sentences addressed to everybody: "for the whole crew: …", "put that in the shared notes", "biar semua tau, …".
//!
//! People have many words for the team. This file lists them, and their possible positions: before the statement, after it, or
//! alone, referring to the previous sentence.

use super::super::drops;
use super::super::pattern::pattern;

/// Inserts the lists of this file into a pattern.
fn to_all(pattern: &str) -> String {
    let lists = [
        ("{LABEL}", LABEL),
        ("{SHARED}", SHARED),
        ("{KEEP}", KEEP),
        ("{ALL}", ALL),
        ("{CREW}", CREW),
        ("{BERSAMA}", BERSAMA),
        ("{SEMUA}", SEMUA),
        ("{SIMPAN}", SIMPAN),
        ("{THAT}", THAT),
    ];
    lists.iter().fold(super::polite(pattern), |text, (name, list)| text.replace(name, list))
}

/// A group that works together.
const CREW: &str = r"(?:team|crew|squad|group|department|dept|division|unit|staff|office|company|organi[sz]ation|org|guild|tribe|chapter|lab|studio|ward|newsroom|faculty|colleagues|co-?workers|team ?mates|team members|engineers|devs|developers|folks|project)";

/// Everybody in the group.
const ALL: &str = r"(?:(?:(?:(?:the|our|my|this|your) )?(?:(?:whole|entire|full|other|rest of (?:the|my|our)|all(?: of)?(?: the| my| our)?) )*{CREW}(?: members)?|every(?:one|body)(?: else)?|all of us|us all|each of us|(?:all )?the others|others|(?:all )?the rest(?: of us)?|every (?:team member|colleague|developer|engineer|member))(?:'s? (?:assistants?|benefit|reference|sake|info(?:rmation)?))?(?: (?:on|in|of|at) (?:the|our|my|this) [\w-]+(?: [\w-]+)?)?(?: here)?)";

/// What the group shares.
const SHARED: &str = r"(?:(?:the |our )?(?:shared|common|team|team's|group|collective|joint|communal|project|company|crew|squad)(?:'s)? (?:memory|memories|knowledge(?: base)?|notes?|facts?|wiki|pool|brain|records?|notebook|info(?:rmation)?|log(?: ?book)?|rules?|store|space)|what (?:the |our )?(?:{CREW}|everyone|everybody|we all|the others) knows?|where (?:(?:my |the |our )?(?:{CREW}|others)|everyone|everybody|we all|they)(?: can| could| will)? (?:also |all )?(?:finds?|sees?|looks?|reads?)(?: it| them| this)?(?: too| as well)?)";

/// Names for a statement addressed to everybody.
const LABEL: &str = r"(?:(?:(?:new|another|one more|small|quick|important|agreed|official|standing|internal) )*(?:team|shared|group|project|crew|squad|company|department|office|repo|studio|lab|org|kitchen|shop|store|clinic|school|ward|workshop|warehouse|staff|bakery|library|hotel|practice|house|hostel)(?:'s|-wide)? (?:rule|note|fact|convention|standard|decision|agreement|policy|info|knowledge|practice|guideline|memo|norm|habit|protocol|procedure|tip|glossary)s?)";

/// Verbs of storing, as an order.
const KEEP: &str = r"(?:remember|note(?: down)?|save|store|share|log|record|add|put|keep|write(?: (?:this|that|it))? down|jot(?: down)?|make a note|document|file|register|pin|place|mark|treat|publish|pass (?:it |this |that )?on)";

/// The object of such a verb, before or after it.
const THAT: &str = r"(?: (?:this|that|it|these|those|them|the following|one|here|down|also|please|too|as a note|this one|that one|this fact|that fact|a note|a fact|something))*";

const SIMPAN: &str = r"(?:(?:di|men|me)?(?:catat|catet|ingat|inget|simpan|simpen|bagi|share|tambah|taruh|tulis|rekam|masuk|masuk|sampai|kabar)(?:kan|in)?)";
const SEMUA: &str = r"(?:(?:(?:semua|seluruh|para|segenap) )*(?:(?:anggota|rekan|anak|anak-anak|orang|kawan|kawan-kawan|temen|temen-temen|teman|teman-teman|karyawan|pegawai|staf|staff|guru|perawat)(?: (?:tim|team|kerja|kantor|proyek|divisi|di (?:kantor|toko|sekolah|klinik|dapur|gudang)))?|(?:se|satu )?(?:tim|team|divisi|kantor)|divisi \w+)(?: (?:kita|kami|ini|yang lain|lain))*|(?:kita|kami) semua|semuanya|semua|yang lain(?:nya)?|bersama)";
const BERSAMA: &str = r"(?:(?:pengetahuan|catatan|memori|ingatan|info|informasi|aturan|fakta|dokumen|kesepakatan) (?:bersama|tim|team|umum|kelompok|proyek|kantor)(?: (?:kita|kami))?)";

const MARK: &str = r"\s*(?P<mark>that\b[:,]?|[:,–—>=-]+(?: that\b)?|\s(?:bahwa|kalau|kalo|klo)\b)\s*(?P<rest>.*)$";

fn marked(pattern: &str) -> String {
    to_all(&format!("{pattern}{MARK}"))
}

pattern! {
    KEPT_FOR = &marked(r"^{POLITE}(?:i (?:would )?(?:want|like) (?:you )?to )?(?:{KEEP}|i (?:would )?(?:want|like|need)(?: to have)?){THAT},?(?: (?:for|with|to|in|into|on|under|as|so|among|that))?(?: an?)? (?:{SHARED}|{LABEL}|shared|common knowledge|{ALL})(?: (?:please|too|as well|know|knows|can (?:use|see|find) it))*");
    TOLD = &marked(r"^{POLITE}(?:i (?:would )?(?:want|like|need) )?(?:tell|inform|notify|let|make sure|ensure|see to it|remind|pass on to|want)(?: that)? {ALL}(?: (?:to )?(?:knows?|learns?|sees?|remembers?|(?:is|are|be) aware(?: of)?|gets?)(?: this| it)?)?");
    FOR_ALL = &marked(r"^{POLITE}(?:(?:this|here|that|one)(?: one)?(?: is|'s| goes)? |info |fyi |just fyi |heads-?up |a? ?note |psa |news )?(?:out )?(?:for|to) (?:(?:the )?(?:future )?(?:reference|benefit|sake|information|info|records?|use) of )?(?:{ALL}|{SHARED})(?: (?:to know|to remember|please|as well|too))*");
    LABELLED = &marked(r"^{POLITE}(?:(?:it|this|that|here)(?:'s| is) )?(?:(?:an?|the|our|one) )?{LABEL}(?: here| for (?:us|everyone|all)| (?:at|in|of|for) (?:the|our) \w+)?(?:,? (?:effective|starting|from|as of|since) [\w ]{2,20})?");
    SHOULD_KNOW = &to_all(r"^{POLITE}(?:i (?:would )?(?:want|like|need) |i think )?{ALL} (?:should|must|needs? to|ought to|has to|have to|to)(?: all| also)? (?:know|remember|be aware|keep in mind|hear|be told)\b(?: about| of)?(?: this| it| the following)?\s*(?P<mark>[:,–—-]+(?: that\b)?|that\b|)\s*(?P<rest>.+)$");
    // Everybody is asked to their faces: "can everybody please keep in mind that …".
    ASKED_OF_ALL = &to_all(r"^{POLITE}(?:(?:can|could|would|will|may) )?(?:i ask (?:that )?)?{ALL},? (?:please |kindly |always )*(?:remember|keep in mind|bear in mind|note|be aware|take note|don't forget|do not forget|know)(?P<mark> that\b|:) (?P<rest>.+)$");
    AFTER = &to_all(r"^(?P<rest>.{8,}?)(?:\s*[,;(]|\s+[-–—]+)\s*(?:so |and |also )*{POLITE}(?:(?:and |also )?(?:{KEEP}{THAT}(?: (?:for|with|to|in|into|on|under|as))?(?: an?)? (?:{SHARED}|{LABEL}|shared|common knowledge|{ALL})|(?:(?:that|this|it|which)(?: is|'s) )?(?:(?:a |an |some)?(?:fact|thing|something|rule) )?(?:that )?{ALL} (?:should|must|needs? to|ought to|has to|have to)(?: all)? (?:know|remember|be aware|keep in mind|hear)(?: (?:this|that|it|about it))?|(?:that|this|it) (?:goes|holds|applies|counts|is meant|is) for {ALL}|(?:(?:that|this|it)(?:'s| is) |as )?(?:an? |our |the )?{LABEL}|for {ALL}(?: to know| please))|(?:ini )?(?:berlaku )?(?:tolong |mohon )?(?:{SIMPAN} )?(?:ini |itu |ya )*(?:buat|untuk|ke|sebagai|jadi(?:kan|in)?) (?:{BERSAMA}|{SEMUA})|(?:biar |supaya |agar )?{SEMUA} (?:(?:harus|perlu|wajib|mesti|pada) )?(?:tau|tahu))(?: please| too| as well| ya| dong)*\)?$");
    POINTED = &to_all(r"^(?:so |and |also )*{POLITE}(?:{KEEP}{THAT}(?: (?:for|with|to|in|into|on|under|as))?(?: an?)? (?:{SHARED}|{LABEL}|shared|common knowledge|{ALL})|(?:that|this|it) (?:goes|holds|applies|counts) for {ALL}|(?:this|that|it)(?: is|'s) (?:for {ALL}|(?:an? )?{LABEL}|something {ALL} should know)|(?:let|tell) {ALL}(?: know)?|{ALL} should know(?: this| that| it)?|{SIMPAN} (?:ini |itu |ya |yang tadi )*(?:buat|untuk|ke|sebagai|jadi) (?:{BERSAMA}|{SEMUA})|(?:itu |ini )?(?:berlaku (?:buat|untuk)|buat|untuk) {SEMUA}|{SEMUA} (?:harus|perlu|wajib|mesti) (?:tau|tahu)(?: itu| ini)?)(?: please| too| as well| ya| dong| know)*$");
    SIMPAN_BUAT = &marked(r"^{POLITE}{SIMPAN}(?: (?:ini|itu|ya|yang ini|juga|hal ini|info ini|dong))*(?: (?:buat|untuk|utk|bwt|ke|ke dalam|di|sebagai|jadi|kepada))? (?:{BERSAMA}|{SEMUA})(?: (?:ya|dong|juga|kita))*");
    KASIH_TAU = &marked(r"^{POLITE}(?:kasih|beri|kabari|kabarkan|infokan|infoin|sampaikan|ingatkan|ingetin|bilang|umumkan)(?: ?(?:tau|tahu)(?:kan|in)?)?(?: (?:ke|kepada))? {SEMUA}(?: (?:ya|dong|juga))*");
    BUAT_SEMUA = &to_all(r"^{POLITE}(?:(?:ini|info|infonya|catatan|pengumuman|sekadar info) )?(?:(?:buat|untuk|bagi|sebagai) (?:{BERSAMA}|{SEMUA})|(?:biar|supaya|agar) {SEMUA}(?: pada)? (?:tau|tahu)|(?:untuk|buat|agar|supaya) di(?:ketahui|ingat|catat|perhatikan)(?: oleh)? {SEMUA})(?: (?:ya|dong|nih))*\s*(?P<mark>[:,–—-]+)\s*(?P<rest>.+)$");
    ATURAN = &to_all(r"^{POLITE}(?:aturan|kesepakatan|standar|kebijakan|konvensi|keputusan|prosedur|catatan|info|fakta|pengetahuan|ketentuan|sop|kebiasaan)(?:nya)?(?: baru)? (?:di )?(?:tim|team|bersama|proyek|project|kantor|divisi|kelompok|di sini|internal|umum)(?: (?:kita|kami|ini|ya|baru|di sini))*\s*(?P<mark>[:,–—-]+)\s*(?P<rest>.+)$");

    // The team stands somewhere before the colon: "one for the shared log: …", "just so the rest of the crew has it: …".
    LED = &to_all(r"^(?P<lead>[^:,;]{0,60}?\b(?:(?:(?:for|to|with|in|into|of|among|on) (?:an? )?(?:{ALL}|{SHARED}|{LABEL}|all)|(?:concerns|affects|applies to|goes out to|is about) {ALL}|so(?: that)? {ALL} (?:has|have|knows?|can|sees?|gets?))|team-wide|group-wide|company-wide|(?:buat|untuk|ke|bagi) (?:{BERSAMA}|{SEMUA}))[^:,;]{0,24}?)\s*(?P<mark>:\s|[–—]|\s-\s|--)\s*(?P<rest>\S.{7,})$");
    GOOD_TO_KNOW = &to_all(r"^{POLITE}(?:(?:it|that)(?:'s|'d| is| would)(?: be)? )?(?:good|important|useful|helpful|worth it|great|nice|handy|essential)(?: for|,| if)? {ALL} (?:to know|know|knew|to remember|remembers?|to have|to be aware)(?P<mark>\s+that|:)\s*(?P<rest>.+)$");
    LET_KNOW = &to_all(r"^{POLITE}(?:let|tell|make sure|ensure|remind) {ALL} (?:to )?(?:knows?|remembers?)(?P<mark>) (?P<rest>(?:our|the|we|every|all|each|new)\b.+)$");
    PERLU_TAU = &to_all(r"^{POLITE}{SEMUA} (?:perlu|harus|wajib|mesti|kudu) (?:di(?:kasih|beri) )?(?:tau|tahu|ingat|inget|paham)(?P<mark>\s+(?:kalau|kalo|klo|bahwa)|\s*[:,])\s*(?P<rest>.+)$");
    // What is made for the team, or told about it, is no note to the memory.
    MAKES = r"\b(?:i|i'm|my|me|mine|you|your|saya|aku|gue|write|draft|compose|wrote|messages?|mail|e-?mails?|posts?|announcements?|slack|questions?|jokes?|poems?|speech|toast|agenda|title|subject|headline|text|tweet|gift|present|party|said|says|asked|told|translate|bikin|buat(?:kan|in)|tulis\w*|pengumuman|pesan|surat|undangan|kado|pantun|puisi)\b";

    // What follows is a question, or says that somebody knows how.
    NO_STATEMENT = r"^(?:how|what|why|where|who|when|which|whether|if|about|better|basic|this$|it$|that$|gimana|kenapa|apa|caranya)\b";
    LOUD = r"[:–—>=-]|that";
    // People addressed with a comma; "for our company, …" only says where something is true.
    SPOKEN_TO = r"^[^,]*\b(?:team|crew|squad|group|staff|everyone|everybody|us|colleagues|co-?workers|team ?mates|others|tim|semua\w*|anak|anggota|bersama|rekan|yang lain(?:nya)?|karyawan|teman-teman|temen-temen|kawan-kawan|warga kantor)\b";

    KNOWN_TO_ALL = r"^(?:biar|supaya|agar) \w+(?: \w+)*? (?:tau|tahu)\b";
}

/// The statement addressed to everybody; empty if it refers to the previous sentence. `None`: it is not addressed to everybody.
pub fn addressed(sentence: &str) -> Option<String> {
    if POINTED.is_match(sentence) {
        return Some(String::new());
    }
    let shapes = [
        &*KEPT_FOR,
        &*TOLD,
        &*FOR_ALL,
        &*LABELLED,
        &*ASKED_OF_ALL,
        &*SHOULD_KNOW,
        &*SIMPAN_BUAT,
        &*KASIH_TAU,
        &*BUAT_SEMUA,
        &*ATURAN,
        &*GOOD_TO_KNOW,
        &*PERLU_TAU,
        &*LET_KNOW,
        &*LED,
        &*AFTER,
    ];
    for shape in shapes {
        let Some(found) = shape.captures(sentence) else { continue };
        if found.name("lead").is_some_and(|lead| MAKES.is_match(lead.as_str()) || drops::is_question(lead.as_str())) {
            continue;
        }
        let rest = found["rest"].trim();
        let told_why = KNOWN_TO_ALL.is_match(sentence);
        let loud = told_why || found.name("mark").is_some_and(|mark| LOUD.is_match(mark.as_str()));
        let asks = drops::is_request(rest) || drops::is_question(rest) || !SPOKEN_TO.is_match(sentence);
        // AFTER has no punctuation: the statement comes first and is judged by itself.
        if NO_STATEMENT.is_match(rest) || (!loud && found.name("mark").is_some() && asks) {
            return None;
        }
        return Some(rest.to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_team_is_named_in_many_words() {
        for (said, told) in [
            ("note for all of us: the code freeze starts 15 December", "the code freeze starts 15 December"),
            ("put that in team memory", ""),
            ("Keep that as a team rule", ""),
            (
                "Add to the shared notes that the payments service is written in Kotlin",
                "the payments service is written in Kotlin",
            ),
            ("put this where my colleagues find it too: the charts are in infra-charts", "the charts are in infra-charts"),
            ("let the others know that the nightly import runs at 03:15", "the nightly import runs at 03:15"),
            ("New team rule: two reviewers for anything under /billing", "two reviewers for anything under /billing"),
            ("That goes for all of us", ""),
            ("the project is on Terraform 1.7 now, all of us should know", "the project is on Terraform 1.7 now"),
            ("migrations must be reversible, share that with the others", "migrations must be reversible"),
            ("tolong simpan buat semua anggota tim, server staging pakai PostgreSQL 16", "server staging pakai PostgreSQL 16"),
            ("Mohon dicatat sebagai pengetahuan bersama bahwa log disimpan tiga puluh hari", "log disimpan tiga puluh hari"),
            ("biar semua tau, build Android makan 12 menit", "build Android makan 12 menit"),
            ("one for the shared log: the kiln runs at 1240 degrees", "the kiln runs at 1240 degrees"),
            ("Just so the rest of the crew has it: camera B records in ProRes", "camera B records in ProRes"),
            ("anak-anak tim perlu tau kalau API peta dibatasi 50 permintaan", "API peta dibatasi 50 permintaan"),
            ("Kesepakatan tim: rapat mingguan maksimal 30 menit", "rapat mingguan maksimal 30 menit"),
        ] {
            assert_eq!(addressed(said).as_deref(), Some(told), "{said}");
        }
    }

    #[test]
    fn talk_about_a_team_is_not_addressed_to_it() {
        for said in [
            "Write a note for the team about the picnic tomorrow",
            "the team should know better",
            "everyone should know how to swim",
            "For our lab, suggest a good name",
            "keep the meeting short for the team",
            "I work with the whole team on the roadmap, it is fun",
            "Bikin pengumuman buat semua anggota tim soal buka puasa",
            "semua orang suka kopi",
            "My message to the team: lunch is at noon",
            "remember my coffee order for the team runs: flat white with oat milk",
            "the export for the team starts at 01:45 UTC",
            "a question for the team: who has the key",
        ] {
            assert_eq!(addressed(said), None, "{said}");
        }
    }
}
