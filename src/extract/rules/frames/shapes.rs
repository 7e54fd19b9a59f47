//! Shapes whose grammar alone shows that something lasts, whatever the topic: a time long ago, a regular event, a possession, a
//! verdict "for me", a subject that belongs to the user.

use super::{Frame, frame};
use crate::domain::memory::MemoryKind::{Episode, Fact, Preference};
use crate::extract::rules::pattern::Rule;

pub const SHAPES: &[Frame] = &[
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "rhythm",
            pattern: r"^(?:i|we) .{2,}?\b{OFTEN}|^(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|weekdays|mornings|afternoons|evenings|nights|summers|winters),? (?:i|we|my|our) \S.*|^(?:i|we) (?:only|hardly ever|rarely|seldom|mostly|mainly|exclusively|almost never|basically only) (?:ever )?[a-z]+ \S.*|^(?:i|we) {ADV}do (?:[\w-]+ )?[\w-]{3,}s (?:at|for|in|on|with|around|near) \S.*",
            catches: &[
                "I have to take blood thinners daily",
                "I get up at five on weekdays",
                "we rehearse every Monday",
                "Sundays I am offline",
                "I only travel with hand luggage",
                "I swim twice a week",
            ],
            spares: &["I take the day off", "I run it once"],
        },
    ),
    frame(
        Episode,
        3,
        true,
        Rule {
            name: "long_ago",
            pattern: r"^(?:i|we) {ADV}(?:have )?[\w']+ .*?\b{LONG_AGO}",
            catches: &[
                "I lost my left arm in 2019",
                "I broke my back three years ago",
                "I emigrated as a child",
                "I have rowed since I was twelve",
            ],
            spares: &["I lost my keys an hour ago", "I found 2019 errors"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "possession",
            pattern: r"^(?:i|we) (?:(?:also|still|only|just|now|currently|actually|already|both) )*(?:have|own|have got|keep|got) (?:(?:only|just|about|at least|up to) )?(?:an?|my own|our own|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|twin|no) (?:[\w'-]+ ){0,3}?[\w'+-]+(?:,? (?:and|plus|but no) (?:(?:an?|one|two|three|four|five|\d+|no) )?(?:[\w'-]+ ){0,2}[\w'-]+)?(?: (?:at home|named .+|called .+|from (?:19|20)\d\d|in the (?:garden|garage|basement|attic|kitchen|living room)))?$",
            catches: &["I have two budgies and a tortoise", "we own a small vineyard", "I keep six hens"],
            spares: &["I have to go", "I have read the docs"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "belongs",
            pattern: r"^(?:the|an?|one|two|three|four|\d+|several|a few|both|most|all|some|half|many|neither|none|everything|everyone|everybody|nobody|no one|the rest|nothing|every\w* \w+|each \w+) (?:[\w'-]+ ){0,4}?(?:of|for|in|on|at|behind|from|between) (?:my|our) (?:[\w'/-]+ ){1,5}?(?:is|are|isn't|aren't|has|have|\w+s) (?:[\w'(/-]+ ?)+",
            catches: &[
                "nobody in my family drinks milk",
                "the repo for my side project is written in Flutter",
                "most of my patients are children",
                "one of my brothers lives in Oslo",
                "both of our offices are in Warsaw",
            ],
            spares: &["the end of the file is missing", "my dog barks"],
        },
    ),
    frame(
        Preference,
        3,
        false,
        Rule {
            name: "for_me",
            pattern: r"^(?:please,? )?(?:no|nothing|anything|never|only|always) (?:but |with |without |of )?.{2,50} for me\b|^.{2,80}\b(?:matters?|counts?|means|appeals?|is (?:very |really |quite |so |too )?(?:important|essential|vital|sacred|useful|hard|difficult|easy|easier|impossible|confusing|painful|a must|crucial|key|tricky|tiring|useless|of no use|no use|pointless|irrelevant|uncomfortable|exhausting|unreadable|too \w+)) (?:(?:a lot|more|most|best|the most|less|much) )?(?:to|for) me\b",
            catches: &[
                "nothing with coriander for me",
                "voice input matters a lot to me",
                "small print is hard for me to read",
                "privacy is very important to me",
            ],
            spares: &["look for me", "send it to me"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "more_or_less",
            pattern: r"^(?:i am|i have always been|i have never been|i was never) (?:{ADV}(?:more (?:of )?an?|a bit of an?|an?|the) (?:\w+ ){0,3}?(?:person|type|learner|thinker|sleeper|reader|eater|cook|driver|traveller|traveler|swimmer|singer|speaker|beginner|novice|newbie|newcomer|amateur|pro|veteran|expert|owl|bird|perfectionist|introvert|extrovert|minimalist|maximalist|procrastinator|\w+(?:aholic|phobe|phile|oholic))|{ADV}(?:not )?(?:{ADV})?(?:very |so |that |too |all that |particularly |the |any )?(?:good|great|bad|terrible|awful|hopeless|useless|rubbish|comfortable|familiar|experienced|fluent|rusty|clumsy|slow|quick|fast|strong|weak|confident|careful|strict|big|handy|proficient|skilled|well versed|hot|technical|used|accustomed)(?:est)? (?:with|at|in|on|about|to)) ?\S*",
            catches: &[
                "I am more of a visual learner",
                "I am not great with numbers",
                "I am terrible at names",
                "I am a slow reader",
                "I am not comfortable with regular expressions",
            ],
            spares: &["I am good", "I am the user"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "of_myself",
            pattern: r"^(?:i|we) {ADV}(?:(?:would|must|should) )?{ADV}(?:describe|call|consider|count|rate|see|class|identify|think of|regard|label) (?:myself|ourselves|my (?:\w+ )?(?:level|skills?|style|knowledge|english|experience|taste|diet|strength|rating)(?: (?:in|of|at|with) [\w ]{2,20}?)?)(?: as| to be)? ?\S|^(?:i am|as) (?:on the (?:\w+ )?(?:spectrum|board|team|committee|council|squad|crew|pill|faculty|payroll|waiting list)|one of (?:the|those|two|three|four|five|\d+) [\w -]+|the only [\w -]+)",
            catches: &[
                "I would describe myself as a beginner",
                "I consider myself a generalist",
                "I am on the autism spectrum",
                "I am the only developer here",
            ],
            spares: &["I am on the bus", "I call it a day"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "is_mine",
            pattern: r"^(?:the )?[\w'/+.-]+(?: [\w'/+.-]+){0,4} (?:is|are) (?:still |also |just |only |both )*(?:my|our) (?:[\w'-]+ ?){1,6}",
            catches: &["Fridays are my day off", "English is my third language", "Basel is our headquarters"],
            spares: &["this is it", "where my dog is"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "custom",
            pattern: r"^(?:at|in|on|for) (?:our|my) (?:[\w'-]+ ){1,3}?(?:everybody|everyone|everything|people|we|all|nobody|no one|most|nothing|there (?:is|are)) \S.*",
            catches: &["at our company everybody gets Lenovo machines", "in my family nobody drinks milk"],
            spares: &["at our company there"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "long_work",
            pattern: r"^(?:i|we) (?:am|are|have been) {ADV}(?:writing|working on|building|making|developing|designing|restoring|renovating|compiling|recording|producing|composing|planning|running|growing|starting|planting|researching|translating|illustrating|organi[sz]ing) (?:an?|my|our|the) (?:[\w'-]+ ){0,3}?(?:books?|novel|memoir|thesis|dissertation|screenplay|album|podcast|blog|newsletter|game|film|documentary|startup|company|business|shop|house|boat|garden|farm|wedding|festival|conference|comic|musical|opera|cookbook|textbook|trilogy|guide|encyclop\w+|archive|museum|family tree|youtube channel|side project|camper|barn|cabin)\b|^{AKU} (?:(?:lagi|sedang|masih|udah|sekarang|juga) )*(?:ngerjain|mengerjakan|bikin|membuat|bangun|membangun|ngembangin|mengembangkan|garap|menggarap|merintis|rintis|nulis|menulis|nyusun|menyusun|jalanin|menjalankan|ngerintis|ngurus) (?:[\w-]+ ){0,1}?(?:startup|usaha|bisnis|toko|aplikasi|app|game|buku|novel|skripsi|tesis|disertasi|blog|podcast|channel|kanal|kebun|rumah|warung|komik|proyek|project|album)\b",
            catches: &[
                "I am writing a children's book about a hedgehog",
                "we are restoring an old wooden boat",
                "gw lagi ngerjain startup edtech",
            ],
            spares: &["I am writing an email", "gue lagi bikin kopi"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "ours_does",
            pattern: r"^(?:my|our) (?:[\w'-]+ ){1,3}?[a-z]{2,}(?:[^s\W]s|[sxz]es|shes|ches|ies) (?:[\w'/+.-]+ ?)+",
            catches: &["our shop sells refurbished bikes", "my company ships twice a month", "our building lacks a lift"],
            spares: &["my dog", "my own idea"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "standing_verb",
            pattern: r"^(?:i|we) {ADV}(?:rent|lease|own|run|lead|manage|coach|teach|drive|ride|wear|grow|breed|raise|foster|sell|practi[sc]e|operate|maintain|chair|study|supervise|mentor|represent|volunteer|farm|sublet|play|belong|suffer|earn|weigh|commute|freelance|speciali[sz]e|consult|lecture|research|fish|hunt|knit|sew|sculpt|brew|cater|babysit|tutor|interpret) (?:[\w'/+.-]+ ?)+.*",
            catches: &["I rent a studio without a balcony", "we run a bakery", "I practise the trumpet with a mute"],
            spares: &["I rented a car", "I see a balcony"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "never_do",
            pattern: r"^(?:i|we) (?:don't|never|have never|haven't ever|no longer) {ADV}[a-z]+ (?:[\w'/-]+ ?)+.*",
            catches: &["I don't have a credit card", "I never answer unknown numbers", "we don't celebrate birthdays"],
            spares: &["I don't know", "I haven't seen it"],
        },
    ),
    frame(
        Preference,
        3,
        false,
        Rule {
            name: "fronted",
            pattern: r"^(?:anything|everything|whatever|all|most|nothing|no|any) .{3,60}?,? (?:i|we) (?:won't|don't|never|always|can't|only|usually|refuse to|try to|skip|avoid|ignore|tend to)(?: \w+|$)",
            catches: &["anything longer than a page I won't read", "everything with an engine I avoid"],
            spares: &["all I know is that", "no, I use tabs"],
        },
    ),
    frame(
        Fact,
        4,
        true,
        Rule {
            name: "that_name",
            pattern: r"^.{2,60}\b(?:that|which|it) is my (?:(?:first|last|real|full|middle|family|given|birth|maiden|legal|preferred) )?(?:name|nickname|surname|handle)$|^(?:it|my name) is (?:pronounced|spelled|spelt|written) (?-i:[A-Z])\w+.*",
            catches: &["it's spelled Siobhan, that is my name", "it is pronounced Shiv-awn"],
            spares: &["that is my file"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "punya_tetap",
            pattern: r"^(?:[\w/.-]+ ){0,3}?(?:\w{3,}ku|[\w/.-]+ (?:{AKU}|kami))(?: (?:itu|tuh|kan|emang|memang|juga|sekarang|sih|cuma|masih|udah|sudah|semua|semuanya))* (?:namanya|adalah|di|dari|ke|{PAKE}|suka|alergi|umur\w*|usianya|kelas|sekolah|kuliah|kerja|kerjanya|bekerja|tinggal|orang|lahir|selalu|biasanya|jarang|sering|tiap|setiap|{GA} (?:bisa|boleh|suka|pernah|makan|minum|punya)|punya|seorang|jenis|tipe|merk|merek|warna|ada|jadi|sebagai|berbahasa|bahasa|ras|kena|mengidap|mengajar|ngajar|\d+|(?-i:[A-Z])\w+)\b.*",
            catches: &["anak pertamaku sekolah di SD Al Azhar", "sepeda gue merk Polygon", "kucing kedua gue namanya Oyen"],
            spares: &["gue suka", "file itu dari kantor"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "sejak",
            pattern: r"^(?:{AKU}|kami|kita) .{2,}\b(?:(?:sejak|dari|semenjak) (?:kecil|lahir|bayi|remaja|dulu|sd|smp|sma|kuliah|tahun \d+|(?:19|20)\d\d|umur \d+)|(?:udah|sudah|udh|selama|hampir) (?:\d+|setahun|sebulan|dua|tiga|empat|lima|sepuluh|belasan|puluhan|beberapa|bertahun-tahun)(?: (?:tahun|thn|bulan|dekade))?(?:an)? ?(?:lebih)?$|\d+ tahun (?:terakhir|lebih)|(?:tahun|th) (?:19|20)\d\d)\b",
            catches: &["gue main basket dari SMP", "saya berjualan sejak 2015", "gue nulis blog udah 3 tahun"],
            spares: &["gue makan dari tadi", "gue dari Bandung"],
        },
    ),
];
