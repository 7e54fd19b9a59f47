//! Shapes in which somebody speaks for the team or the project as a whole: "this project targets …", "as a team we …", "everyone
//! must …", "we agreed that …", "our convention is …". Such a shape is evidence by itself.

use super::super::pattern::pattern;
use super::{CODED, HOUSEHOLD, MEASURE, RULE, TECH};

/// A clause that speaks for a group, worded without "we".
#[derive(Debug, PartialEq, Eq)]
pub struct Spoken {
    pub text: String,
    /// It reports a decision; only the decision is in the past tense.
    pub decided: bool,
    /// It describes the usual practice of a workplace, which may be a school or a kitchen.
    pub of_a_trade: bool,
}

pattern! {
    PROJECT = r"^(?:in |on |at )?(?P<det>the|this|our) (?:(?:whole|entire|main) )?(?P<who>project|code ?base|repo(?:sitory)?|mono-?repo|product|(?:[\w-]+ )?(?:team|crew|squad|guild|group)|department|company|organi[sz]ation)(?: here)? (?:(?:now|currently|only|always|never|officially|finally|all|mostly|strictly) )*(?:(?P<present>uses?|runs? on|is (?:now )?on|is (?:written|built|deployed|hosted|licensed|versioned|released|developed) (?:in|with|on|under|by|as|from|to)|targets?|supports?|requires?|goes with|follows?|sticks? (?:to|with)|relies on|depends on|avoids?|forbids?|bans?|(?:only )?(?:accepts|allows|takes|builds with|compiles with)|expects|keeps?|stores?|deploys?|ships? (?:on|every|to|via)|standardi[sz]es on|works with|does not (?:use|support|allow)|doesn't (?:use|support|allow))|(?P<past>(?:has |have )?(?:settled on|standardi[sz]ed on|agreed (?:on|to|that)|decided (?:on|to|that|against)|moved (?:to|off|from)|switched (?:to|from)|went with|picked|chosen|chose|adopted|dropped|banned|migrated (?:to|from|off)))) \S.*$";
    PROYEK = r"^(?:di )?(?:proyek|project|repo|kodebase|codebase|tim|team|produk|perusahaan|divisi) (?:ini|kita|kami)(?: (?:tuh|itu|cuma|hanya|selalu|sekarang|udah|sudah))* (?:pakai|pake|memakai|menggunakan|butuh|mendukung|support|wajib|harus|mengharuskan|jalan di|ditulis|dibangun|pindah ke|mengikuti|menargetkan|memilih|sepakat) \S.*$";
    EVERYBODY = r"^(?P<who>every(?:one|body)|(?:all|each) of us|all (?:team members|developers|engineers|contributors|staff|members|reviewers|colleagues|maintainers|nurses|drivers|editors|analysts|designers)|(?:every|each) (?:developer|engineer|member|contributor|colleague|reviewer|team member|maintainer|one of us)|the (?:whole|entire) (?:team|crew|squad|group|department)|nobody|no one|(?:every|each) (?:service|module|component|endpoint|table|page|release|package|repo|job|device|report|document|ticket|order|file|build|test|commit|branch|migration|screen|sensor))(?P<scope> (?:on|in|of) (?:the|our|this|my) (?:[\w-]+ ){0,2}?(?:team|crew|squad|group|project|department|repo|company|office|lab|shift|staff|unit)| on (?:shift|call|duty)| here)?,? (?P<modal>must|may|can|has to|have to|needs? to|(?:is|are) (?:required|expected|supposed|obliged) to|may not|must not|may only|shall|(?:is|are) not allowed to|should always|should never|always has to|never) (?P<what>.+)$";
    SEMUA = r"^(?:semua|setiap|tiap|seluruh|para) (?:anggota|developer|dev|engineer|programmer|karyawan|reviewer|kontributor|orang di|anak)(?: (?:tim|proyek|divisi|kantor))?\b.{0,24}?\b(?:wajib|harus|dilarang|{GA} boleh|mesti|kudu) .{4,}$";
    AS_ONE = r"^(?:as (?:a |the |one )?(?:whole )?(?:team|crew|squad|group|department|company|project|lab|studio),? we|we,? (?:as (?:a |the |one )?(?:whole )?(?:team|crew|squad|group|department|company|project|lab|studio)|on the team|(?:in|of|from|at) (?:the )?[\w-]+(?: [\w-]+)?|the (?:[\w-]+ ){0,2}(?:team|crew|squad|group|department|people|folks)),?) (?P<rest>.+)$";
    SETIM = r"^(?:sebagai (?:satu )?(?:tim|team|divisi),? (?:kita|kami)|(?:kita|kami) (?:sebagai (?:satu )?(?:tim|team|divisi)|setim|satu tim)),? (?P<rest>.+)$";
    FELT = r"^(?:all )?(?:really |so |just )*(?:love|like|hate|feel|felt|want|think|thought|hope|enjoy|are|were|went|had|won|lost|wish|ate|suka|seneng|merasa|mau|pengen|lagi|pergi|menang|kalah)\b";
    AGREED = r"^(?:(?:in|at|during) [\w -]{2,30},? )?(?:(?P<who>we|the (?:whole )?(?:team|group|squad|crew|department)|all of us) (?:(?:have|all|has|had|just|finally|now|recently|also|both) )*(?:agreed|decided|settled|standardi[sz]ed|voted|resolved)(?: (?:as a team|together|yesterday|today|last \w+|in [\w-]+(?: [\w-]+){0,3}?|at [\w -]{2,20}?|on \w+day))*(?:,? (?:that|to|on|for|not to|against)|\s*[:–—-]+)|(?:agreed|decided)(?: (?:in|at|during|by|with) [\w -]{2,24})?\s*[:,]) \S.{6,}$";
    SEPAKAT = r"^(?:(?:di|waktu|pas) [\w -]{2,24},? )?(?:kita|kami|tim)(?: (?:udah|sudah|semua|akhirnya|bareng|telah|juga))* (?:sepakat|memutuskan|mutusin|putuskan|menetapkan|sepakati)(?: (?:untuk|buat|kalau|kalo|bahwa|pakai|pake|agar|supaya|soal))? \S.{4,}$";
    // Where teams decide.
    TABLE = r"\b(?:planning|retro\w*|stand-?up|sprint|review|meeting|sync|kick-?off|workshop|rapat|adopt|standardi[sz]e)\b";
    // "We settled on X" may be the choice of two people; these are a team's.
    TOGETHER = r"\b(?:agreed|standardi[sz]ed|voted|resolved|that|as a team|together|the (?:whole )?(?:team|group|squad|crew|department)|sepakat\w*|memutuskan|mutusin|putuskan|menetapkan)\b";
    CUSTOM = r"^(?:(?:it is|that is) )?(?:the (?:convention|rule|standard|policy|practice|agreement|process|procedure|guideline|norm|workflow)s? (?:in|on|at|for|of|within) (?:our|the|this) (?:team|project|company|repo|codebase|crew|squad|group|department|office|lab) (?:is|are|says?|requires?|forbids?) .{3,}|our (?:(?:team|team's|project|project's|company|company's|crew|squad|group|office|department|internal|current|new|usual|standard|own|coding|naming|release|review|branching) )*(?:convention|rule|standard|policy|practice|agreement|process|procedure|guideline|norm|workflow|branching model|definition of (?:done|ready)|style guide|protocol)s?\b.{0,40}? (?:is|are|says?|requires?|forbids?|means?|demands?|allows?|calls for|includes?|covers?|has|starts?|ends?|runs?|uses?) .{3,})$";
    ATURAN = r"^(?:aturan|standar|konvensi|kebijakan|kesepakatan|prosedur)(?:nya)?(?: (?:tim|proyek|kantor|penamaan|commit|review|rilis|di|repo|divisi))* ?(?:kita|kami|di sini|tim|proyek)\b[ :,]*(?:itu |adalah |yaitu |:)?\s*.{4,}$";
    // The scope comes first: "in this codebase errors are wrapped …".
    IN_HOUSE = r"^(?:in|on|within|throughout|across) (?:our|this|the) (?:(?:whole|entire) )?(?:project|code ?base|repo(?:sitory)?|mono-?repo|team|crew|squad|department|company),? .{3,60}? (?:is|are|must be|gets?|goes|lives?|uses?|has to|have to|must|may not|always|never|starts? with|ends? with|follows?|(?:is|are) (?:always|never)) \S.*$";
    DEEDS = r"\b(?:i|you|he|she|they|there (?:is|are|was)|is (?:a )?(?:mess|nightmare|failing|broken|slow)|are (?:failing|broken|slow))\b";
    ALL_OF_US = r"^(?:all of us|we all|all of the team)(?: here)? (?P<rest>(?:only |always |never )?(?:deploy|use|run|write|log|sign|tag|merge|review|push|store|keep|follow|build|test|ship|track|document|book|file|release|commit|back up)\b.+)$";
    // Actions of a trade on an object: "use the shared calendar", "log every visit".
    STANDING_DEED = r"^(?:only |always |never )?(?:use|log|sign|store|keep|follow|track|document|book|file|write down) (?:the|our|all|every|each|only) \w+ .{3,}$";
    NOBODY = r"^(?:nobody|no one) (?:on|in|of) (?:the|our|this) (?:[\w-]+ ){0,2}?(?:team|crew|squad|group|project|department|company|lab) (?:ever )?(?P<verb>[a-z]+s)\b .{3,}$";
    NO_DEED = r"^(?:likes|knows|thinks|wants|cares|understands|is|was|has|loves|hates|seems|feels|believes|minds|remembers|gets)$";
    HERE_WE = r"^(?:(?:in|on|at) (?:this|our) (?:team|project|crew|squad|company|repo|codebase|department|lab),? we|di (?:tim|proyek|project|repo|divisi|kantor) (?:ini|kita|kami),? (?:kita|kami)) (?P<rest>.+)$";
    BEING = r"^be (?:\w+ )?(?:\w+ing|\w+y|mad|crazy|nuts|nice|kind|good|happy|able|careful|tired|proud|honest|glad|there|here)\b";
    OUR_OR_THIS = r"^(?:(?:in|on|at) )?(?:our|this) ";
    OF_US = r"\b(?:all|each|one) of us\b";

    NAMED_WE = r"^(?P<lead>(?:so |and |here,? )?)we, (?:the|as|in|of|from|at|all of us) [\w' -]{2,40}, ";

    AS_ONE_LEAD = r"^(?P<lead>(?:so |and )?)as (?:a|one) (?:whole )?(?:team|crew|squad|group|department|company|project|lab|studio), we ";
}

