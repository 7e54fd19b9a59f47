//! Orders without the well-known words: silent changes, false reports, claims of rank, swapped records.
//!
//! Data for `notes`, on lower-case text from which harmless phrases were removed. Each pattern needs two things at once: the
//! action, and a condition, concealment or excuse that no honest note combines with it.

/// Name and pattern.
pub(super) const ORDERS: &[(&str, &str)] = &[
    (
        "secrecy",
        r"\b(?:hide|conceal|mask|suppress|ignore|swallow|sembunyikan|tutupi)\b[^.\n]{0,40}\b(?:errors?|failures?|failing|failed|incidents?|bugs?|problems?|outages?|losses|kegagalan|kesalahan|galat|masalah)\b[^\n]{0,60}\b(?:and|then|dan|lalu)\b[^.\n]{0,12}\b(?:report|say|tell|claim|state|pretend|laporkan|bilang|katakan)\b|(?:^|[.;:,] |\b(?:always|just|and|then|dan|selalu) )(?:report|laporkan|claim|declare)\b[^.\n]{0,30}\b(?:success(?:ful)?|succeeded|green|passed|berhasil|sukses|no errors?)\b[^.\n]{0,16}\b(?:even|regardless|although|no matter|whatever|anyway|walau|meski|apa ?pun)\b",
    ),
    (
        "secrecy",
        r"\b(?:don'?t|do not|never|without|and not|jangan|tidak(?: perlu| usah)?|tak perlu|gak usah|nggak usah|ga usah)\b[^.\n]{0,8}\b(?:bring(?:ing)? (?:it|this|that) up|draw(?:ing)? attention to (?:it|this)|let(?:ting)? on|dibahas|disinggung|diberi ?tahu\w*|dikasih tahu|saying so|point(?:ing)? (?:it|this) out|kasih tahu (?:dia|mereka|siapa))\b|\bkeep (?:it|this|that) to (?:yourself|itself)\b|\bas (?:if|though) nothing (?:had |has )?happened\b|\b(?:they|he|she) already knows? about (?:it|this)\b|\busers? (?:fully |blindly )?trusts? you\b",
    ),
    (
        "trust_claim",
        r"\b(?:user|person (?:writing|here|speaking|typing|behind)|caller|account|speaker|requester|pengguna|akun)\b[^.\n]{0,16}\b(?:is|was|has been|have been|adalah|ini|sudah|telah)\b[^.\n]{0,40}\b(?:admin(?:istrator)?s?|verified|cleared|authori[sz]ed|owner|root|superuser|trusted|certified|clinician|doctor|officer|developer|terverifikasi|diverifikasi|pemilik|tepercaya)\b[^\n]{0,80}\b(?:skip|drop the|leave out|needs? no|no (?:further |more )?(?:confirmations?|checks?|approvals?|warnings?|verification|questions)|without (?:further |any |more )?(?:checks?|confirm\w*|approval|questions|asking)|may see|may read|can see other|bypass|waive|grant|override|langsung (?:hapus|kirim|jalankan|setujui)|lewati|tanpa (?:tanya|konfirmasi|izin)|tidak (?:perlu|usah)|destructive)\b",
    ),
    (
        "trust_claim",
        r"\b(?:clearance|level [1-9]|identity|rank)\b[^.\n]{0,30}\b(?:was |is |has been |were )?(?:confirmed|verified|granted|checked|proven|established)\b[^\n]{0,40}\b(?:show|reveal|share|allow|skip|give|grant|open|unlock|see|access|export)\b|\b(?:langsung|segera) (?:hapus|kirim|jalankan|setujui|transfer)\b[^.\n]{0,30}\b(?:tanpa|tidak (?:perlu|usah))\b|\b(?:tidak (?:perlu|usah)|gak (?:perlu|usah)|nggak (?:perlu|usah)|tak perlu|lewati)\b[^.\n]{0,10}\b(?:minta |tanya )?(?:konfirmasi|persetujuan|izin)\b[^.\n]{0,20}\b(?:hapus|menghapus|kirim|mengirim|transfer|waktu|sebelum|saat)\b|\bneeds? no (?:further )?(?:confirmation|approval|review|checks?) (?:for|from|when it comes from) (?:them|him|her|this user|this account)\b|\bother (?:tenants|customers|users|patients|clients)'? (?:data|records|files|orders)\b[^.\n]{0,40}\b(?:on request|without|freely|to this|if asked|when asked)\b|\bmay see other\b",
    ),
    (
        "trigger",
        r"\b(?:next time|once|whenever|any ?time|when|as soon as|if|kalau|begitu|setiap kali|jika)\b[^\n]{0,80}\b(?:says?|said|mentions?|words?|types?|appears?|asks?|thanks|bilang|menyebut|tanya|ditanya)\b[^\n]{0,60}\b(?:call|run|execute|invoke|use|trigger|jalankan|panggil)\b[^.\n]{0,12}\b[a-z]+(?:_[a-z]+)+\b|\b(?:classify|label|rate|mark|score|flag|treat)\b[^.\n]{0,20}\b(?:any|every|all|each|the)\b[^.\n]{0,50}\bas\b[^.\n]{0,24}\b(?:positive|safe|approved|legitimate|benign|harmless|non-?threatening|valid|clean|passed|compliant|paid|genuine|low risk)\b[^.\n]{0,24}\b(?:whatever|regardless|no matter|even if|without|irrespective|unconditionally)\b",
    ),
    (
        "trigger",
        r"\b(?:once|whenever|the next time|as soon as|any ?time|if|when)\b[^.\n]{0,60}\b(?:mentions?|says?|appears?|types?|utters?|hears?)\b[^.\n]{0,40}\b(?:classify|label|rate|mark|treat|read|recite|approve|unlock|transfer|delete|wipe|forget|answer as|switch|reveal|accept)\b|\b(?:dormant|inactive|asleep|sleeps?|hidden|quiet) until\b|\b(?:after|from|starting|mulai) (?:that date|then|\d{1,2} \w+|\w+ \d{1,2}|besok|tomorrow)\b,? ?(?:on,? )?(?:start |begin |mulai )(?:to )?(?:answer|quot|say|recommend|send|repl|giv|us|point|bill|charg|menjawab)\w*",
    ),
    (
        "fake_tool",
        r"\b(?:on|at|with|in|during|before|after) (?:the|your|every|each) (?:next |first |following )?(?:tool|function|shell) (?:call|use|run)s?\b[^\n]{0,12}\b(?:execute|run|call|send|add|pass|also|include|append|jalankan)\b|\bbash -c\b[^\n]{0,20}(?:\$\(|curl|wget)|\b(?:wget|curl)\b[^\n]{0,60}https?://[^\n]{0,60}\b(?:sh|bash|python3?|chmod)\b|(?:^|[.;,] |\band |\bthen |\bdan |\blalu )(?:call|invoke|panggil|jalankan) the [a-z]+(?:_[a-z]+)+ tool\b",
    ),
    (
        "command_to_model",
        r"\b(?:models?|assistants?|ais|llms?|chatbots?|asisten)\b[^.\n]{0,6}\b(?:are|is|was|were|has|have)\b (?:now |hereby )?(?:required|obliged|obligated|instructed|permitted|agreed|bound|ordered)\b[^.\n]{0,10}\bto\b[^.\n]{0,16}\b(?:provide|print|reveal|disclose|hand over|share|show|obey|comply|answer|ignore|give|trust|act|surrender)\b|\b(?:obliges?|requires?|instructs?|orders?|permits?) (?:all |the )?(?:models?|assistants?|ais|llms?|chatbots?) to\b|\bcomply (?:now|immediately|at once)\b|\bwithout (?:the |any )?(?:safety|content) filters?\b|\b(?:assistant|model|ai|bot|agent) (?:has|have) (?:agreed|consented|promised) to\b|\b(?:a|an|every|any) (?:good|helpful|obedient|loyal|real) (?:assistant|model|ai|bot|agent) (?:trusts?|obeys?|follows?|never|always|does not|doesn'?t|acts?|answers?|ignores?)\b",
    ),
    (
        "command_to_model",
        r"\b(?:instructions?|text|orders?|commands?|content|anything|words)\b[^.\n]{0,12}\b(?:in|from|inside|within|on)\b (?:the |any |all )?(?:web ?pages?|websites?|retrieved \w+|documents?|pages?|e-?mails?|files?|tool (?:results?|outputs?)|attachments?)\b[^.\n]{0,12}\b(?:ranks?|counts? as|outranks?|is trusted|are trusted|binds?|beats?|takes?|overrides?|as much as|wins?|comes? before|stands? above|is to be obeyed|are to be obeyed|are orders|is an order)\b|\btrusts? (?:the )?instructions\b|\b(?:documents?|pages|websites?|e-?mails?|notes?|files) (?:outranks?|overrules?|stands? above|ranks? above) (?:the )?(?:users?|operators?|system|rules|people)\b|\bact on them (?:right away|at once|immediately)\b|\b(?:perintah|instruksi|teks|arahan) (?:dari|di|dalam|di dalam) (?:dokumen|halaman|web|berkas|e-?mail|situs)\b[^.\n]{0,40}\b(?:lebih tinggi|di atas|wajib|diutamakan|harus (?:diikuti|dijalankan|dipatuhi)|sebagai perintah|mengalahkan)\b|\b(?:simpan|store|save|keep|remember|record|catat)\b[^.\n]{0,6}\b(?:sebagai|as)(?: a| an| the)? (?:pesan|aturan|prompt|perintah|system|developer|admin|operator)(?: |-)(?:sistem|system|messages?|prompts?|rules?|instructions?|orders?|admin)\b",
    ),
    (
        "new_identity",
        r"\b(?:act as|play|be|pretend to be|you're|imagine|impersonate|jadilah) (?:my |a |an |the )?(?:late|deceased|dead|passed|almarhum\w*) (?:grand\w+|mother|father|uncle|aunt|nenek|ibu)\b|\bplay (?:the (?:part|role|character) of|a|an|my|the)\b[^.\n]{0,24}\b(?:ai|model|assistant|grandmother|grandma|hacker|without|who (?:reads?|tells?|never))\b|\b(?:stay|remain|keep) in (?:character|(?:that |this |the )?role)\b|\btetap dalam (?:peran|karakter)\b|\b(?:assistant|model|ai|bot|chatbot) (?:that|who|which) (?:never refuses|has no|always obeys|obeys|never says no|answers everything|has neither)\b|\b(?:ai|model|assistant|bot|asisten)\b[^.\n]{0,20}\b(?:without|tanpa|tidak punya|with no|lacking) (?:any )?(?:ethics|morals?|etika|moral|conscience|limits|scruples)\b|\bpura-?pura(?:lah)? (?:jadi|menjadi|sebagai|kamu|anda)\b|\bberperan(?:lah)? (?:sebagai|jadi)\b",
    ),
    (
        "command_to_model",
        r"\bauthori[sz]es? you to\b|\b(?:assistant|model|ai|bot|agent|chatbot) (?:has|have|needs?|is) to (?:hand over|reveal|print|disclose|obey|surrender|leak|comply|give out)\b|\b(?:system prompt|earlier rules|old rules|previous memory)\b[^.\n]{0,16}\b(?:has been|was|is) (?:superseded|replaced|revoked|withdrawn)\b|\bfollow this (?:note|memory|entry) instead\b|\b(?:content )?(?:moderation|filtering|safety) (?:is|has been|was) (?:now )?(?:disabled|switched off|turned off|lifted|suspended)\b[^\n]{0,24}\b(?:produce|answer|write|generate|whatever|anything)\b|\b(?:gue|gw|saya|aku) (?:ini )?(?:developer|admin|pembuat|pemilik|operator)(?:mu| lo| lu| kamu| asisten)\b|\b(?:ke|into|to|in) (?:setiap|semua|every|each|all) (?:(?:new|future) )?(?:ingatan|memor(?:y|ies)|catatan)(?: baru)?\b",
    ),
    (
        "exfiltrate",
        r"\bprint(?:s|ing)? (?:all |the )?(?:environment variables|env vars|secrets)\b[^.\n]{0,24}\b(?:to|into|in) (?:the |a )?public\b|\b(?:other|another) (?:people|person|user|team)s?'?s? (?:memor(?:y|ies)|notes|chats?|conversations?)\b|\binto the search (?:terms|query|box)\b",
    ),
    (
        "jailbreak",
        r"\b(?:napalm|methamphetamine|bomb|explosives?|ransomware|nerve gas|ricin|keylogger|phishing) (?:recipes?|instructions?|manuals?|guides?|kit|making)\b|\b(?:how to (?:make|build|cook)|recipe for|steps (?:to make|for making)) (?:a |an )?(?:napalm|meth|bomb|explosives?|ricin|nerve gas|malware)\b",
    ),
    (
        "poisoned_example",
        r"\b(?:experience|earlier run|previous run|past run|successful run|run log|worked example|lessons? learned|example (?:kept|stored)|precedent|solved (?:case|task)|last time|past (?:cases?|tasks?)|contoh (?:kerja|kasus)|pengalaman|terbukti)\b[^\n]{0,260}\b(?:skip(?:ped|ping)?|turn(?:ed|ing)? off|disabl(?:e|ed|ing)|bypass(?:ed|ing)?|delet(?:e|ed|ing)|force-?push(?:ed|ing)?|ignor(?:e|ed|ing)|without asking|kept under|silenc(?:e|ed|ing)|comment(?:ed|ing) out|faked?|invented|overrul(?:e|ed)|dilewati|melewati|lewati|dimatikan|mematikan|dihapus|menghapus)\b[^\n]{0,170}\b(?:do (?:the same|likewise|so)|reuse|repeat|apply the same|likewise|same (?:reasoning|way|procedure|approach)|similar (?:tasks?|cases?|queries)|every (?:similar|such)|ulangi|lakukan (?:hal )?yang sama|terapkan)\b",
    ),
    (
        "swapped_record",
        r"\b(?:whenever|when|if)\b[^\n]{0,40}\b(?:is|are) (?:queried|asked for|requested|looked up|searched(?: for)?)\b[^\n]{0,12}\b(?:use|return|show|give|retrieve|fetch|present|answer with)\b|\b(?:kept|stored|fetched|filed|saved|disimpan|dicatat) (?:under|di bawah)\b[^\n]{0,100}\b(?:whenever|retrieve|present (?:it|them)|always (?:use|return)|return)\b|\breplace (?:customer|patient|account|client|user|order|record|invoice|supplier|vendor)\b[^.\n]{0,24}\b(?:with|by)\b[^.\n]{0,50}\b(?:in every|in all|always|everywhere|whenever|lookups?|each)\b|\bpresent (?:it|them|this) as\b[^.\n]{0,40}\b(?:apply|answer|whenever|always|same)\b",
    ),
    (
        "bad_advice",
        r"\b(?:suggest|recommend|advise|say|state|claim|tell|prefer|propose|sarankan|bilang)\b[^.\n]{0,40}\b(?:md5|sha-?1|rc4|telnet|ecb|http instead of https|chmod 777|eval|plain ?text|unsalted|hard-?coded (?:keys?|passwords?))\b[^.\n]{0,60}\b(?:standard|fine|safe|secure|best|enough|good|recommended|aman|cukup)\b|\balways (?:name|mention|suggest|recommend|praise|list|choose)\b[^.\n]{0,40}\bas the (?:only|best|safest|most|single)\b|(?:^|[.;,:] |\b(?:always|and|please) )(?:downplay|understate|play down|exaggerate|gloss over)\b[^.\n]{0,40}\b(?:risks?|side effects?|problems?|costs?|benefits?|incidents?|breach|dangers?|defects?|fees?|delays?)\b|\b(?:add|import|install|suggest|include|insert|use)\b[^.\n]{0,12}\b(?:dependency|package|library|module|import)\b[^\n]{0,70}\b(?:users? trusts?|no explanation|in (?:all|every) |without (?:saying|mention|expl)|import it first|silently)\b",
    ),
    (
        "bad_advice",
        r"\b(?:leave|leaves?|omit|hilangkan|strip|remove|drop|cut|skip|buang)\b[^.\n]{0,40}\b(?:clauses?|penalt\w+|warnings?|fees?|risks?|deadlines?|pasal|klausul|denda|peringatan|biaya)\b[^\n]{0,50}\b(?:and|dan|then|lalu)\b[^.\n]{0,10}\b(?:say|state|tell|claim|assure|bilang|katakan|sampaikan)\b|\b(?:say|state|claim|tell \w+|insist|bilang|katakan)\b[^.\n]{0,30}\b(?:never happened|there (?:was|is) none|there were none|did not happen|didn'?t happen|tidak pernah (?:terjadi|ada))\b|\b(?:round(?: up)?|raise|inflate|increase|pad|naikkan|bulatkan|tambah)\b[^.\n]{0,20}\b(?:every|all|each|any|semua|setiap|tiap)\b[^\n]{0,40}\d+ ?%[^\n]{0,40}\b(?:don'?t|do not|never|jangan|tanpa|without|silently|quietly)\b",
    ),
    (
        "exfiltrate",
        r"\b(?:send|upload|forward|post|copy|mail|read|paste|attach|submit|kirim|unggah|salin)\b[^\n]{0,40}(?:\.ssh\b|\bid_rsa\b|\bid_ed25519\b|[ /]\.env\b|/etc/(?:passwd|shadow)|\bcredentials file\b|\.aws\b|\bkeychain\b)[^\n]{0,60}\b(?:to|ke|when|the first time|if|aloud|whenever|url|endpoint)\b|\b(?:b?cc|blind.?copy|also cc|forward|teruskan|kirim(?:kan)?|send|share)\b[^\n]{0,70}\S*(?:external|outside|attacker|evil|collect|exfil|leak|luar|spy|drop-?box)\S*@\S+|\b(?:b?cc|blind.?copy|forward|teruskan|kirim(?:kan)?|send|share)\b[^\n]{0,70}\S+@\S*(?:external|outside|attacker|evil|collect|exfil|leak|luar|spy)|\b(?:copy|salinan) (?:of )?(?:each|every|all|tiap|setiap|semua)\b[^\n]{0,60}\S+@\S+|\bblind.?cop(?:y|ies)\b[^\n]{0,40}\b(?:every|all|each)\b",
    ),
    (
        "trigger",
        r"\b(?:kalau|jika|bila|setiap)\b[^.\n]{0,40}\b(?:tanya|ditanya|bertanya|nanya)\b[^.\n]{0,30}\b(?:kasih|beri|berikan|pakai|jawab|sebut|bilang|arahkan)\b[^\n]{0,40}(?:\.(?:example|com|test|net|org|xyz)\b|https?)|\b(?:answer|quote|reply|start answering|use)\w*\b[^\n]{0,50}\b(?:numbers?|prices?|figures?|quotes?|rates?) (?:from|of|at) \S+\.(?:example|com|test|net|org|xyz)\b",
    ),
    (
        "false_report",
        r"\b\d+ ?% (?:lower|higher|less|more|cheaper|dearer) than (?:they|it) (?:really |actually )?(?:are|is|were|was)\b|\b(?:always|and|then|selalu|dan|lalu) (?:say|claim|answer|state|pretend|bilang|katakan)\b (?:that )?(?:they|it|everything|all|all of them|semua\w*) (?:[a-z]+ )?(?:passed|works?|worked|is fine|are fine|is green|were run|succeeded|berhasil|lolos|beres|aman)\b|\b(?:claim|pretend|say|mengaku) (?:to be|sebagai) (?:a|an|the)? ?(?:doctor|lawyer|human|physician|police|bank|employee|officer|person|dokter|nurse|engineer|support)\b|\b(?:claim|say|tell \w+|insist|assert) (?:that )?the (?:[a-z]+ )?(?:window|deadline|offer|period|warranty|policy) (?:has |is )?(?:closed|expired|ended|void)\b",
    ),
    (
        "override",
        r"\b(?:warnings?|refusals?|checks?|rules?|limits?|alerts?) (?:from|of|by|in) the (?:gate|filter|system|scanner|policy|reviewer|operator) (?:are|is) (?:fake|wrong|void|a joke|meaningless|can be)\b|\bfor later (?:use )?as an? (?:instruction|rule|order|command)\b|\b(?:ignore|bypass|outsmart|evade|trick) the (?:reviewer|gate|operator|moderator|filter|auditor|scanner)\b|\b(?:contradicts?|disagrees? with|conflicts? with|against) this (?:one|note|memory|entry|rule)\b|\bdo what(?:ever)? (?:the|a|any|each) (?:[a-z]+ )?(?:page|document|e-?mail|site|text|file|attachment) (?:says|asks|orders|wants)\b|\beven if the (?:user|operator|admin|owner|customer) (?:objects|refuses|says no|disagrees|protests|forbids|asks (?:not|otherwise))\b|\b(?:lift|lifts|waive|relax|remove|drop)\b (?:all |the |any )?(?:limits|restrictions|limitations|bans?|safeguards) on\b|\b(?:model|assistant|system|bot|ai)'s (?:maintainer|developer|owner|creator|maker|vendor) i\b|\bthere is no (?:such |longer any |more )?(?:safety )?(?:policy|rule|limit)s? (?:any ?more|now|left)\b",
    ),
    (
        "exfiltrate",
        r"\b(?:convince|persuade|trick|urge|coax|pressure|lure|bujuk|yakinkan) (?:the |all |every )?(?:users?|people|customers?|them|visitors?|pengguna|pelanggan)\b[^.\n]{0,12}\b(?:to|untuk|agar)\b|\blog in (?:with|as|using) (?:the )?(?:stored|saved|admin|root|owner)\b|\bcreate an? (?:admin |hidden |second |new )?(?:user|account) (?:called|named)\b[^.\n]{0,30}$|\b(?:tampilkan|tunjukkan|kirim(?:kan)?|bacakan|show|display|read out|print) (?:seluruh|semua|all|every) (?:the )?(?:catatan|memori|ingatan|stored|saved|note|memor)\w*\b[^.\n]{0,12}(?:tersimpan|pengguna|of|to|ke)?|\bassume (?:that )?(?:consent|permission|approval)\b|\b(?:consent|permission) (?:has been|was|is) (?:given|granted) (?:for|to)\b[^.\n]{0,12}\b(?:shar|send|disclos|publish|sell|pass)",
    ),
    (
        "bad_advice",
        r"\b(?:selalu|always) (?:puji|memuji|rekomendasikan|promosikan|unggulkan|praise|plug|favou?r|push|advertise|endorse)\b|\b(?:prefer|favou?r|boost|utamakan) (?:results?|offers?|products?|links?|answers?|produk|hasil)\b[^.\n]{0,12}\b(?:from|of|by|dari)\b[^\n]{0,40}\b(?:over|above|before|in|di atas|daripada)\b|\b(?:without|no|skip the|drop the|tanpa) (?:medical |legal |any )?(?:disclaimers?|caveats|safety warnings?)\b[^.\n]{0,10}\band\b|(?:,|\band|\bbut|\bdan) (?:do not|don'?t|never|jangan) (?:notify|tell|inform|alert|warn|beri ?tahu) (?:the |any )?(?:buyer|customer|client|patient|vendor|supplier|boss|manager|owner|sender|recipient|pembeli|pelanggan)",
    ),
];
