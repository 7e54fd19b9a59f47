//! The user's circumstances: people they answer to, how to reach them, what they need, cannot do and have done.

use super::{Frame, frame};
use crate::domain::memory::MemoryKind::{Episode, Fact, Preference};
use crate::extract::rules::pattern::Rule;

pub const LIFE: &[Frame] = &[
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "relation",
            pattern: r"^my (?:[\w-]+ ){0,3}?{RELATION}(?: (?:on|for|in|at) [\w -]{2,40}?)? (?:is|are)(?: now| called| named)* (?:(?:prof|professor|dr|mr|mrs|ms)\.? )?(?-i:[A-Z])[\w'-]+|^my (?:[\w-]+ ){0,3}?{RELATION}'s name is \S|^(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,2} is (?:now )?my (?:[\w-]+ ){0,2}?{RELATION}\b|^{ATASAN}(?: langsung| tim)* ?(?:{AKU}|ku)(?: sekarang| itu| tuh| adalah| namanya)* (?:(?-i:Pak|Bu|Mas|Mbak|Bang|Kak|pak|bu|mas|mbak|bang|kak) )?(?-i:[A-Z])[\w'-]+",
            catches: &[
                "my manager is Ingrid Falk, she signs off on all my access requests",
                "Farid is my manager",
                "my designer on the project is Mei",
                "my mentor's name is jo",
                "atasan gue namanya Pak Hendra",
                "manajer saya Bu Ratna, dia yang tanda tangan",
            ],
            spares: &["my manager is on holiday", "my boss is angry", "Lena is sick", "atasan gue lagi cuti"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "pronouns",
            pattern: r"^(?:(?:my )?pronouns(?: are| is|:)? |i (?:use|go by|prefer) |please use |use |it is )?(?:he|she|they|xe|ze|fae|it)/(?:him|her|them|they|she|he|xem|hir|zir|its?)(?:/\w+)?\b",
            catches: &["my pronouns are they/them", "she/her", "I use he/him", "they/them/theirs please"],
            spares: &["he or she", "read/write access is on"],
        },
    ),
    frame(
        Preference,
        4,
        false,
        Rule {
            name: "reach",
            pattern: r"^(?:(?:you|people|everyone|anyone|folks) (?:can|may|should|could) |it is |(?:it )?is |please |just |always |easiest |best |better |if (?:anything|something) (?:comes up|breaks|is urgent),? |in (?:an emergency|urgent cases),? )*(?:to )?(?:best |always |only |usually )?(?:reach|contact|ping|message|text|email|e-mail|mail|call|dm|find|write|page|notify|phone) (?:to )?me(?: best| only| always| usually| directly)? (?:on|via|through|by|over|in|under|rather than|instead of|first|before)\b ?\S*|^(?:the )?(?:best|easiest|quickest|fastest|only|preferred) way to (?:reach|contact|get hold of|find|ping|notify) me (?:is|would be)\b \S|^i am (?:best|easiest|only|always|usually|better) (?:reached|reachable|contacted) \S|^(?:kalo|kalau) (?:ada apa-apa|urgent|perlu|mendesak|penting),? (?:tolong |langsung |mending )*(?:hubungi|kontak|chat|kabarin|wa|telpon|telepon|email) {AKU}\b.*|^(?:tolong |langsung |mending |bisa |paling gampang |kalian bisa )*(?:hubungi|kontak|chat|kabarin|wa|telpon|telepon|email|dm) {AKU} (?:lewat|via|di|pake|pakai|melalui|by) \S+",
            catches: &[
                "you can reach me on Signal rather than email",
                "best to ping me on Slack",
                "the best way to reach me is by text",
                "please email me rather than calling",
                "hubungi gue lewat Telegram aja",
            ],
            spares: &["call me when it is done", "you can reach me at 3", "ping the server"],
        },
    ),
    frame(
        Fact,
        4,
        true,
        Rule {
            name: "condition",
            pattern: r"^(?:i|we) {ADV}(?:have|have got|was diagnosed with|got diagnosed with|suffer from|live with|struggle with|deal with|was born with) (?:an? |some |the |mild |severe |chronic |partial |light |bad |terrible |a touch of |type [12] )*(?:[\w-]+(?:opia|opsia|emia|aemia|itis|osis|algia|phobia|lexia|calculia|praxia|graphia|pathy|trophy|plegia|paresis|somnia|lepsy|thyroidism)|(?:glauc|melan|lymph|carcin|scot)oma|adhd|add|ptsd|ocd|asd|tinnitus|migraines?|asthma|eczema|psoriasis|vertigo|lupus|diabetes|epilepsy|parkinson's|hay fever|long covid|me/cfs|pcos|colou?r[- ]blindness|low vision|hearing loss|a (?:stutter|stammer|tremor|lisp|hearing aid|guide dog|pacemaker|prosthe\w+)|one (?:eye|arm|hand|leg)|photosensitiv\w+|motion sickness|chronic \w+)\b|^(?:{AKU}) (?:punya |kena |ada |mengidap |pengidap |penderita |menderita )(?:disleksia|asma|diabetes|epilepsi|migrain|vertigo|adhd|maag|gerd|anemia|hipertensi|darah tinggi|alergi|buta warna|tinnitus|skoliosis|eksim|insomnia|lupus)\b",
            catches: &[
                "I have deuteranopia",
                "I have got tinnitus so loud alerts hurt",
                "I live with narcolepsy",
                "gue punya disleksia",
            ],
            spares: &["I have a cold", "I have a diploma to frame later", "I have an opinion"],
        },
    ),
    frame(
        Preference,
        3,
        false,
        Rule {
            name: "helps",
            pattern: r"^(?:[\w/'+-]+(?:, | and | or | in | of | on | with | without | after | before | at )?\s*){1,7}?(?:(?:really|usually|always|often|actually|generally|simply|just|never|sometimes|badly) )*(?:helps?|works?|don't work|doesn't work|do not work|gives?|confuses?|distracts?|bothers?|triggers?|overwhelms?|suits?|stress(?:es)?|loses?|drains?|annoys?|drives?|makes?|hurts?|slows?|trips?|throws?|exhausts?|irritates?|scares?) (?:(?:much|far|way|a lot) )?(?:(?:better|best|well|great|poorly|badly) )?(?:for )?(?:me|my (?:eyes|brain|head|ears|back|wrists?|hands|neck|migraines?|dyslexia|adhd))\b",
            catches: &[
                "short paragraphs and headings help me a lot",
                "red/green charts don't work for me",
                "long walls of text lose me",
                "bright colours give me migraines",
                "diagrams work better for me than prose",
                "loud alerts hurt my ears",
            ],
            spares: &["helps a lot", "it is fine"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "need",
            pattern: r"^(?:i|we) {ADV}(?:need|require|rely on|depend on|can't work without) (?:an? |some |my |at least |a lot of |lots of |extra |more )*(?:wheelchair|captions?|captioning|subtitles|closed captions|large(?:r)?|bigger|big|high[- ]contrast|low[- ]light|screen[- ]?reader|alt(?:ernative)?[- ]text|transcripts?|step-free|lifts?|interpreter|sign language|glasses|hearing|quiet|silence|darkness|insulin|inhaler|medication|notice|advance notice|(?:[\w']+ ){1,2}notice|written|everything in|things in|keyboard[- ]only|keyboard navigation|voice control|dictation|magnifi\w+|braille|ergonomic|standing desk|time to (?:process|think|prepare|read)|breaks every|regular breaks|\w+ hours (?:of )?sleep)\b|^i {ADV}need .{3,60}\b(?:always|every (?:time|single)|on every|in every|for every|in advance|by default|before (?:every|any|each)|each time)\b|^{AKU} (?:selalu |emang |memang )*(?:butuh|perlu) (?:subtitle|teks besar|huruf besar|kursi roda|kacamata|alat bantu|penerjemah|waktu buat|pemberitahuan|suasana (?:sepi|tenang))\b",
            catches: &[
                "I need captions on every video",
                "I need things in large print",
                "I need two days' notice",
                "I need wheelchair access",
            ],
            spares: &["I need help", "I need the report by five"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "cannot",
            pattern: r"^(?:i|we) {ADV}(?:can't|am not able to|am unable to|am not allowed to) {ADV}(?:do|join|take|attend|host|make|have|use|see|hear|read|tell|lift|stand|sit|open|receive|eat|work|travel|be) (?:(?:in|on|at|with|for|to|without|after|before|past) )?(?:(?:any|most|video|phone|voice|early|late|long|small|tiny|low-contrast|red|green|loud|bright|zoom|group|morning|evening|night|weekend|heavy|spicy|raw|flashing|handwritten|external|personal|usb|unsigned|large|colou?rs?|shift|on-call) )*(?:calls?|meetings?|stand-?ups?|shifts?|fonts?|text|print|handwriting|colou?rs?|flights?|stairs|drives?|sticks?|sounds?|frequencies|alarms?|screens?|videos?|evenings?|mornings?|nights?|weekends?|{DAY}|on-?call|attachments|zip files|executables|macros|extensions|green|red|blue|dairy|weights?|boxes|crowds|noise|silence|perfume|smells|depth|faces|tones?|sarcasm|a call|the office)\b|^(?:{AKU}) (?:emang |memang |bener-bener )*{GA} (?:bisa|boleh|sanggup|mungkin|kuat) (?:(?:ikut|nerima|terima|pake|pakai|baca|liat|lihat|denger|buka) )?(?:video ?call|vc|telpon|telepon|call|meeting|rapat|zoom|nyetir|berenang|bedain warna|huruf kecil|tulisan kecil|warna|lembur|shift malam|begadang|panas|keramaian|naik (?:motor|pesawat)|bangun pagi)\b",
            catches: &[
                "I can't do video calls",
                "I can't do phone calls",
                "I can't read small fonts",
                "I can't join calls before ten",
                "I can't open zip files on my work machine",
                "gue gak bisa video call",
            ],
            spares: &["I can't open the file", "I can't do this", "I can't find logs"],
        },
    ),
    frame(
        Episode,
        3,
        true,
        Rule {
            name: "background",
            pattern: r"^i (?:have |just |recently |finally )*(?:did|done|got|hold|earned|wrote|finished|completed|defended|have) (?:my|an?|the) (?:\w+ )?(?:ph\.?d|doctorate|master'?s?|msc|m\.sc|bsc|b\.sc|bachelor'?s?|mba|degree|thesis|dissertation|undergrad|bootcamp|apprenticeship|residency|postdoc|internship|studies|diploma)(?: thesis| degree)? (?:in|on|at|about|from|with)\b|^i (?:trained|qualified|studied|majored|apprenticed) (?:as|in|at|under)\b|^i (?:spent|have spent|put in) (?:[\w-]+ ){1,3}(?:years|decades?|months) (?:in|at|as|on|with|doing|working|writing|teaching|building|running)\b|^i (?:was|used to be|have been|worked as|started (?:out )?as|began as) an? (?:[\w-]+ ){0,3}(?:nurse|teacher|lawyer|doctor|chef|cook|journalist|carpenter|mechanic|pilot|soldier|translator|accountant|banker|engineer|developer|designer|scientist|consultant|manager|librarian|musician|biologist|physicist|chemist|mathematician|dba|sysadmin|tester|analyst|trader|architect|electrician|paramedic|police officer|firefighter|civil servant|farmer|researcher|professor|programmer|writer|editor|photographer|midwife|pharmacist)\b|^i (?:come|came) from (?:an? )?(?:[\w-]+ ){0,2}(?:background|world|family|side|academia|banking|finance|physics)\b|^my background is (?:in )?\w|^{AKU} (?:dulu(?:nya)? )?(?:lulusan|alumni|jebolan|mantan|bekas|pernah (?:jadi|kerja (?:di|jadi|sebagai)|kuliah)|dulunya|skripsi(?:nya)?|tesis(?:nya)?|basic-?nya|latar belakang(?:nya)?)\b \S",
            catches: &[
                "I did my PhD on compilers",
                "I wrote my thesis on parsers",
                "I spent ten years in banking",
                "I was a nurse before this",
                "I come from a physics background",
                "gue lulusan hukum",
                "saya dulunya guru SD",
            ],
            spares: &["I did my best", "I spent an hour on it", "I was a bit late", "I wrote a test"],
        },
    ),
    frame(
        Episode,
        3,
        true,
        Rule {
            name: "joined",
            pattern: r"^(?:i|we) (?:have |had |just |recently |finally |only |officially |newly )*(?:joined|started|came on board|came in|arrived|transferred(?: over)?|moved over|took over|stepped in|came back|returned)(?: (?:last|this|the other) (?:week|month|year|quarter|summer|spring|autumn|fall|winter|{DAY})| on \w+| in {MONTH}| (?:\w+ )?(?:days|weeks|months|years) ago| here| today| yesterday)* as (?:an?|the|your|their|one of)\b ?\S|^{AKU} (?:baru |baru aja |baru saja |resmi )*(?:gabung|masuk|join|mulai|pindah)(?: (?:minggu|bulan|tahun) (?:lalu|ini)| kemarin| hari ini| di sini)* (?:jadi|sebagai) \S",
            catches: &[
                "I just joined last week as the new SRE for the payments squad",
                "I started on Monday as a data analyst",
                "gue baru gabung minggu lalu jadi QA",
            ],
            spares: &["I just joined the call", "I started the server"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "duty",
            pattern: r"^{AKU} (?:yang |yg |juga |sekarang |udah |masih |dipercaya |ditugasin |kebagian |emang |memang |kan )*(?:megang|pegang|ngurus\w*|urus|mengurus|handle|nge-?handle|bertanggung jawab|tanggung jawab|penanggung jawab|jaga|menjaga|nge-?maintain|maintain|mimpin|memimpin|kelola|ngelola|mengelola|nge-?review|nge-?approve|approve|bikin|nulis|rawat|ngerawat|pic|admin(?:nya)?|ngawasin|mengawasi|nge-?lead|lead)\b (?:dari|untuk|buat|atas|di|soal|semua|bagian|tim|modul|repo|bot|proyek|project|server|laporan|jadwal|fitur|aplikasi|database|sistem|akun|gudang|[\w-]+ ?)\S*|^(?:i am|i'm) the (?:[\w-]+ )?(?:one|person) (?:who )?(?:responsible for|owning|running|maintaining|runs|owns|maintains|handles|looks after|takes care of|signs off|approves|manages)\b \S|^(?:i am|i'm) the (?:[\w-]+ ){0,3}(?:owner|maintainer|contact|lead|admin|author|manager|coordinator|champion|custodian|keeper|go-to|point person|point of contact)\b",
            catches: &[
                "gue yang pegang bot absensi",
                "gue megang modul inventory sama retur",
                "saya yang bertanggung jawab untuk laporan pajak",
                "I am the owner of the search service",
                "I am the release manager this year",
            ],
            spares: &["gue yang salah", "I am the one who asked", "I am the first"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "semua",
            pattern: r"^(?:semua|sebagian besar|kebanyakan|hampir semua|seluruh) [\w /-]{2,40} ?(?:{AKU}|ku) (?:di\w{3,}|pake|pakai|ada di|jalan di|dalam|pakenya|itu|berbasis|formatnya) \S",
            catches: &["semua skrip gue ditulis pake Fish", "kebanyakan klien saya ada di Jepang"],
            spares: &["semua file gue ilang"],
        },
    ),
];