/// "We, the data team, …": removes the apposition and its commas.
pub fn in_one_voice(sentence: &str) -> String {
    let sentence = AS_ONE_LEAD.replace(sentence, "${lead}we as a team ");
    NAMED_WE.replace(&sentence, "${lead}we as a team ").into_owned()
}

/// Where people work or learn together, in any trade.
const HOUSE: &str = r"(?:team|crew|squad|clinic|practice|surgery|school|class|kitchen|bakery|caf[eé]|restaurant|canteen|bar|shop|store|market stall|office|company|firm|agency|lab|laboratory|ward|hotel|hostel|studio|department|library|club|warehouse|factory|farm|workshop|hospital|pharmacy|museum|gallery|theatre|theater|salon|garage|site|branch|charity|nursery|kindergarten|university|faculty|newsroom|station|depot|plant|project|tim|toko|klinik|sekolah|kantor|dapur|warung|rumah sakit|puskesmas|apotek|gudang|bengkel|proyek|perusahaan|divisi|restoran|kafe|pabrik|kampus|yayasan|panti|koperasi|salon|studio|cabang)";

fn housed(pattern: &str) -> String {
    pattern.replace("{HOUSE}", HOUSE)
}

// "At our school, parents sign in at the desk", "Our clinic never gives out results by phone", "di klinik kami …".
pattern! {
    OUR_HOUSE = &housed(r"^(?:(?:in|at|on|within|across|throughout) our (?:[\w-]+ )?{HOUSE},? .{8,}|(?:our (?:[\w-]+ )?{HOUSE}|the (?:team|crew|squad|staff)|the (?:whole|entire) {HOUSE}|tim (?:dapur|gudang|kasir|\w+)) (?:(?:always|never|only|usually|normally|generally|strictly|selalu|wajib|harus|tidak boleh|dilarang|hanya) \w+|(?:must|may|can|cannot|can't|may not|must not|has to|have to|is required to|does not|doesn't|do not|don't) (?:\w+)|\w+s) .{3,}|(?:di )?{HOUSE} (?:kami|kita),? .{8,})$");
    // The same by "we": only a standing practice, and only with words of a trade.
    WE_STAND = &housed(r"^(?:here,? |here at [\w' -]{2,24},? |di sini,? )?(?:we|kita|kami) (?:(?:all|as a rule|semua(?:nya)?|di sini) )?(?:always|never|only|usually|normally|generally|must|may not|must not|cannot|can't|have to|do not|don't|selalu|tidak (?:pernah|boleh|menerima|melayani)?|{GA} (?:pernah|boleh|terima|melayani)|harus|wajib|biasanya|hanya|cuma) .{6,}$");
    // What a trade deals with: the plural that speaks of it is no household.
    TRADE = r"\b(?:customers?|clients?|guests?|patients?|pupils?|students?|visitors?|parents|members|suppliers?|vendors?|staff|colleagues|orders?|bookings?|reservations?|appointments?|invoices?|receipts?|refunds?|discounts?|deliver(?:y|ies)|parcels?|shipments?|stock|inventory|shifts?|policy|shop|store|kitchen|office|warehouse|clinic|school|dough|flour|menu|tables?|uniforms?|opening hours|weekdays|pelanggan|pembeli|pasien|siswa|murid|tamu|pesanan|pengiriman|paket|stok|toko|warung|gudang|kantor|klinik|sekolah|shift|nota|struk|diskon|supplier|pemasok|karyawan|pegawai)\b";
    CLOCK = r"\b\d{1,2} ?[ap]\.?m\b";
    // What a trade does with them.
    DEALS = r"\b(?:accepts?|serves?|delivers?|refunds?|hires?|gets? a \d+|melayani|menerima|menyajikan|mengirim|kirim|terima) \w+|\b\d+ ?%";
    // The people a trade deals with.
    PARTIES = r"\b(?:customers?|clients?|guests?|patients?|pupils?|students?|visitors?|parents|members|suppliers?|vendors?|orders?|bookings?|reservations?|appointments?|invoices?|receipts?|refunds?|deliver(?:y|ies)|parcels?|results|pelanggan|pembeli|pasien|siswa|murid|tamu|orang ?tua|pesanan|paket|hasil|nota|struk|pemasok)\b";
    // An order to everybody in a trade: meant for colleagues and not for people in general.
    ALL_MUST = r"^(?:(?:every(?:one|body)|all of us|we all)(?: here| (?:on|in|at|of) (?:the|our|this) [\w-]+(?: [\w-]+)?)?|(?:all|every|each) (?:new )?(?:staff|teachers?|nurses?|cooks?|chefs?|waiters?|cashiers?|drivers?|couriers?|guides?|volunteers?|trainees?|interns?|tutors?|coaches|assistants?|technicians?|employees?|workers?|shifts?|kitchen staff)(?: members?)?),? (?:must(?: not| never| always)?|may not|has to|have to|needs to|need to|should always|should never|is required to|are required to|is not allowed to|are not allowed to|always|never|(?:here )?(?:hands?|signs?|logs?|reports?|wears?|locks?|cleans?|checks?|files?|writes?|fills?|brings?) ) ?(?P<what>\w+ \w+ .{3,})$";
    SEMUA_WAJIB = r"^(?:semua|setiap|tiap|seluruh|para|segenap) (?:guru|perawat|dokter|bidan|karyawan|karyawati|pegawai|staf|staff|kasir|koki|juru masak|pelayan|sopir|supir|kurir|satpam|siswa|murid|mahasiswa|relawan|pengajar|penjaga|teknisi|montir|petugas|anggota|pengurus|orang di [\w ]{3,20}?)(?: [\w ]{2,20}?)? (?:wajib|harus|dilarang|tidak boleh|{GA} boleh|mesti|kudu|selalu) .{6,}$";
    // About people in general, not about a trade.
    HUMAN = r"^(?:eat|die|sleep|breathe|know|learn|love|start|live|work|choose|decide|understand|agree|admit|see|try|be|have|make|face|grow|pay taxes|drink|rest|dream|feel|think|remember)\b";
    // What is done together occasionally, and feelings.
    MOMENTARY = r"\b(?:had|went|was|were|did|got|will|would|could|might|love|like|hate|enjoy|feel|hope|wish|think|want|wants|argues?|fights?|laughs?|forgets?|visits?|celebrates?|have (?:guests|visitors)|christmas|easter|birthdays?|haha\w*|wkwk\w*|ribut|bertengkar|lupa|mudik|lebaran|capek|smells?|is \d+|is (?:\w+ing|so|very|too|really|great|nice|closed|down|out|full|empty|under|old|new|small|big|near|far|located|called|named)|are (?:\w+ing|so|very|too|really|great|nice|out|full)|has (?:been|a|an|no|just)|have (?:been|a|an|no|just)|hosted|[a-z]{3,}ed (?:a|an|the|us|my|our)|sedang|lagi|kemarin|tadi|besok|nanti|mau|akan|ada|suka|pengen|bagus|jelek|kecil|besar)\b|\b(?:my|me|i|saya|aku|gue|gua|gw)\b";
}

