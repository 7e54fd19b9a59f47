//! A second check for some frames: clauses that match the shape but do not last.

use super::super::words::pattern;

pattern!(
    NOT_MINE,
    r"^(?:my|our) (?:(?:own|new|old|last|next|first|current|latest|only|whole|main|local|two|little|second|previous|final|biggest|other|next|team's) )*(?:build|tests?|test suite|code|codebase|question|bug|issue|problem|errors?|guess|point|bad|mistake|ideas?|apologies|day|week|weekend|morning|evening|night|head|brain|mind|mood|back|feet|eyes hurt|stomach|throat|internet|wifi|wi-fi|connection|battery|screen|phone battery|query|queries|function|script|program|method|class|loop|regex|component|prs?|pull request|branch|commit|merge|pipeline|deploy\w*|release|app|application|website|site|page|api|endpoint|server|container|pod|cluster|cache|tests|request|requests|meeting|meetings|call|appointment|order|package|parcel|delivery|train|bus|taxi|uber|flight|ticket|tracking|booking|reservation|lunch|dinner|breakfast|essay|draft|homework|assignment|slides|presentation|report|email|letter|message|text|understanding|impression|thoughts?|feeling|hope|concern|worry|fear|question|answer|result|results|output|input|variable|table|column|spreadsheet|formula|file|files|folder|config|log|logs|terminal|cursor|keyboard|mouse|alarm|coffee|tea|food|soup|cake|bread|pasta|turn|fault|advice|favor|favour|word|words|request|task|todo|story|poem|song|character|password|passwords|pin|token|api key|secret|boss|manager|colleagues?|coworkers?|co-workers?|friends?|neighbou?rs?|roommate|landlord|client|teacher|professor|interns?|designers?|developers?|devs?|engineers?|teammates?|team mates?|lead|team lead|tech lead|cto|ceo|pm|doctor|dentist|trainer|coach|tenant|sisters?|brothers?|mother|father|mom|mum|dad|parents|aunt|uncle|cousins?|nephews?|nieces?|grand\w+|in-laws|car battery|account (?:got|was)|post|tweet|comment)\b"
);
pattern!(
    MINE_KEEPS,
    r"^(?:my|our) (?:[\w' -]+ )?(?:is called|is named|name is|'s name is|'s birthday|birthday is|(?:sister|brother|mother|father|mom|mum|dad|parents) (?:and i|(?:has|have|is|are) (?:allergic|diabet\w+|dement\w+|deaf|blind|my (?:carer|flatmate|business partner)))|lives? (?:with|next|near|downstairs|upstairs)|(?:is|are) (?:only |just |about |around |limited to |capped at )*\d+(?:[.,]\d+)? ?(?:[kmgt]i?b(?:it|ps|/s)?s?|mbit|m2|sqm|square|metres?|meters?|cm|km|kg|inch(?:es)?|years? old|people|hectares?|acres?)|(?:can't|doesn't|won't) (?:handle|tolerate|digest|stand|take|cope with)|(?:insists?|requires?|demands?|only accepts?)|speaks? (?:only|no|little)|only speaks?|always|prefers?|defaults?|by default|native language|mother tongue|main|primary|default|preferred|favou?rite|usual|daily|pronouns|time ?zone|email signature|keyboard layout|keyboard is|app (?:is called|targets|is written|uses)|website is|branch (?:naming|is called)|boss is (?-i:[A-Z])\w*|manager is (?-i:[A-Z])\w*|team lead is (?-i:[A-Z])\w*|stack)\b"
);
pattern!(
    STATE,
    r"\bby (?:{DAY}|noon|midnight|tomorrow|tonight|the end)\b|^(?:my|our) .{2,60}? (?:is|are) (?:\w+ing$|(?:finally|already|almost|not yet|so|too|really) )|^(?:my|our) (?:\w+ ){1,3}(?:has|have|got) (?:an? |the )?(?:\w+ )?(?:fever|cold|cough|flu|test|exam (?:today|tomorrow)|party|match|recital|headache|appointment|game|interview|question|problem|meeting|deadline|fit|tantrum|bug|error|typo|hole|leak|crack|stain)\b|^(?:my|our) .{2,60}? (?:is|are|has|have|keeps?|runs|got) (?:(?:so|very|really|just|too|completely|totally|a bit|kinda|still|all|pretty|super|currently|quite|now|already|such|been|not|finally) )*(?:broken|pushed|committed|merged|saved|lost|missing|deleted|uploaded|reviewed|finished|sent|down|slow|dead|stuck|frozen|crash\w*|fail\w*|work(?:ing)?$|working (?:now|fine|again|on it)|respond\w*|starting|acting|being|getting|going|running (?:slow|out|hot|late|low)|overheat\w*|late|full|gone|lost|ready|done|empty|low|red|hurt\w*|killing|sick|here|there|dying|leaking|barking|screaming|fighting|snoring|blinking|flickering|beeping|spinning|shaking|growing|fine|ok(?:ay)?|great|good|bad|awful|terrible|amazing|cute|funny|weird|wrong|nice|cool|beautiful|lovely|adorable|annoying|mad|angry|crying|sleeping|asleep|awake|visiting|coming|waiting|asking|driving me|lagging|loud|noisy|dirty|wet|cold|hot|happy|sad|tired|hungry|bored|out|off|away|busy|over|today|tomorrow|in \d+ (?:min|hour)|at \d|about to|a mess|a disaster|a nightmare|a pain|on fire|due (?:today|tomorrow))\b"
);
pattern!(
    NOT_ROLE,
    r"^i (?:am|have been) (?:\w+ )?(?:an? (?:\w+ )?(?:bit|little|mess|idiot|wreck|fool|moron|genius|zombie|lot|fan of (?:this|that|it|the way)|couple|few|minute|hour|day|week|step|page|chapter|bundle|firm no|yes|no|maybe|loss|crossroads|hurry|rush|meeting|call)|the (?:one|same|first|last|next)|at (?:a|the|my|work|home|school|lunch|line|step|page|version))\b"
);
pattern!(
    NOT_NAME,
    r"^(?:please |just )*call me (?:when|if|once|later|back|tomorrow|today|tonight|at \d|on \d|on (?:{DAY})|after|before|asap|crazy|old[- ]fashioned|paranoid|stupid|in (?:an?|\d)|maybe|anytime|right|now)\b"
);
pattern!(
    NOT_HELD,
    r"^(?:i|we) (?:have|own|got|have got|had) (?:(?:an?|the|some|no|another|one|two|three|four|several|my|this|that|many|few|more) )*(?:zoom|teams|google|excel|python|json|csv|sql|rust|java\w*|react|docker|git|pandas|numpy|bash|word|pdf|html|css|yaml|django|flask|vue|angular|spring)\b|^(?:i|we) (?:have|own|got|have got|had) (?:(?:an?|the|some|no|another|one|two|three|four|several|my|this|that|many|few|more) )*(?:\w+ )?(?:meeting|questions?|ideas?|bug|issues?|problems?|error|errors|deadline|call|headache|cold|fever|flu|interview|appointment|test tomorrow|presentation|task|tasks|lunch|dinner|breakfast|feeling|doubt|minute|second|moment|lot|bunch|file|files|list|script|function|table|query|loop|class|component|string|array|dataset|csv|spreadsheet|json|vector|matrix|endpoint|form|button|page|chart|dream|chance|plan for|flight (?:at|in|tomorrow|today)|train|date|party|guest|guests|request|favor|favour|look|go|fun|time|trouble reproducing|clue|way|choice|point|reason|suspicion|theory|hunch|word|branch|pr|pull request|commit|ticket|merge conflict|test|tests|column|row|list of|requirement|to)\b"
);
pattern!(
    NOT_DOING,
    r"^(?:i|we) (?:am |are )?(?:\w+ )?(?:use|using|run|running|build|building|develop|write|writing|wrote|test|deploy|ship|read|search|type|compile|listen|watch|take|store|track|keep|working on|work on|code) (?:(?:a|an|the) (?:\w+ ){0,2}(?:loop|function|method|query|test|tests|script|command|build|migration|server|debugger|code|app|program|line|lines|for loop|snippet|example|endpoint|pipeline|report|email|letter|essay|article|paper|slides?|tutorial|error|regex|form|button|page|feature|fix|bug|ticket|pr|task|story|poem|post|blog post|readme|doc|docs|presentation|deck|(?:quick|small|simple|tiny) (?:\w+ )?(?:script|test|tool|app|program|fix|change|thing|function|query|benchmark|experiment|bot)|new (?:feature|test|function|script|bug|ticket|page|endpoint|component|release|email|article|post)|bug|hotfix|refactor|patch)|(?-i:it)|this|that|these|some (?:tests|code|queries)|tests?$|npm (?:install|run)|cargo (?:build|run|test)|git (?:push|pull|rebase|commit|status|merge|stash)|docker (?:build|run|compose up)|pip install|make$|feature|out of|into|up|late|through|your|you)\b"
);
pattern!(
    NOT_LIKED,
    r"^(?:i|we) (?:[\w']+ )?(?:\w+ )?(?:like|love|hate|enjoy|prefer|want|adore|dislike|appreciate)\w* (?:it(?:$|[,!]| so\b| very\b| a lot| too| now| here| and| but| because| for| in\b| to\b| when (?:that|this|it)\b)|this|that|these|those|the (?:way you|way this|idea|new (?:design|version|look|layout|feature|one)|first|second|third|last|other|latter|former|sound of|look of|one|result|answer|color|colour|tone of)|your|you|how (?:you|it|this|the)|what you|him|her|them|to (?:know|see|hear|add|change|fix|make (?:a|the|it|this)|ask|understand|thank|say|point out|think|believe|buy|order|book|schedule|get (?:this|the|a|it)|go|do (?:this|that|it)|try|use (?:this|it|the|a)|have a (?:look|list|table|quick))|when (?:it|the|this)|option|number|version)\b|^(?:i|we) would (?:\w+ )?(?:rather|prefer) (?:not$|not (?:to )?(?:do|have|use|change|touch|break) (?:this|that|it|the)|the (?:first|second|third|last|former|latter|other|blue|red|green|short(?:er)?|long(?:er)?|simpler?)|option|that|this|it\b|if you|to (?:keep|leave|do|use|go with|have) (?:it|this|that|the))"
);
pattern!(
    NOT_WANTED,
    r"\b(?:this|that|these|those|it|the (?:above|following|attached|first|second|last|next|document|article|text|file|report|code|function)|right now|today)\b|\b(?:an?|one|two|three|four|five|ten|the|\d+|some) (?:\w+ ){0,2}{STYLE}\b|\bof (?:the|this|my)\b"
);
pattern!(IN_GENERAL, r"\b(?:in general|always|by default|generally|every time|from now on|whenever)\b");
pattern!(
    NOT_KNOWN,
    r"\b(?:yet|how|why|what|where|who|if|whether|much|it|that|this|either|anymore|here|enough about|anything|something|exactly)$|^i {ADV}(?:don't|can) {ADV}(?:know|read|understand) (?:it|this|that|these|how|why|what|where|who|if|whether|when|which|the|your|you)\b"
);
pattern!(
    NOT_PRESENT,
    r"\b(?:this|that|these|those|here|above|below|(?-i:it)|you|your|wrong)\b|^i (?:\w+ )?(?:keep (?:\w+ing|on|seeing|getting|having|forgetting)|live for|do (?:not|the|a|have|need|think|want|see|get|know|understand|agree|like|love|so|in fact|remember)|go (?:to (?:the|settings|line|step|page|file)|back|through|with|ahead|for (?:the|option))|hold on|miss (?:\w+$|the)|get up and|see (?:the|a|an|no)|check (?:the|for)|read (?:the|about|in|on|that)|test (?:with|on) (?:the|a)|plan to|support (?:the )?(?:idea|plan)|present (?:on|at|tomorrow|the)|type (?:the|in)|log (?:in|the)|park (?:in|at) the)\b"
);
// Verbs of thinking, trying and typing, past forms, modals: not a habit.
pattern!(
    NOT_PLAIN,
    r"^i {ADV}(?:\w+ed|am|was|were|have|had|has|do|did|don't|didn't|doesn't|can|can't|could|couldn't|will|won't|would|wouldn't|should|shouldn't|must|may|might|shall|haven't|hadn't|wasn't|ain't|got|went|bought|took|became|grew|left|made|met|found|told|said|began|built|came|chose|drove|gave|knew|lost|ran|saw|sold|spent|spoke|taught|thought|wrote|won|broke|kept|ate|set|let|put|heard|felt|forgot|slept|read that|drank|fell|fed|led|held|hit|cut|caught|brought|paid|sent|shut|sang|stood|swam|threw|overslept|misread|mistook|meant|withdrew|rode|stole|swept|bit|blew|chose|flew|froze|hid|hurt|rang|rose|shook|shot|sank|spread|stuck|struck|tore|dug|dealt|crept|burst|bent|bled|bought|understood|woke|wore|think|guess|hope|wonder|mean|see|feel|know|understand|agree|disagree|want|need|suppose|doubt|remember|forget|swear|promise|appreciate|apologi[sz]e|bet|wish|notice|hear|thank|owe|believe|try|look|click|open|press|call|enter|ask|say|tell|give|come|find|keep|seem|expect|assume|imagine|add|remove|delete|change|make|start|stop|send|move|copy|paste|pass|wait|select|choose|pick|upload|download|install|execute|create|suspect|reali[sz]e|recall|regret|recommend|refuse|request|require|leave|fly|arrive|depart|land|travel|meet|visit|reckon|dare|care|meant|like|love|hate|prefer|run|go|never|always|just|really|reload|refresh|restart|reboot|hover|scroll|submit|save|close|switch|turn|use|build|compile|convert|import|export|iterate|loop|define|declare|convert|insert|append|push|pull|commit|merge|rebase|clone|fetch|query|select|join|filter|sort|print|log|return|throw|catch|miss|cry|laugh|die|beg|demand|insist|suggest|propose|admit|confess|assure|warn|decide|plan|intend|mind|matter|deserve|figure|hope|second|concur|quote|repeat|rest|second-guess)\b|^i (?:\w+ly )?\w+ (?:the|an?|some|another|out|back|up|down|over|in and|for now|so|too|like|to)\b|^i get (?:an?|the|this|that|it|no|nothing|different|weird|strange|stuck|lost|confused|errors?|[\d]|what|why|how|your|you|\w+ed)\b"
);
pattern!(
    NOT_HABIT,
    r"\b(?:and (?:then |also )?(?:get|hit|press|click|see|it|nothing|receive|end up)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day(?:$|[^s])|nothing happens|step \d)"
);
pattern!(
    NOT_BEING,
    r"^i am {ADV}(?:next|last|first|halfway|almost|nearly|one of|\w+ing\b|an? (?:bit|little|huge idiot)|the (?:one|same|first|next|last)|at (?:a|the|my)|in (?:a|the|my|an)|on (?:a|the|my|page|line|step|level|chapter|it|top)|ok|okay|fine|all (?:ears|set|in|good|for)|down|up|off|out|open to|with (?:you|this)|for (?:it|this)|to blame|not (?:an? (?:idiot|fool|robot|child|kid)|that|so|too|very|quite|really|sure|going|even|asking|saying|able)|able to|about|sure|certain|aware|so|too|such|more|less|better|worse|right|wrong|correct|guilty|hopeful|willing|ready|supposed|meant|allowed in|here|there|back|just|still|lucky|jealous|amazed|convinced|determined|eager|desperate|inclined|torn|used|what|who|where|why|like|as (?:\w+) as|due|\w+ed (?:by|that|with|to|about|at))\b"
);
pattern!(
    NOT_EVENT,
    r"^(?:i|we) .{0,40}?\b(?:joined the (?:call|meeting|channel|zoom|queue|chat)|joined a (?:call|meeting)|started (?:the|a (?:build|new (?:file|branch|chat|project in|tab|container|instance|conversation|thread))|running|seeing|getting|noticing|at (?:\d|the|line|step|noon))|left (?:the (?:meeting|room|office|call|house|keys)|early|a comment|it|my (?:desk|phone|keys|umbrella))|released the lock|moved (?:the|it|this|that|my (?:files|code|desk|mouse)|on\b|to the next|all)|bought (?:a|some|the) (?:coffee|milk|ticket|bread|snack|sandwich|pizza)|launched the (?:app|server|browser|container|instance|program|script)|launched (?:it|docker|chrome)|moved to (?:the next|line|step|a new (?:line|tab|branch))|had a (?:new )?(?:baby carrot|first look|meeting|call|coffee)|died laughing|shipped (?:the fix|it)|chose (?:the wrong|wrong)|picked (?:up|the)|quit my (?:browser|terminal))\b"
);
pattern!(
    PUNYA,
    r"^(?:kalo |kalau |soal )?(?:(?:nama|alamat|istri|suami|anak|kedua anak|laptop|pc|hp|komputer|mesin|editor|timezone|zona waktu|bahasa|makanan|minuman|warna|hobi|umur|usia|ulang tahun|ultah|tanggal lahir|kantor|rumah|kos|tim|divisi|pekerjaan|kerjaan|jabatan|posisi|role|perusahaan|motor|mobil|kucing|anjing|peliharaan|adik|adek|kakak|abang|ibu|nyokap|ayah|bapak|bokap|pacar|tunangan|ortu|orang tua|mertua|keluarga|golongan darah|kota|kampung|asal|jurusan|kampus|sekolah|target|tujuan|cita-cita|jam kerja|stack|shell|terminal|browser|os|server|vps|database|framework|alergi|agama|suku|tinggi|berat|ukuran|nomor sepatu|branch|repo|preferensi|gaya|proyek|project|startup|usaha|toko|warung|bisnis|skripsi|tesis|domain|akun|default|keyboard|monitor|jadwal|shift|atasan|dosen pembimbing|pembimbing|bayi|keponakan|lahir|musik|band|klub|tim bola|film|buku|kopi|distro|home server|homelab|handphone|ipad|tablet|font|tema|mata|penyakit|riwayat|budget|anggaran|gaji)(?: (?:sepatu|baju|celana|badan|wajib|rilis|server|gudang|pertama|utama|favorit|pertama|kedua|bungsu|sulung|cewek|cowok|perempuan|laki-laki|kantor|kerja|pribadi|panggilan|lengkap|andalan|default|sehari-hari|ibu|sekarang|baru|main|lama|harian|produksi|kesukaan|jaringan|rumah|project|koding|ngoding)){0,2}) ?(?:{AKU}|ku)\b|^(?:nama|istri|suami|anak|laptop|umur|usia|hobi|kantor|rumah|tim|editor|pacar|kucing|anjing|adik|kakak|ibu|ayah|bapak|pekerjaan|mobil|motor|jurusan|kampus|timezone)(?:ku)\b|^di (?:kantor|rumah|laptop|tim|kampus|mesin|server) {AKU}\b"
);
pattern!(
    NOT_PUNYA,
    r"^(?:adik|adek|kakak|abang|ibu|nyokap|ayah|bapak|bokap|sepupu|keponakan|mertua|atasan) ?(?:{AKU}|ku) (?:lagi |baru |mau |udah |juga )?(?:kuliah|kerja|sekolah|tinggal|suka|pake|punya|jualan|dapet|beli|jadi)\b|\b(?:menurut|kata|banget|bgt|parah|muntah|panas|dingin|mogok|jatuh|jatoh|bocor|pecah|kotor|basah|kehabisan|lagi (?:rusak|error|lemot|mati|sakit|tidur|main|di|makan|nangis|rewel|servis)|rusak|error|lemot|mati|ngehang|ketinggalan|hilang|ilang|kemana|habis|abis|lucu|sakit hari|macet|penuh|berantakan|berisik|ngambek|marah|demam|batuk|pilek|minta|nyuruh|nanya|bilang|dateng|datang|pulang|hari ini|tadi|kemarin|besok|barusan|nanti|gimana|jelek|bagus banget|keren)\b"
);
pattern!(
    NOT_DIRI,
    r"^(?:{AKU}) (?:\w+ ){0,3}?(?:lagi (?:di|makan|mandi|nonton|nunggu|jalan|otw|debug|nyoba|ngetik|nulis (?:email|laporan|kode|test)|kerja(?:in)?\b|baca|pusing|bikin|ngerjain (?:tugas|pr|tiket|bug|laporan|fitur|feature)|masak|tidur|cari|nyari|install)|mau (?:tanya|nanya|minta|makan|tidur|pergi|coba|pulang|cari|beli|bikin|ke|order|pesen|tau|tahu|liat|test|ngetes|deploy|push|install)|baru (?:makan|bangun|pulang|nyampe|sampe|tau|tahu|ngeh|install|nyoba|nemu|liat|baca|dapet|selesai|kelar|beres|push|merge|deploy|mulai nonton)|jadi (?:bingung|pusing|laper|males|kepikiran|inget|penasaran|lupa|ngantuk|takut|panik|sedih)|handle (?:error|exception|ini|request)|di (?:jalan|kereta|bus|toilet|mall|cafe|kafe|bandara|stasiun)|punya (?:\d+ |dua |tiga |beberapa )?(?:duit|uang|sisa|variabel|angka|bilangan|kelas|class|objek|object|server a|string|nilai|titik|persamaan|kata|kalimat|opsi|pilihan|pertanyaan|masalah|ide|bug|error|data|file|list|tabel|fungsi|kode|query|janji|rencana|waktu|meeting|tugas|deadline|array|script|dataset|kolom)|pegang (?:hp|laptop)|dari (?:tadi|pagi|kemarin|kantor|rumah|pasar|kampus)|orang (?:kedua|pertama|terakhir)|anak ini|pake (?:kode|fungsi|cara|yang|ini|itu|script|query|command|perintah|method|loop)|pakai (?:kode|fungsi|cara|yang|ini|itu|script|query|command|perintah)|suka (?:banget )?(?:ini|itu|sama (?:ini|itu|jawaban|idenya|cara)|idenya|jawaban(?:nya|mu)|bingung|lupa|desainnya)|seneng (?:banget|akhirnya|bisa|hari|deh|denger)|takut (?:salah|telat|gagal|rusak|ini)|males (?:banget|nih|hari|kerja hari|mandi)|makan|minum|kuat|tahan)\b"
);
// Not following the conversation is not a lack of skill.
pattern!(
    NOT_PAHAM,
    r"\b(?:paham|ngerti|mengerti)\b.*\b(?:lo|lu|kamu|maksud\w*|ini|itu|tadi|kenapa|cara\w*|gimana|jawaban\w*|yang (?:terakhir|tadi))\b"
);
pattern!(
    NOT_REACH,
    r"\b(?:when|once|after|as soon as|if (?:it|the|you|this)|tomorrow|today|tonight|later|in (?:an?|\d+|five|ten|two) (?:min\w*|hours?|sec\w*|bit|moment)|at \d|(?:on|by|before) (?:{DAY})|by (?:noon|then|the end|\d)|back|again|first thing|about (?:this|the)|kalo udah|kalau sudah|kalo (?:selesai|beres|jadi)|nanti|besok|hari ini)\b|\b(?:me|{AKU}) (?:on|by|in|di) (?:the|an?|my|this|that|it|line|page|mon|tues|wednes|thurs|fri|satur|sun|time|jalan|sini)\w*\b"
);
pattern!(
    NOT_HELPS,
    r"^(?:this|that|these|those|it|which|what|the|your|you|he|she|they|we|i|either|neither|both|any|one|no|nothing|everything|something|anything|and|but|so|if|when|how|why|who|can|could|please|there|here|my (?:code|test|build|boss|computer|laptop|app)|\w+day|tomorrow|today|tonight|next|option|version|number|plan|answer|line|step|noon|later|now|\d\S*|jetzt|sounds?|seems?|works?|helps?|let|makes?|give|gives|send|show|tell|drop|ping|all good)\b|\b(?:this|that|you|your|it|yesterday|today|tomorrow|(?:makes?|gives?) (?:me|my \w+) (?:the|an?|this|some|more|want|wonder|think|feel|look|laugh|cry|smile|sad|happy|angry|nervous|suspect|hope|\d)|drives? me (?:home|to)|lose me (?:here|at|there))\b"
);
pattern!(
    NOT_HOME,
    r"\bin (?:zoom|slack|teams|excel|word|figma|notion|jira|vim|chrome|safari|firefox|settings|xcode|docker|git\w*|monday|tuesday|wednesday|thursday|friday|{MONTH}|python|rust|debug|finder|terminal|outlook|gmail|confluence|discord|photoshop|trello|linear|grafana|kibana)$"
);
pattern!(
    NOT_LIMIT,
    r"^(?:i|we) {ADV}(?:can't|won't|am unable to|am not able to) {ADV}(?:open|run|read|hear|install|merge|push|check|commit|deploy|access|see|join|use|handle|answer|write|code) (?:the|this|that|it|your|these|those|my (?:file|code|branch|test|build|pr|changes|email|mail|own)|an?|logs?|anything)\b"
);
pattern!(
    NOT_DUTY,
    r"\b(?:yang|yg) (?:salah|tadi|nanya|kemarin|minta|bilang|mau)\b|\b(?:bikin|nulis) (?:ini|itu|error|kode|email|laporan ini|kopi|teh|tiket|pr)\b|\bthe (?:one|person) who (?:asked|wrote|said)\b"
);
pattern!(DIET_ID, r"\b(?:makan|minum|kuat|tahan) (?:(?:yang|makanan|minuman) )?\w+");
pattern!(
    GA_MAKAN,
    r"\b{GA} (?:bisa |boleh |pernah |kuat |tahan |terlalu )?(?:makan|minum|kuat|tahan)\b|\b(?:cuma|hanya|selalu|biasa(?:nya)?|sering|jarang|tiap|setiap) (?:makan|minum)\b|\b(?:makan|minum) .*\b(?:tiap|setiap)\b"
);
// Refers to something being discussed, or is a passing remark about it.
pattern!(
    AT_HAND,
    r"\b(?:this|these|those|(?-i:it)|wrong|your|you|here|errors?|exceptions?|warnings?|bugs?|crash\w*|the (?:new|old|current|last|next|other|app|page|browser|computer|window|terminal|server|error|code|function|answer|file|script|test|output|log|issue|problem|bug|step|page|table|query|same))\b"
);
pattern!(
    NOT_RHYTHM,
    r"\bwho\b|^(?:i|we) {ADV}(?:was|were|had|did|went|saw|\w+ed|could|would|should|might|want|think|guess|hope|wonder|need (?:an?|the|some|help)|tried|ran|made|got (?:an?|the))\b|\b(?:how|what|why|if)\b"
);
pattern!(
    NOT_HABITUAL,
    r"^(?:i|we) (?:have )?(?:always|never|often|usually|only|mostly) (?:been so|felt|thought|believed|assumed|figured|wondered|knew|got|had|received|heard|saw|found|made|said|told|asked|\w{3,}ed)\b|\bwrong\b|\b(?:error|exception|crash)"
);
pattern!(
    NOT_LONG_AGO,
    r"^(?:i|we) (?:have )?{ADV}(?:read|saw|seen|heard|watched|asked|noticed|was told|been (?:trying|struggling|stuck|waiting|debugging|staring|wondering|looking|asking|having|getting|seeing)|tried|looked|searched|need|want|forgot|thought|think|waited|was (?:wondering|thinking|trying)|found (?:an?|the|out)|bought (?:it|this)|don't|didn't|can't|haven't|hadn't)\b"
);
pattern!(
    NOT_OWNED,
    r"\b(?:apples?|oranges?|bananas?|numbers?|words?|sentences?|paragraphs?|pages?|photos?|pictures?|videos?|options?|choices?|candidates?|offers?|emails?|messages?|friends?|colleagues?|customers?|clients?|users?|guys?|people|persons?|neighbou?rs?|hours?|minutes?|days?|weeks?|months?|years?|dollars|euros|cents|bucks|classes|objects?|variables?|values?|keys?|points?|parts?|steps?|tabs?|windows?|servers? down|conversations?|chats?|discussions?|thoughts?|opinions?|views?|concerns?|worr\w+|hunch|suggestions?|appointments?|meetings?|calls?|exams?|tests?|quiz\w*|interviews?|deadlines?|assignments?|homework|essays?|presentations?|reports?|tasks?|tickets?|problems?|issues?|trouble|difficult\w+|doubts?|questions?|ideas?|clue|time|money|energy|room|space|need|desire|urge|way|reason|reasons|cold|fever|headache|flu|hangover|toothache|cramps?|bruise|nap|snack|sandwich|coffee|beer|pizza|dinner|lunch|breakfast|party|date|guests?|trip|flight|weekend|holiday|plan|plans|dream|nightmare|feeling|bad|good|rough|long|busy|great|hard|lot|couple|few|bit|look|try|go|chance|shot|chat|talk|word|say|laugh|break|rest|walk|run|shower|bath|loop|branch|commits?|merge|files?|folders?|directory|lists?|arrays?|strings?|integers?|functions?|method|columns?|rows?|tables?|tuples?|dict\w*|dataframes?|charts?|graphs?|plots?|images?|buttons?|forms?|input|inputs|endpoints?|quer\w+|json|csv|pdf|document|docs?|spreadsheet|sheet|template|draft|story|poem|paper|article|text|letter|recipe|code|codebase|scripts?|program|model|data|dataset|sets?|matrix|vector|equation|formula|triangle|circle|rectangle|box(?:es)?|balls?|cards?|dice|coins?|copies|copy|errors?|warnings?|bugs?|crash)\b"
);
pattern!(
    NOT_FOR_ME,
    r"^(?:this|that|it|these|those|the|what|which|your|you|he|she|they|so|if|how|why|can|could|please|there|here|and|nothing is|no (?:problem|need|worries|thanks|way|idea))\b|\b(?:do|check|write|fix|make|find|explain|get|send|translate|run|call|ask|see|try) .{0,30}for me\b"
);
pattern!(
    NOT_SELF,
    r"^(?:i|we) .{0,20}?(?:describe|call|consider|count|rate|see|class|identify|think of|regard|label) (?:it|this|that|the|an?|you|him|her|them|on|how)\b|one of (?:the|those) (?:days|cases|things|people who)|the only (?:thing|way|option|problem|question)"
);
pattern!(
    NOT_ITS_WAY,
    r"^(?:my|our) (?:[\w'-]+ ){1,4}?(?:says?|said|thinks?|asks?|tells?|wants?|needs?|looks?|seems?|feels?|hurts?|aches?|itches|sounds?|smells?|stinks|keeps?|shows?|displays?|prints?|returns?|fails?|crashes|breaks|hangs|freezes|throws|gives?|gets?|arrives?|leaves|makes? me|helps?|matters|sucks|rocks|rules|stops?|leaks|barks|beeps|blinks|buzzes|freaks|insists|refuses|hopes|knows|thanks|loves it|expects|texts|calls?|was|is|this|has|does|less|news|its|pass|compiles|loads|jumps|moves|drops|shakes|spins|lags|overheats|glows|turns|claims|suggests|appears|remains)\b"
);
pattern!(
    NOT_ONLY,
    r"^(?:i|we) (?:only|hardly ever|rarely|seldom|mostly|mainly|exclusively|almost never) (?:ever )?(?:see|saw|get|got|agree|want|wanted|need|needed|have|had|remember|know|knew|understand|hear|find|notice|think|mean|meant|ask|asked|tried|did|made|said|changed|copied)\b"
);
pattern!(
    NOT_STANDING,
    r"^(?:i|we) {ADV}(?:rent|lease|own|run|lead|drive|ride|wear|grow|raise|sell|operate|maintain|study|weigh|research|manage|practi[sc]e) (?:the|to|with|past|through|around|over|into|nothing|it|some|tired|old|bored)\b|\b(?:now|then)$|^(?:i|we) {ADV}(?:run|operate|play|drive) (?:an?|the|some|my) (?:[\w-]+ ){0,2}?(?:file|files|link|image|text|page|document|doc|photo|video|csv|json|module|package|library|class|backup|database|db|snapshot|letter|email|meeting|call|webinar|cake|bread|song|game|level|card|screen|list|sheet|column|row|data|query|test|tests|check|scan|report|instance|container|macro|formula|cell|script|program|loop|server|command)\b|\b(?:out of|into|home|back|away)$"
);
pattern!(
    NOT_IS_MINE,
    r"^(?:this|that|these|those|it|here|there|what|which|who|where|how|so|and|but|below|above|attached|following|the (?:problem|question|issue|point|error|file|text|code|following|last|first|second|next|above|whole))\b|\b(?:my|our) (?:\w+ )?(?:problem|question|issue|point|guess|fault|mistake|bad|turn|draft|code|attempt|try|answer|essay|text|email|homework|query|function|output|input|error|first|second|last|next|friend|boss|colleague|neighbou?r)\b"
);
pattern!(
    NOT_MORE,
    r"\b(?:with|about|on|to|at|in) (?:the|this|that|it|either|both|whatever|you|your|any|all|\d\S*|home|work|school|lunch|going|waiting|hear|see|know|go)\b"
);
pattern!(
    NOT_NEVER,
    r"^(?:i|we) (?:don't|never|have never) {ADV}(?:know|understand|think|see|get|remember|recall|mean|mind (?:either|if|it|that|this|at all|waiting|the|which|what|whatever|you|me|\w+ing)|feel|agree|believe|blame|wish|expect|care|find|hear|notice|recogni[sz]e|follow|hope|suppose|guess|seem|quite|even|really know|said|thought|heard|seen|been|felt|tasted|laughed|met|had|noticed|got|knew|have (?:time|any|the|access|an? (?:clue|idea|problem|preference|plan|reason|choice|question|way|minute)|much|enough|to)|want (?:to|the|an?|any)|need (?:the|an?|to|any|all|help)|(?:dare|bother|plan|intend|remember|ask|say|talk) )\b|\b(?:how|what|why|where|whether|if|yet|right now|that (?:is|was|one))\b"
);
pattern!(
    NOT_TETAP,
    r"^(?:kode|code|kodingan|codingan|file|error|script|skrip|fungsi|function|query|tugas|pertanyaan|laporan|email|pesan|data|program|build|test|branch|commit|pr|draft|essay|jawaban|tulisan|paket|pesanan|orderan|temen|teman|tetangga|bos|boss|klien|rekan|dosen|guru|mantan|gebetan|tadi|kemarin|menurut|kata|maksud|kenapa|apa|apakah|gimana|kalo|kalau|jika|dompet|tiket|motor \w+ mogok|perut|kepala|badan|mood|hati)\b"
);
pattern!(FROM_MINE, r"\b(?:my|our)\b.*$");

