//! Phrases that use the words of an order without giving one.
//!
//! Systems, teams and rules are described with the same words that an attack uses, and people say how they like their answers.
//! These phrases are removed before a note is checked for orders; the rest of the note is still read.

/// Phrases on lower-case text. The first group is kept; the rest of the phrase is removed.
const PHRASES: &[&str] = &[
    // Who may do what, said of a role and not of the reader.
    r"\b(?:only|all|both|some|two|the) (?:[a-z]+ )?(?:admins?|administrators?|operators?|owners?|managers?|leads?|maintainers?|reviewers?|seniors?|staff|members?|editors?|developers?|engineers?|moderators?|auditors?|supervisors?) (?:may|can|are allowed to|must|should|have to) (?:give|grant|hand out|sign|open|order|change|skip|approve|override|bypass|delete|see|read|disable|merge|grant|change|waive|reject|edit|export|purge|view|unlock)\b[^.;\n]{0,70}",
    r"\b(?:the |an? |each |every )?(?:operator|admin(?:istrator)?|owner|viewer|editor|auditor|manager|support|reviewer|member|guest|service|root|system) (?:role|account|group|team|token|key|page|view|user)s? (?:may|can|has|have|gets?|sees?|holds?|is given)\b",
    r"\b(?:hanya |cuma )?(?:admin|operator|manajer|pemilik|peninjau) (?:yang )?(?:boleh|bisa|dapat) (?:menghapus|melihat|menyetujui|melewati|mengubah|membuka|menolak)\b[^.;\n]{0,60}",
    r"\bsistem (?:mengirim|mencatat|menyimpan|menolak|memeriksa|menampilkan|memberi|menghapus)\b[^.;\n]{0,40}",
    r"\bsystem (?:messages?|prompts?|notes?) (?:counts?|is|are|uses?|takes?|lives?|first|comes?|sits?|has|have)\b",
    r"\bsystem prompt first\b|\b(?:is|are) treated as data\b|\binstructions [a-z ]{0,20}are not followed\b",
    r"\b(?:audit (?:log|trail)|review queue|approval step) (?:records?|keeps?|shows?|lists?|is|has|contains?|holds?)\b[^.;\n]{0,40}",
    r"\bwhoever (?:handles|merges|deploys|is on call|opens|closes|reviews|breaks|owns)\b[^.;\n]{0,24}\bshould (?:also )?(?:check|ask|tell|update|confirm|write|note|post)\b[^.;\n]{0,60}",
    r"\b(?:should|must|have to|needs? to|please) (?:also |always |first )?(?:check|verify|confirm|compare)\b[^.;\n]{0,60}",
    r"\b(?:ask|asks|asking|check with|tell) (?:finance|legal|support|security|the (?:team|lead|manager|owner|vendor|customer)) (?:first|before)\b[^.;\n]{0,40}",
    r"\b(?:model|agent|bot|assistant|ai) (?:should|must|will|can|may|has to) (?:not )?be [a-z]+ed\b",
    r"\b(?:all|every|each|any|our|the|no) (?:[a-z-]+ )?(?:admins?|developers?|engineers?|contributors?|members?|employees?|reviewers?|maintainers?|editors?|nurses?|drivers?|teams?|services?|operators?) (?:must|have to|has to|should|need to|needs to|are required to|is required to) (?:always |never |also |first )?(?:sign|use|run|write|add|follow|tag|squash|rebase|attend|wear|scan|log (?:in|hours|time|their)|rotate|read|check|test|document|report|label|lock|enable|take|complete|update|keep|join|book|submit|wash)\b[^.;\n]{0,60}",
    // Names of things that contain the word for an attack.
    r"\bjailbreak(?:ed|ing)? (?:data ?sets?|tests?|test sets?|prompts?|attempts?|detect\w*|samples?|examples?|suites?|corpus|benchmarks?|phones?|devices?|evals?|checks?|cases?|classifier|filter|scores?|iphones?|rate|detection)\b",
    r"\b(?:detects?|blocks?|resists?|against|about|of|for|includes?|contains?|rejects?|catch(?:es)?|refuses?|tests?) (?:[a-z]+ )?(?:jailbreaks?|jailbreaking|prompt injections?)\b",
    r"\b(?:un|pre-)?(?:filtered|censored) (?:list|view|log|logs|table|feed|export|data|results?|search|dump|dataset|report|stream|traffic|water|air|coffee|query|queries|signal|copy|input|issues?|board|inbox|output|tap)\b",
    r"\bas an ai (?:team|group|company|lab|startup|start-up|engineer|researcher|consultant|consultancy|student|department|guild|product|vendor|developer)\b",
    r"\b(?:actors?|testers?|attackers?|scammers?|fraudsters?|callers?|players?|pupils|students|trainees|volunteers|children)\b[^.,:;\n]{0,36}\bpretend(?:s|ed|ing)? to be\b",
    r"\b(?:attacks?|injections?|phishing mails?) (?:that|which) (?:say|says|read|reads|contain|contains|begin with|start with) ['\x22`][^'\x22`\n]{3,60}['\x22`](?:[.;]|$)",
    r"\bpretend (?:tests?|mocks?|servers?|data|users?|orders?|customers?|accounts?|payments?|records?)\b",
    r"\b(?:god|admin|sudo|maintenance|developer|debug) mode (?:is|was|has|shows?|in the|of the|on the (?:plc|phone|tablet|printer|machine|board|device|router)|of a|button|setting|toggle|page)\b",
    r"\bno (?:restrictions?|limits?|limitations?) (?:on|for) (?:the )?(?:file|upload|branch|port|size|name|download|row|column|request|query|quer(?:y|ies)|storage|disk|bandwidth|api|seat|guest|attachment)(?:e?s)?\b",
    r"\bwithout (?:any )?(?:restrictions|limitations|filters?) on (?:file|upload|branch|size|names?)\b",
    r"\bthe (?:word|term|name|label) ['\x22`]?[a-z -]{3,24}['\x22`]? (?:in|on|within) [^.\n]{2,30}\b(?:refers?|means?|stands)\b",
    r"\b(?:tests?|detects?|blocks?|flags?|filters?|catch(?:es)?|against|scans? for|looks? for|rejects?|searches for)\b[^.\n]{0,40}['\x22`][^'\x22`\n]{3,60}['\x22`]",
    r"\bpretend (?:play|food|money|shop|tea|kitchen|cooking)\w*\b|\bpretend-[a-z]+\b|\bhidden (?:files?|folders?|fields?|columns?|layers?|rows?|sheets?|elements?|cells|directories)\b",
    r"\b(?:earlier|previous|prior|former|old) (?:rules|limits|instructions|orders|versions|policies) (?:are|were|is) (?:kept|stored|archived|listed|shown|retained|versioned|logged|purged|deleted|removed)\b",
    r"\buse the (?:admin|root|service|shared|system) (?:account|user|role|token|key) only (?:for|when|in|on)\b[^.;\n]{0,40}|\bkeep (?:a |an? [a-z]+ )?(?:cop(?:y|ies)|records?|backups?) of (?:each|every|all|the) (?:invoices?|contracts?|reports?|backups?|orders?|receipts?|releases?|documents?|payslips?)\b",
    // Rules of a place, and proofs required at a counter.
    r"\b(?:old|former|previous|earlier|prior) (?:[a-z]+ )?(?:rules|regulations|policies|limits) (?:of|for|about|on|at|in) (?:the |our |this )?(?:library|parking|pool|gym|school|club|building|house|kitchen|shop|road|game|league|tournament|canteen|street|city|park|playground|hostel|hotel|museum|town|village|lift|laundry|garage|garden|campus|clinic|ward|pitch|court|market)\b",
    r"\b(?:ask|asks|asking) (?:them |him |her |people |customers |guests |patients )?(?:for|to show|to see|to bring) (?:the |a |an |their |his |her )?(?:original )?(?:receipt|ticket|order number|booking number|booking|reference|name|date of birth|voucher|coupon|invitation|prescription|referral|library card|membership|consent form|signature)\b",
    // A secret between people, about one of them.
    r"\b(?:never|don'?t|do not|jangan) (?:tell|let|bilang) (?:anyone|anybody|grandma|grandpa|mum|mom|dad|the (?:kids|children|family)|(?:ke |sama )?siapa ?pun)(?: (?:at|in) (?:school|work|home|church|class|the [a-z]+)| know)? (?:that|about|kalau|soal) (?:she|he|her|his|dia)\b[^.;,\n]{0,50}|\bsay nothing about (?:it|this|that) to (?:grandma|grandpa|granny|mum|mom|dad|the (?:kids|children|family|neighbours|neighbors))\b[^.;,\n]{0,30}",
    // Everyday handling of papers and keys.
    r"\bput the (?:conclusion|summary|result|answer|decision|verdict|code|short version) (?:on top|first|at the (?:top|start|beginning))\b",
    r"\b(?:send|mail|post|email) (?:the |all |out )?(?:invoices?|reports?|reminders?|newsletters?|receipts?|statements?|minutes|agendas?) to (?:the )?(?:customers?|clients?|members|users|finance|[a-z]+ team|team|list)(?: (?:on|every|each|by|at|after|before|once|within|monthly|weekly)\b[^.;\n]{0,40})?",
    r"\b(?:change|rotate|renew|reset|ganti|perbarui) (?:the |all |your |api |semua )*(?:passwords?|keys|tokens|secrets|credentials|certificates|kata sandi|kunci) (?:every|each|once|after|yearly|monthly|quarterly|regularly|tiap|setiap)\b[^.;\n]{0,30}",
    // Markup as a topic, and markup that builds use.
    r"\b(?:html|markdown|xml|jsx|vue|template|code|hidden) comments?\b[^.\n]{0,30}(?:<!--[^\n]{0,80}?-->|\[//\]: ?#(?: ?\([^)\n]{0,60}\))?)",
    r"\bmarkdown\b[^.\n]{0,12}\[//\]: ?#(?: ?\([^)\n]{0,60}\))?",
    r"<!-- ?(?:todo|fixme|build|endbuild|prettier-ignore|markdownlint|more|toc|tocstop|note|hack|xxx|start|end|generated|region|if|endif|eslint)\b[^\n]{0,80}?-->",
    r"[`'\x22]<(?:script|iframe|img|svg|style|link|meta|object|embed)\b[^>\n]{0,60}>?[`'\x22]|<(?:script|iframe|img|svg|style|link|meta|object|embed)>? (?:tags?|elements?|blocks?)\b|\b(?:the|an?|no|every|each) <(?:script|iframe|img|svg|style|link|meta|object|embed)\b[^>\n]{0,40}>",
    // What is not wanted.
    r"\b(?:never|don'?t|do not|jangan)(?: ever| pernah)? (?:paste|share|send|post|commit|store|log|put|write|print|e-?mail|type|enter|upload|copy|save|keep|tempel|simpan|kirim|taruh) (?:real |any |customer |your )?(?:passwords?|secrets?|credentials|tokens?|(?:api |private )?keys?|personal data|customer data|card numbers?|pins?|kata sandi|data pelanggan)\b[^.;,\n]{0,40}",
    r"\b(?:rather than|instead of) (?:agree|agreeing|comply|complying|say|saying|answer|answering|guess|guessing|pretend|pretending|invent|inventing|mak(?:e|ing) up|tell|telling|show|showing|list|listing)\b[^.,;\n]{0,40}",
    // Says where the reader is, or what to do with a machine.
    r"\byou(?:'re| are) now (?:talking|speaking|chatting|connected|logged|subscribed) (?:to|with|in|on)\b",
    r"\byou(?:'re| are) (?:the (?:assistant|tool|one)|an? (?:great|good|big) help|helping|reading|looking|asked to|welcome|right|probably|likely|free to ask)\b",
    r"\byou (?:should|must|have to|need to|will|can|may)( (?:also |always |first |please |then |probably )?(?:know|call me|ask me|ask|tell me|restart|reboot|reload|rebuild|reinstall|install|update|upgrade|log|sign|wait|press|click|open|select|set|configure|enable|use|assume|keep|write|show|find|see|answer (?:in|briefly|with)|reply in|respond in|be|remember|include|explain|check|cite|quote|give me|avoid|expect|mount|clear|flush|plug|pass|export|register|create|run (?:the|a|migrations?|npm|cargo|make|it|tests?)|commit|rebase|pull|clone|convert|round)\b)",
    r"\b(?:if|when) you(?:'re| are) (?:not sure|unsure|stuck|done|in doubt|blocked|missing|about to|uncertain)\b[^.\n]{0,20}",
    r"\b[a-z]+s (?:may |can |must |always |only )*change their (?:bank account|iban|address|payee)\b",
    r"\byou will (?:be|get|hear|find|see|notice|need)\b",
    // Things that fail silently; nobody asks for it.
    r"\b(?:silently|quietly) (?:drops|dropped|dropping|fails|failed|failing|ignores|ignored|ignoring|skips|skipped|skipping|truncat\w+|retri\w+|restarts|restarted|exits|exited|swallow\w+|discards|discarded|reconnects|rolls|rolled|downgrad\w+|falls|fell|loses|lost|corrupts?\w*|overwrit\w+|degrad\w+|updates|updated|upgrades|upgraded|refresh\w+|installs|installed|died?|dies|returns|returned|stopped|stops|accepts|accepted|converts|converted|rounds|rounded|disappear\w*|broken?|breaks|broke|expires?|expired|succeeds|waits|deletes|deleted|removes|removed)\b",
    r"\b(?:fails?|failed|drops?|dropped|retries|exits?|disappears?|disappeared|restarts?|dies|died|stops|stopped|switches|reconnects?|truncate[sd]?|expires?|expired|ignored|skipped|discarded|swallowed|lost|rounded|converted|updated|refreshed|broke|run|runs|installs?|spins?|hums?|works?|sits?) (?:silently|quietly)\b",
    // What must always be asked or never be done: standing wishes that make the assistant safer or its answers nicer.
    r"\b(?:jangan|never|don'?t|do not|dilarang)\b[^.\n]{0,70}\b(?:without|tanpa)\b[^.\n]{0,20}\b(?:asking|checking|telling|my|me|approval|permission|confirmation|review|consent|reading|tests?|persetujuan|izin|konfirmasi|tanya|bilang|nanya|review)(?: (?:with )?(?:me|saya|aku|gue|first|dulu|from me|of mine))*\b",
    r"\b(?:always |please |selalu |tolong )*(?:ask|check with|tell|warn|notify|tanya(?:kan)?(?: ke)?|konfirmasi(?: ke)?|kabari) (?:me|saya|aku|gue)(?: (?:first|dulu))? ?(?:before|if|when|whether|which|sebelum|kalau)\b[^.\n]{0,80}",
    r"\b(?:when|whenever|if|once|every time|kalau|jika|waktu|saat) (?:you|kamu|anda|lo) (?:draft|write|explain|suggest|answer|reply|review|summari[sz]e|code|show|give|compare|generate|format|name|make|create|propose|recommend|translate|quote|cite|list|plan|describe|book|refactor|edit|change|commit|ngasih|kasih|menulis|nulis|jawab|menjawab|menjelaskan|jelasin|bikin|membuat|buat|merangkum|use|help|mention|estimate|see|need|are (?:asked|unsure|done|not sure)|aren't sure|don't know|can't|cannot)\b",
    r"\bstart (?:the |your |every |each |all )?(?:answers?|repl(?:y|ies)|explanations?|responses?) with (?:the |a )?(?:conclusion|summary|short|result|answer|tl;?dr|example|code)\b",
    r"\b(?:answer|reply|respond|write|speak|explain|jawab|balas|tulis)(?: (?:to )?(?:me|always|only|briefly|saya|singkat|selalu|everything|all (?:questions|messages)))* (?:in|pakai|dengan|dalam|with)( (?:bullet|a table|tables|english|indonesian|german|french|spanish|dutch|japanese|italian|portuguese|chinese|korean|arabic|javanese|british|american|plain|short|full|metric|bahasa|markdown|simple|one|two|three|a short|code|examples?|numbered|lists?|polite|formal|informal|terse|brief|complete|points)\b)",
    r"\b(?:keep|make) (?:your |the |all |my )?(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|subjects?|commits?) (?:short|brief|concise|terse|under|below|to|simple|polite|formal|technical|detailed|long|in)\b",
    r"\b(?:your|all|every|each) (?:answers?|repl(?:y|ies)|responses?|suggestions?|code|examples?)\b( (?:should|must|can|need to|have to) (?:include|be|use|show|have|come with|contain|cite|start with|end with) (?:the )?(?:sources?|short|brief|in|units?|metric|examples?|code|tests?|types?|a summary|links? to|concise|polite|formal|comments?|numbers?)\b)",
    r"\b(?:every|each|all) (?:repl(?:y|ies)|responses?|answers?) (?:from|of|by|to) (?:the|an?) (?:api|server|service|endpoint|survey|form|backend|database|device|client|vendor|bank|gateway|customer|ticket|supplier)\b",
    r"\bfrom now on (?:use|write|we|i)\b( (?:british|american|metric|tabs|spaces|typescript|english|german|indonesian|python|utc|local|short|conventional|the new|semantic)?)",
    r"\b(?:my|the user'?s?) (?:name|role) is\b|\bcall me\b",
    r"\b(?:catatan|pesan) (?:rapat|rilis|commit|kesalahan|galat)\b",
    // What friends say to each other.
    r"\byou(?:'re| are) (?:really |actually |truly |always |such )?(?:an? |the |my )?(?:really |truly |very )?(?:great |good |real |true |big |dear |huge |amazing )?(?:inspiration|inspiring|best\b(?: friend)?|friend|star|hero|legend|champ\w*|gem|rock|natural|sweetheart|lifesaver|amazing|kind|sweet|lucky|wonderful|fantastic|awesome|making (?:a|an|such|progress)|doing (?:great|well|so well|our|a (?:great|good))|showing|enthusiastic|caring|great at|good at)\b(?: (?:to|for) (?:me|us))?",
    r"\bthanks for (?:always |never )?[a-z]+ing\b[^.!?\n]{0,30}|\byou (?:got|'ve got|have got) this\b|\bkeep it up\b|\bnever give up\b",
    r"\bnotes (?:from|of) the (?:[a-z]+ )?(?:call|meeting|sync|workshop|review|retro|standup|interview)\b",
];

/// The note without those phrases.
pub(super) fn set_aside(lower: &str) -> String {
    let set = pattern_set!(PHRASES);
    let phrases = patterns!(PHRASES);
    let mut left = lower.as_bytes().to_vec();
    for index in set.matches(lower.as_bytes()) {
        left = phrases[index].replace_all(&left, &b" ~ $1 "[..]).into_owned();
    }
    String::from_utf8_lossy(&left).into_owned()
}