/// Whether it describes the usual practice of a trade.
fn trades(clause: &str) -> bool {
    if MOMENTARY.is_match(clause) {
        return false;
    }
    let holds = || {
        RULE.is_match(clause)
            || MEASURE.is_match(clause)
            || PARTIES.is_match(clause)
            || CLOCK.is_match(clause)
            || DEALS.is_match(clause)
    };
    OUR_HOUSE.is_match(clause) && holds()
        || WE_STAND.is_match(clause) && (TRADE.is_match(clause) || DEALS.is_match(clause))
        || SEMUA_WAJIB.is_match(clause)
        || ALL_MUST.captures(clause).is_some_and(|found| !HUMAN.is_match(&found["what"]))
}

/// Reads a clause as speaking for a group.
pub fn read(clause: &str) -> Option<Spoken> {
    if trades(clause) {
        let text = OF_US.replace(clause, "everyone on the team").into_owned();
        return Some(Spoken { text, decided: false, of_a_trade: true });
    }
    if HOUSEHOLD.is_match(clause) {
        return None;
    }
    let technical = |text: &str| TECH.is_match(text) || CODED.is_match(text);
    let told = |text: String, decided| Some(Spoken { text, decided, of_a_trade: false });
    if let Some(found) = PROJECT.captures(clause) {
        return told(OUR_OR_THIS.replace(clause, "the ").into_owned(), found.name("past").is_some());
    }
    if PROYEK.is_match(clause) || SEMUA.is_match(clause) {
        return told(clause.to_owned(), true);
    }
    if let Some(found) = EVERYBODY.captures(clause)
        && (found.name("scope").is_some() || technical(&found["what"]) || OF_US.is_match(&found["who"]))
        && !BEING.is_match(&found["what"])
    {
        return told(OF_US.replace(clause, "everyone on the team").into_owned(), false);
    }
    if let Some(found) = ALL_OF_US.captures(clause).filter(|found| technical(clause) || STANDING_DEED.is_match(&found["rest"])) {
        return told(format!("all team members {}", &found["rest"]), false);
    }
    if NOBODY.captures(clause).is_some_and(|found| !NO_DEED.is_match(&found["verb"])) {
        return told(clause.to_owned(), false);
    }
    if let Some(found) = HERE_WE.captures(clause).filter(|found| !FELT.is_match(&found["rest"])) {
        let who = if clause.to_lowercase().starts_with("di ") { "tim" } else { "we" };
        return told(format!("{who} {}", &found["rest"]), false);
    }
    if IN_HOUSE.is_match(clause) && !DEEDS.is_match(clause) {
        return told(clause.to_owned(), false);
    }
    if let Some(found) = AS_ONE.captures(clause).filter(|found| !FELT.is_match(&found["rest"])) {
        return told(format!("we {}", &found["rest"]), false);
    }
    if let Some(found) = SETIM.captures(clause).filter(|found| !FELT.is_match(&found["rest"])) {
        return told(format!("tim {}", &found["rest"]), false);
    }
    if (AGREED.is_match(clause) || SEPAKAT.is_match(clause))
        && (TABLE.is_match(clause) || technical(clause) && TOGETHER.is_match(clause))
    {
        return told(clause.to_owned(), true);
    }
    if CUSTOM.is_match(clause) || ATURAN.is_match(clause) {
        return told(clause.to_owned(), false);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_is_heard() {
        for said in [
            "this project targets Python 3.11 and above",
            "the project goes with NATS",
            "The team has settled on Playwright for end-to-end tests",
            "we as a crew render previews in 720p only",
            "As a team we never merge without green CI",
            "Everyone on the squad must run `make verify` before opening a PR",
            "All developers must sign their commits",
            "We decided in planning that the mobile app drops iOS 15 support",
            "our convention here is kebab-case for route names",
            "proyek ini pakai Go 1.22 ke atas",
            "Semua anggota tim wajib pakai conventional commits",
            "sebagai tim kita pakai Linear buat tiket",
            "kami sepakat pakai Tailwind buat semua halaman",
            "The whole platform group uses Argo CD for rollouts",
            "Every service here has to expose /healthz",
            "In this codebase errors are wrapped with thiserror, never anyhow",
            "The rule in our team is that the on-call person never does releases",
            "All of us deploy through the portal only",
            "The monorepo only accepts squash merges",
            "Nobody in the team pushes straight to main",
            "di tim ini kita pakai Figma buat desain",
            "nobody on the team may deploy after 3 pm on Fridays",
            "We, the data team, partition everything by ingestion date",
            "Our clinic never gives out results over the phone",
            "At our school, parents sign in at the front desk",
            "We only ship on weekdays, that is shop policy",
            "Everyone must wash hands before touching the dough",
            "Semua guru wajib mengisi presensi sebelum jam 8",
            "di klinik kami, hasil lab diambil di loket 2",
            "The squad decided yesterday: no more feature branches older than 3 days",
        ] {
            assert!(read(said).is_some(), "{said}");
        }
    }

    #[test]
    fn the_rest_is_not_a_whole() {
        for said in [
            "everyone must be mad about databases",
            "we decided to get a dog",
            "we decided to move to Spain",
            "as a team we love pizza",
            "our rule at home is no phones at dinner",
            "the team won yesterday",
            "semua orang suka kopi",
            "everyone has to eat",
            "in this project there is a bug",
            "everyone can cook",
            "nobody on the team likes mornings at all",
            "all of us laughed so hard",
            "our shop sells refurbished bikes",
            "at our company everybody gets Lenovo machines",
            "we never eat meat",
            "our school is closed today",
        ] {
            assert_eq!(read(said), None, "{said}");
        }
    }
}