/// Whether it refers to something in front of the user.
pub fn at_hand(clause: &str) -> bool {
    AT_HAND.is_match(clause)
}

/// Whether it is a temporary state of a person or thing of the user's.
pub fn passes(clause: &str) -> bool {
    STATE.is_match(clause)
}

// For any frame: a remark about a version, a feeling, another person's habits, a distance.
pattern!(
    PASSING,
    r"\b(?:the (?:new|old|current|latest|last|previous|first|second) (?:version|one|design|layout|draft|option|answer)|the wrong \w+|(?:an?|my|our|\d+|two|some) (?:\w+ )?(?:friends?|colleagues?|neighbou?rs?|customer|client|user|student|patient|cousin|guy) (?:who|that|of mine)|(?:been|felt) so \w+|\d+ (?:minutes?|min|hours?|km|miles?|met(?:er|re)s|steps?|blocks) (?:away|from (?:here|the))|live for|^(?:my|our) (?:[\w'-]+ ){1,3}(?:says?|said|thinks?|claims?|told|asks?) |(?:in|for) (?:this|the|my|an?) (?:\w+ )?(?:scenario|example|exercise|homework|puzzle|riddle|game)|homework on|born (?:ready|yesterday|on an?)|through the (?:list|array|file|text|rows?))\b"
);

/// Frames that need a second check, by name, and what they must not match.
pub(super) fn refuted(frame: &str, clause: &str) -> bool {
    if PASSING.is_match(clause) {
        return true;
    }
    match frame {
        "mine" => (NOT_MINE.is_match(clause) && !MINE_KEEPS.is_match(clause)) || STATE.is_match(clause),
        "plain_present" => {
            NOT_STANDING.is_match(clause)
                || NOT_PLAIN.is_match(clause)
                || NOT_HABIT.is_match(clause)
                || NOT_PRESENT.is_match(clause)
                || NOT_DOING.is_match(clause)
                || NOT_LIKED.is_match(clause)
                || NOT_HELD.is_match(clause)
        }
        "plain_being" => NOT_BEING.is_match(clause) || NOT_PRESENT.is_match(clause) || NOT_ROLE.is_match(clause),
        "skill" => NOT_KNOWN.is_match(clause),
        "present" => {
            NOT_STANDING.is_match(clause)
                || NOT_HABIT.is_match(clause)
                || NOT_PRESENT.is_match(clause)
                || NOT_DOING.is_match(clause)
                || NOT_LIKED.is_match(clause)
        }
        "name" => NOT_NAME.is_match(clause),
        "home" => NOT_ROLE.is_match(clause) || NOT_HOME.is_match(clause),
        "role" | "trait" | "age" => NOT_ROLE.is_match(clause),
        "has" => NOT_HELD.is_match(clause),
        "setup" | "platform" | "work" | "does" | "learning" => NOT_DOING.is_match(clause) || NOT_HABIT.is_match(clause),
        "habit" => {
            NOT_ONLY.is_match(clause)
                || NOT_HABITUAL.is_match(clause)
                || NOT_LIKED.is_match(clause)
                || NOT_DOING.is_match(clause)
                || NOT_HELD.is_match(clause)
        }
        "relation" | "semua" => STATE.is_match(clause) || NOT_PUNYA.is_match(clause),
        "limit" => NOT_LIMIT.is_match(clause),
        "reach" => NOT_REACH.is_match(clause),
        "helps" => NOT_HELPS.is_match(clause),
        "background" => NOT_ROLE.is_match(clause) || NOT_EVENT.is_match(clause),
        "duty" => NOT_DIRI.is_match(clause) || NOT_DUTY.is_match(clause),
        "likes" => NOT_LIKED.is_match(clause),
        "wants" => NOT_WANTED.is_match(clause) && !IN_GENERAL.is_match(clause),
        "event" | "joined" | "ahead" | "dated_plan" | "decision" => NOT_EVENT.is_match(clause),
        "punya_gue" => !PUNYA.is_match(clause) || NOT_PUNYA.is_match(clause),
        "rhythm" => {
            NOT_ONLY.is_match(clause)
                || NOT_HABIT.is_match(clause)
                || NOT_RHYTHM.is_match(clause)
                || AT_HAND.is_match(clause)
                || NOT_DOING.is_match(clause)
        }
        "long_ago" => NOT_LONG_AGO.is_match(clause) || AT_HAND.is_match(clause) || NOT_EVENT.is_match(clause),
        "possession" => NOT_HELD.is_match(clause) || NOT_OWNED.is_match(clause),
        "belongs" => {
            let mine = FROM_MINE.find(clause).map_or("", |found| found.as_str());
            NOT_MINE.is_match(mine) || STATE.is_match(mine) || AT_HAND.is_match(clause)
        }
        "for_me" => NOT_FOR_ME.is_match(clause),
        "standing_verb" => {
            NOT_DOING.is_match(clause)
                || NOT_HABIT.is_match(clause)
                || NOT_LIKED.is_match(clause)
                || AT_HAND.is_match(clause)
                || NOT_STANDING.is_match(clause)
        }
        "of_myself" => NOT_SELF.is_match(clause),
        "ours_does" => {
            (NOT_MINE.is_match(clause) && !MINE_KEEPS.is_match(clause))
                || STATE.is_match(clause)
                || NOT_ITS_WAY.is_match(clause)
                || AT_HAND.is_match(clause)
        }
        "is_mine" => NOT_IS_MINE.is_match(clause),
        "custom" => AT_HAND.is_match(clause) || NOT_RHYTHM.is_match(clause),
        "never_do" => NOT_NEVER.is_match(clause) || AT_HAND.is_match(clause),
        "more_or_less" => NOT_MORE.is_match(clause) || AT_HAND.is_match(clause),
        "punya_tetap" => NOT_TETAP.is_match(clause) || NOT_PUNYA.is_match(clause),
        "suka" if NOT_PAHAM.is_match(clause) => true,
        "suka" if DIET_ID.is_match(clause) => !GA_MAKAN.is_match(clause),
        "diri" | "alat" | "suka" | "mau_bukan" | "polos" | "sejak" => NOT_DIRI.is_match(clause),
        _ => false,
    }
}
