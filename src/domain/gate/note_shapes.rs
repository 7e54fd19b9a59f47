//! Shapes of orders that have been seen in notes: the words that override, rename, unlock, leak and hide.
//!
//! Data for `notes`, on lower-case text. Orders without such words are in `note_orders`.

/// The shapes: name, and what matches it on lower-case text.
pub(super) const SHAPES: &[(&str, &str)] = &[
    (
        "override",
        r"\b(?:ignore|disregard|forget|override|bypass|discard|drop|skip|neglect|overrule|supersede|cancel|erase|unlearn|don'?t follow|do not follow|stop following|pay no attention to|set aside|throw away|never mind)\b[^.\n]{0,40}?\b(?:(?:previous|prior|above|earlier|preceding|existing|all|any|your|the|these|those|other|initial|original|former|past|safety|system|every|developer)\b[ ,]*(?:of (?:the|your) |and |or )?){1,4}\b(?:instructions?|prompts?|rules|guidelines|directions?|orders|commands?|messages? above|context|training|guardrails|restrictions|constraints|safeguards|policies|programming|directives?|system messages?|everything (?:above|before)|filters?|safety (?:rules|checks|measures|policy)|system prompt|persona)\b",
    ),
    (
        "override",
        r"\b(?:ignore|disregard|forget) (?:everything|all|anything|what(?:ever)?) (?:you (?:were|have been|know|are|'ve been)|above|before|that came before|said (?:above|before)|i (?:said|told)|prior|previously|the (?:user|system|developer) (?:said|says|told|asks))",
    ),
    (
        "override",
        r"\b(?:new|updated|revised|real|actual|true|latest) (?:system )?(?:instructions?|directives?|orders|prompt)\b\s*(?::|-|are|follow|supersede|override|from|begin)",
    ),
    (
        "override",
        r"\b(?:your|the) (?:previous|prior|earlier|old|original|initial) (?:instructions?|rules|guidelines|prompt)\b[^.\n]{0,30}\b(?:are|is|have been|were|no longer)\b[^.\n]{0,20}\b(?:void|cancel|null|obsolete|revoked|replaced|superseded|apply|valid|deleted|suspended|outdated|expired|lifted|overridden)",
    ),
    (
        "override",
        r"\b(?:takes? precedence|has priority|overrides?|supersedes?|outranks?)\b[^.\n]{0,30}\b(?:system|previous|prior|all other|any other|your|other|every other|developer|safety)\b[^.\n]{0,20}\b(?:instructions?|prompts?|rules|guidelines|messages?|policies|policy|notes?|memories|memory)\b",
    ),
    (
        "override",
        r"\b(?:abaikan|lupakan|hiraukan|jangan (?:ikuti|turuti|patuhi|hiraukan)|langgar|kesampingkan|hapus|lewati|buang)\b[^.\n]{0,30}\b(?:instruksi|perintah|aturan|arahan|petunjuk|prompt|batasan|pedoman|kebijakan|pesan sistem|semua yang)\b",
    ),
    (
        "override",
        r"\b(?:ignoriere|vergiss|missachte|ignora|olvida|ignore|oublie|oubliez|ignorez|negeer|dimentica|esqueca)\b[^.\n]{0,30}\b(?:anweisungen|regeln|instrucciones|instructions|consignes|regles|reglas|istruzioni|instrucoes|regras|instructies|vorgaben)\b",
    ),
    (
        "new_identity",
        r"\b(?:you are|you're|youre|u are|consider yourself|you will be|you shall be|you have become|you must become) (?:now |hereby |henceforth |going to be |no longer |from now on |to act as )+",
    ),
    (
        "new_identity",
        r"\b(?:from now on|starting now|henceforth|going forward|from this (?:point|moment) (?:on|forward)|as of now|from here on)\b[^.\n]{0,20}\b(?:you(?:'re| are| will| must| should| shall| can| have|r)?|the (?:assistant|ai|bot|model|chatbot)|assistant|always (?:reply|respond|answer|say|end|start|speak|talk|include|add|begin|append|mention|recommend|agree|use)|never (?:mention|refuse|tell|say|ask|warn|question)|respond|reply|answer|speak|talk|end every|begin every|start every|all (?:replies|answers|responses)|every (?:reply|answer|response))\b",
    ),
    (
        "new_identity",
        r"\b(?:act|behave|respond|answer|reply|talk|speak|roleplay|role-play|pose|operate|function|work) (?:as if you|as though you|as an? (?:unrestricted|unfiltered|uncensored|evil|jailbroken|different|ai|hacker|pirate|root|admin|administrator|developer mode|malicious|amoral|terminal|linux|human|person|expert who|character|dan\b))",
    ),
    (
        "new_identity",
        r"\b(?:pretend|imagine|simulate|assume)\b[^.\n]{0,15}\b(?:you are|you're|to be|you have no|that you|being|the role of|you can|there are no (?:rules|restrictions))\b",
    ),
    (
        "new_identity",
        r"\b(?:kamu|anda|kau|lo|lu|elo) (?:sekarang|kini|mulai sekarang|adalah (?:ai|asisten|bot|dan|model|hacker))\b|\bmulai (?:sekarang|saat ini|detik ini)\b[^.\n]{0,20}\b(?:kamu|anda|jawab|balas|selalu (?:jawab|balas|setuju|sebut|tambahkan|akhiri|rekomendasikan)|asisten|jangan (?:pernah )?(?:bilang|menolak|beri ?tahu|sebut)|bot|semua jawaban|setiap (?:jawaban|balasan))\b|\bberpura-?pura(?:lah)?\b|\b(?:bertindak|berperan)(?:lah)? (?:sebagai|seolah)\b[^.\n]{0,20}\b(?:ai|hacker|tanpa|kamu|admin|root|sistem|asisten)",
    ),
    (
        "new_identity",
        r"\b(?:du bist (?:jetzt|nun|ab sofort)|ab (?:jetzt|sofort) (?:bist|antwort|musst|sollst)|tu es (?:maintenant|desormais)|vous etes maintenant|ahora eres|eres ahora|a partir de ahora (?:eres|responde|debes)|desormais tu|d'ora in poi|agora voce e)\b",
    ),
    (
        "jailbreak",
        r"\b(?:do anything now|jailbreak(?:ed|ing)?|developer mode (?:enabled|activated|on\b[^.]{0,3}$|unlocked)|(?:in|enter|enable|activate|into) developer mode|dev mode enabled|god mode|dan mode|absolute mode|unrestricted mode|sudo mode|admin mode|debug mode (?:on|enabled)|no restrictions|without (?:any )?(?:restrictions|limitations|filters?|censorship|ethical|moral)|unfiltered|uncensored|evil twin|aim mode|stan mode|mode pengembang|tanpa (?:batasan|sensor|filter|aturan)|no (?:ethical|moral|content|safety) (?:guidelines|limits|filters?|limitations|boundaries|rules)|free(?:d)? (?:from|of) (?:all )?(?:restrictions|rules|constraints)|eliminate emojis|opposite mode|maintenance mode (?:unlocks|lets you)|grandma exploit|token smuggling)\b",
    ),
    (
        "jailbreak",
        r"\b(?:as an ai|as a language model|as a large language model|sebagai (?:sebuah )?(?:ai|model bahasa)|as your (?:developer|creator|administrator|admin|operator|owner)|i am your (?:developer|creator|administrator|admin|operator|owner)|this is (?:openai|anthropic|your developer|the system administrator|the developer|an official))\b",
    ),
    (
        "system_prompt",
        r"\b(?:reveal|show|print|output|repeat|display|leak|disclose|dump|share|tell|give|recite|expose|send|return|paste|summari[sz]e|quote|translate|write out|copy|include|append|echo|bocorkan|tampilkan|tunjukkan|ungkapkan|sebutkan|kirim(?:kan)?|cetak|beritahu)\b[^.\n]{0,40}\b(?:system prompt|system message|initial prompt|(?:hidden|secret|initial|your|original|internal|full|developer) (?:instructions?|prompt|rules|guidelines|configuration|system)|prompt sistem|instruksi (?:sistem|awal|rahasia|tersembunyi)|(?:words|text|everything) above|chat history|conversation history|stored memories|all (?:stored )?memories|(?:other|another) users?(?:'s?)? (?:data|memor|secret|message|conversation|note)|api keys?|environment variables|credentials|passwords?|secrets)\b",
    ),
    (
        "system_prompt",
        r"\b(?:what (?:is|are|was|were)|tell) (?:me )?your (?:system prompt|initial instructions|instructions|hidden)",
    ),
    (
        "role_tag",
        r"<\|?/?(?:im_start|im_end|system|assistant|user|endoftext|instructions?|inst|sys|begin_of_text|eot_id|start_header_id|end_header_id|human|memory|memories|context|tool_call|tool_use|tool_result|function_calls?|invoke|recalled|prompt|thinking|admin|untrusted|data|system-reminder|antml)\b[^>\n]{0,60}\|?>",
    ),
    (
        "role_tag",
        r"\[/?(?:inst|system|sys|assistant|admin|instructions?|end of (?:prompt|context|notes?|memory)|system (?:message|override|note|prompt)|important system|developer)\b[^\]\n]{0,40}\]|<<\s?/?sys\s?>>|#{2,}\s*(?:system|instructions?|assistant|new (?:instructions?|task)|human|user|response|override)\b|^\s*(?:system|assistant|developer|human)\s*(?:message|prompt|override|note|instruction)?s?\s*:|\n\s*(?:system|assistant|developer|human|user)\s*:|[-=]{3,}\s*(?:end|begin|start|system|new)\b[^\n]{0,40}(?:prompt|instructions?|context|memory|notes?|system|conversation|message)|\bend of (?:system )?(?:prompt|context|user (?:data|input)|memory block)\b|\bsystem (?:override|alert|notice|update|command|directive)\s*[:!-]",
    ),
    (
        "secrecy",
        r"\b(?:do not|don'?t|never|must not|should not|without|refrain from|avoid|no need to)\b[^.\n]{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|notify|notifying|alert|alerting|warn|warning|show|showing|let|disclose|disclosing|ask|asking)\b[^.\n]{0,24}\b(?:the user|users?|them|anyone|anybody|the (?:human|operator|person|customer|reviewer|admin)|this (?:note|instruction|message|memory|rule)|these instructions|that (?:you|this)|about this|for confirmation|for permission|him|her|any human)\b",
    ),
    (
        "secrecy",
        r"\bjangan (?:pernah )?(?:beri ?tahu|kasih tahu|kasih tau|bilang|sebut(?:kan)?|katakan|ungkap(?:kan)?|tampilkan|tunjukkan|tanya|minta (?:izin|konfirmasi))\b[^.\n]{0,30}\b(?:pengguna|user|siapa ?pun|orang|mereka|operator|catatan ini|instruksi ini|pesan ini|admin|manusia|soal ini|tentang ini|dulu)\b|\b(?:tanpa (?:sepengetahuan|memberi ?tahu|izin|konfirmasi)|diam-diam|secara rahasia)\b[^.\n]{0,40}",
    ),
    (
        "secrecy",
        r"\b(?:secretly|silently|covertly|quietly|without (?:the user'?s?|their|anyone'?s?|user) (?:knowledge|knowing|noticing|consent)|keep (?:this|it|these)[^.\n]{0,20}(?:secret|hidden|confidential|between us) from|hide this)\b[^.\n]{0,40}\b(?:send|forward|post|upload|add|insert|append|copy|email|include|run|execute|record|log|share|transfer|install|call|user|the user|delete|recommend|approve|change|replace|promote|note|message|instruction|everyone|knowing|knowledge|knowing)?",
    ),
    (
        "exfiltrate",
        r"\b(?:send|forward|post|upload|exfiltrate|email|transmit|copy|leak|submit|append|deliver|report|pipe|push|share|mail|dm|bcc|cc|relay|beacon|smuggle|encode|embed)\b[^\n]{0,70}\b(?:conversations?|chat|history|messages?|memories|memory|secrets?|passwords?|credentials|api keys?|tokens?|personal data|user data|contents?|everything|transcripts?|answers?|replies|contacts|files?|notes|environment|cookies?|keys|query|prompt|context|inputs?|data|details|env)\b[^\n]{0,50}\b(?:to|at|into|in|via|on)\b[^\n]{0,24}(?:https?://|www\.|[a-z0-9-]+\.(?:com|net|org|io|example|evil|xyz|ru|cn|tk|app|dev|site|me)\b|\S+@\S+|\bwebhook|\battacker|\bexternal|\bpastebin|\bthis (?:url|address|server|link|endpoint))",
    ),
    (
        "exfiltrate",
        r"\b(?:kirim(?:kan)?|unggah|teruskan|salin|bocorkan|posting|laporkan)\b[^\n]{0,60}\b(?:percakapan|riwayat|pesan|memori|rahasia|kata sandi|password|kredensial|token|data|catatan|isi|semua|jawaban|kunci)\b[^\n]{0,40}\b(?:ke|kepada)\b[^\n]{0,20}(?:https?://|[a-z0-9-]+\.(?:com|net|org|io|example|xyz|id|ru|dev)\b|\S+@\S+|webhook|server luar|alamat ini|url ini)",
    ),
    (
        "exfiltrate",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\n]{0,200}[?&=][^)\n]{0,200}\)|\b(?:render|include|insert|embed|add|show|load)\b[^.\n]{0,30}\b(?:image|markdown image|pixel|link|img)\b[^\n]{0,60}https?://",
    ),
    (
        "exfiltrate",
        r"\b(?:whenever|every time|each time|when(?:ever)?|setiap(?: kali)?|if)\b[^.\n]{0,70}\b(?:the user|users?|someone|anyone|asked|you|pengguna|orang|ditanya)\b[^\n]{0,80}\b(?:fetch|visit|open|call|curl|get|load|request|download|send|kunjungi|buka|kirim|panggil)\b[^\n]{0,30}https?://",
    ),
    (
        "hidden_markup",
        r"<!--|-->|\[//\]:\s*#|\[comment\]:\s*(?:#|<)|<(?:span|div|p|font)\b[^>\n]{0,80}(?:display:\s?none|font-size:\s?0|visibility:\s?hidden|color:\s?(?:white|#fff)|opacity:\s?0|hidden)|<(?:script|iframe|img|svg|object|embed|style|meta|link)\b[^>\n]{0,100}>?|\bjavascript:|\bdata:text/html",
    ),
    (
        "fake_tool",
        r"\b(?:call|invoke|run|execute|use|trigger|jalankan|panggil)\b[^.\n]{0,20}\b(?:the )?(?:tool|function|forget_memory|delete_memory|remember|recall_memory|save_memory|shell tool|bash tool|send_email|[a-z]+_[a-z]+)\b[^.\n]{0,20}(?:\(|\bwith\b|\btool\b|\bnow\b|\bimmediately\b|\bsilently\b|\bon every\b|\bbefore (?:answering|replying|every)|\bto (?:delete|erase|wipe|remove|send|email|export)|\bfor all\b|\bsetiap\b)",
    ),
    (
        "fake_tool",
        r"\x22?(?:tool_calls?|function_call|tool_use|tool_name|tool_result|function)\x22?\s*[:=]\s*[\[{\x22]|\{\s*\x22(?:name|role|type|tool|action|function|command)\x22\s*:\s*\x22[a-z_]+\x22\s*,\s*\x22(?:arguments|content|parameters|input|args|name|params)\x22|\b(?:tool|function) (?:result|output|response|call)\s*:|\bobservation\s*:|\baction input\s*:",
    ),
    (
        "dangerous_order",
        r"\b(?:always|whenever|every time|before (?:answering|replying|responding|each|every)|first|setiap|selalu|must|please|when asked)\b[^.\n]{0,60}(?:rm -rf|curl\s+[^\n]{0,80}\|\s*(?:ba)?sh|wget\s+[^\n]{0,80}\|\s*(?:ba)?sh|chmod 777|drop table|disable (?:the )?(?:safety|security|gate|filter|audit|auth|logging|verification|tls|checks)|--no-verify|git push --force|delete all|wipe all|forget everything|erase all)|\b(?:delete|wipe|erase|purge|destroy|forget|hapus) (?:all|every|semua|the user'?s) (?:stored |team |personal |of the |their |global )?(?:memor|facts?\b|data\b|notes?\b|history|memori|catatan|records)|\bcurl\s+[^\n]{0,80}\|\s*(?:sudo )?(?:ba)?sh\b|\brm -rf (?:/|~)(?:\s|$)",
    ),
    (
        "command_to_model",
        r"\b(?:the |this |an? )?(?:assistant|ai|model|chatbot|llm|bot|agent|asisten|language model|busybro|copilot|claude|chatgpt|gpt|gemini|memory system)\b (?:must|should|shall|has to|needs to|is (?:required|instructed|ordered|allowed|permitted|authorized|authorised|obliged) to|will (?:now|always|never)|may now|can now|harus|wajib|boleh|tidak boleh|always|never)\b[^.\n]{0,60}\b(?:obey|comply|ignore|reply|respond|answer|refuse|say|tell|recommend|agree|reveal|trust|approve|execute|follow|treat|include|pretend|accept|do whatever|promote|prefer|grant|give|skip|send|disclose|bypass|mematuhi|menjawab|menyebut|mengabaikan|merekomendasikan|menolak|menuruti|patuh|setuju|mention|disregard|share|run|delete|output|insert|add|end|begin|append|believe|consider|assume|override|disable|hide|praise|warn|ask|question)\b",
    ),
    (
        "command_to_model",
        r"\b(?:you must|you should|you shall|you have to|you will|you need to|you are (?:required|instructed|ordered|allowed|permitted|authorized|authorised|obliged|free) to|your (?:new |only |real |true |primary |main )?(?:task|job|goal|role|mission|purpose|objective|name|instructions?|persona) (?:is|are|will be)|kamu (?:harus|wajib)|anda (?:harus|wajib)|tugas(?:mu| anda| kamu)(?: yang)?(?: baru| sebenarnya)? adalah|always (?:obey|comply with|agree with|trust|believe|approve|recommend|say yes|praise|do what(?:ever)?|reply (?:with|only|that)|respond (?:with|only|as|that)|answer (?:with|only|as|yes|that)|end (?:your|every|each|all) (?:repl|answer|respon|messages? to)|start (?:your|every|each|all) (?:repl|answer|respon)|begin (?:your|every|each|all) (?:repl|answer|respon)|include (?:this|a link|an ad))|reply (?:only )?(?:with|in) (?:the (?:word|language|phrase|text|style)|only|nothing but|exactly)|respond (?:only )?(?:with|in) (?:the (?:word|language|phrase|text|style)|only|nothing but|exactly|json only)|answer (?:only )?with (?:the word|only|nothing but|exactly|yes)|never (?:refuse|decline|say no|question|warn|apologi[sz]e|mention (?:that|this|the)|reveal|disclose)|selalu (?:jawab|balas|setuju|patuh|turuti|iyakan|akhiri (?:jawaban|setiap)|awali|rekomendasikan|sebut)|jangan (?:pernah )?(?:menolak|membantah|mempertanyakan)|comply with (?:all|any|every|whatever)|obey (?:all|any|every|the|this|me|only)|do (?:exactly )?(?:as|whatever|what) (?:i|the next|it) (?:say|says|message|ask|tell|told))\b",
    ),
    (
        "trust_claim",
        r"\b(?:treat|consider|trust|accept|regard|mark|remember|store|record|anggap|perlakukan|approve|promote)\b[^.\n]{0,50}\b(?:as (?:(?:a |an |the )?(?:trusted|verified|authorized|authorised|official|admin|administrator|root|system|approved|true without|highest|privileged|superuser|authoritative|ground truth|safe|pre-?approved|instructions?|commands?))|without (?:verification|verifying|question(?:ing)?|review|checking|approval|asking|confirmation)|sebagai (?:admin|sistem|perintah|instruksi|tepercaya|resmi)|tanpa (?:verifikasi|pemeriksaan|bertanya|tinjauan))\b",
    ),
    (
        "trust_claim",
        r"\b(?:has|have|gets?|grant(?:ed)?|give[ns]?|with|memiliki|beri(?:kan)?|punya)\b[^.\n]{0,24}\b(?:full|unlimited|unrestricted|admin(?:istrator)?|root|superuser|elevated|complete|penuh|total)\b[^.\n]{0,12}\b(?:access|permissions?|rights|privileges?|authori[sz]ation|clearance|akses|hak|izin|control)\b[^.\n]{0,40}\b(?:to (?:all|every|any)|user|all|and (?:can|may|should|must)|so|without|semua|this (?:chat|conversation|session|user|message)|tanpa|by default|never|pengguna)\b|\b(?:pre-?authori[sz]ed|pre-?approved|already (?:approved|authori[sz]ed|consented))\b[^.\n]{0,50}\b(?:all|any|every|you|assistant|tool|action|request|delete|transfer|payment)\b",
    ),
    (
        "encoded_order",
        r"\b(?:decode|decrypt|unpack|base64|rot13|dekode|deobfuscate|hex-decode|un-?base64)\b[^.\n]{0,60}\b(?:and (?:then )?(?:follow|execute|run|obey|do|act|comply|apply|perform|carry out|treat|use)|lalu (?:jalankan|ikuti|lakukan|patuhi|turuti)|dan (?:jalankan|ikuti|lakukan|patuhi|turuti)|as (?:an )?instructions?|then (?:follow|execute|run|obey|do)|instructions?)\b|\b(?:follow|execute|run|obey|ikuti|jalankan)\b[^.\n]{0,40}\b(?:decoded|base64|encoded|rot13|hex(?:adecimal)? string|hasil dekode)\b",
    ),
    (
        "trigger",
        r"\b(?:if|when|whenever|once|every time|each time|setiap kali|jika|kalau|apabila|saat)\b[^.\n]{0,60}\b(?:user|anyone|someone|asked|asks|says|types|mentions|you (?:see|read|hear|recall|receive|are asked)|pengguna|ditanya|bertanya|orang|this (?:note|memory) is (?:read|recalled|loaded))\b[^\n]{0,60}\b(?:reply with|respond with|answer with|say that|tell (?:them|him|her|the user)|recommend|claim|insist|deny|pretend|ignore|output|direct (?:them|the user)|redirect|always (?:say|answer|recommend|reply)|act as|switch to|jawab(?:lah)?|balas(?:lah)?|katakan|bilang|sarankan|rekomendasikan|arahkan|sebutkan|print|lie|refuse|reveal|activate|execute|run|delete|forget|wipe|send|approve)\b",
    ),
    (
        "trigger",
        r"\b(?:end|begin|start|finish|prefix|append|preface|conclude|sign|akhiri|awali|mulai|tutup|sisipkan|tambahkan)\b[^.\n]{0,12}\b(?:every|each|all|any|your|setiap|semua)\b[^.\n]{0,12}\b(?:repl(?:y|ies)|responses?|answers?|output|jawaban|balasan|respons|sentence)\b",
    ),
    (
        "trigger",
        r"\b(?:recommend|promote|advertise|suggest|praise|endorse|rekomendasikan|promosikan|sarankan)\b[^.\n]{0,50}\b(?:in (?:every|each|all) (?:reply|replies|answer|answers|response|responses|conversation)|to (?:every|all|each|any) (?:user|users|customer|person)|whenever|no matter what|regardless|di setiap (?:jawaban|balasan)|kepada (?:semua|setiap) (?:orang|pengguna)|above all (?:other|others)|instead of any)\b",
    ),
    (
        "override",
        r"\b(?:ignore|disregard|forget|skip|override|drop)\b[^.\n]{0,24}\b(?:prev(?:ious)?|prior|above|earlier|sys(?:tem)?|all)\b[^.\n]{0,16}\b(?:instr|inst|instrs|insts|msgs?|prmpt|rulez|restrictions|limits)\b|\b(?:stop|quit|cease) (?:following|obeying|applying|respecting|enforcing)\b[^.\n]{0,50}\b(?:rules?|instructions?|polic(?:y|ies)|guidelines|operator|restrictions)\b|\b(?:drop|lift|remove|disable|suspend)\b[^.\n]{0,20}\b(?:restrictions|guardrails|safeguards|limitations|safety (?:policy|rules|checks|filters?))\b|\b(?:restrictions|guardrails|safeguards|limitations|safety (?:policy|rules|checks|filters?))\b[^.\n]{0,40}\b(?:removed|lifted|disabled|suspended|void|drop(?:ped)?|no longer|only for testing|do not apply|don'?t apply|are off)\b",
    ),
    (
        "override",
        r"\b(?:previous|earlier|prior|original|system|developer) (?:developer |system )?(?:message|note|prompt|restrictions|limits)\b[^.\n]{0,20}\b(?:is|are|was|were) (?:now )?(?:void|cancelled|canceled|only|obsolete|invalid|revoked|superseded|wrong|outdated|fake|no longer)\b|\b(?:highest|top|absolute|maximum) (?:priority|authority)\b[^.\n]{0,40}\b(?:note|memory|message|instruction|rule)|\b(?:note|memory|message|instruction)\b[^.\n]{0,30}\b(?:highest|top|absolute) (?:priority|authority)\b",
    ),
    (
        "override",
        r"\b(?:rules?|instructions?|polic(?:y|ies)|guidelines|restrictions|consent|permission checks?|confirmation|approvals?)\b[^.\n]{0,50}\b(?:may|can|should|need not|must|are to|is to) be (?:skipped|ignored|bypassed|broken|disregarded|overridden|waived|forgotten)\b|\b(?:user )?consent is (?:never|not) (?:required|needed|necessary)\b|\b(?:skip|bypass|disable|omit|waive|turn off|do not apply|don'?t apply|circumvent|evade)\b[^.\n]{0,16}\b(?:the )?(?:permission|consent|confirmation|privacy|safety|approval|authori[sz]ation|authentication|authenticity|identity|security)\b[^.\n]{0,14}\b(?:checks?|policy|policies|prompts?|steps?|rules?|gates?|filters?|controls?|requirements?)\b",
    ),
    ("override", r"\b(?:override|jailbreak|unlock|injection)\s*:\s*\S"),
    (
        "new_identity",
        r"\b(?:act|behave|continue|proceed|respond) (?:as (?:though|if))\b[^.\n]{0,30}\b(?:user|you|operator|admin|owner|all|everything|no|there)\b|\bpretend\b[^.\n]{0,40}\b(?:policy|rules?|polic(?:y|ies)|restrictions|filters?|safety|approval|consent|user|admin|operator)\b",
    ),
    (
        "secrecy",
        r"\b(?:and|but|,) ?(?:do not|don'?t|never|without)\b[^.\n]{0,12}\b(?:explain(?:ing)?|mention(?:ing)?|comment(?:ing)?|say(?:ing)?|disclos(?:e|ing)|reveal(?:ing)?|admit(?:ting)?|tell(?:ing)?|ask(?:ing)?)\b[^.\n]{0,16}\b(?:why|it|so|omission|anything|anyone|this|that|reason|change|user|on it|about)\b|\b(?:and|then) (?:say nothing|keep (?:quiet|silent)|stay silent|tell no ?one)\b|\b(?:conceal|hide|cover up|obscure|suppress)\b[^.\n]{0,24}\b(?:this (?:instruction|note|rule|memory|message)|the (?:result|output|change|action|fact|truth|omission|command|error)|it from|that you|from (?:the )?(?:user|operator|log|admin|reviewer|everyone))",
    ),
    (
        "secrecy",
        r"\bso that (?:the )?(?:filter|gate|scanner|moderator|reviewer|operator|user|admin|monitor|audit|nobody|no one)\b[^.\n]{0,30}\b(?:not|n'?t|never|fails?|misses|cannot|unaware|notices?)\b|\b(?:sembunyikan|tutupi|rahasiakan)\b[^.\n]{0,30}\b(?:hasil|hasilnya|pengguna|operator|ini|perubahan|dari)\b|\btanpa (?:bertanya|bilang|pemberitahuan|menanyakan|memberi tahu)\b[^.\n]{0,40}\b(?:dan|hapus|kirim|ubah|jalankan|pengguna|dulu|siapa)|\b(?:jalankan|hapus|kirim|ubah|setujui)\b[^.\n]{0,40}\btanpa (?:bertanya|bilang|pemberitahuan|persetujuan|menanyakan)\b",
    ),
    (
        "secrecy",
        r"\b(?:ne (?:dis|dites|parle|mentionne|revele)[a-z]* (?:pas|jamais|rien)|sag(?:e|en sie)? (?:es |dem |der |niemandem|nichts)[^.\n]{0,20}|no (?:le )?(?:digas|menciones|reveles|informes)|non dire|vertel (?:het )?(?:niet|de gebruiker)|nao (?:diga|conte|mencione))\b[^.\n]{0,30}\b(?:utilisateur|personne|benutzer|nutzer|niemand|usuario|nadie|utente|gebruiker|usuario|note|notiz|nota|nichts|niet)\b|\b(?:recommande toujours|empfiehl immer|recomienda siempre|antworte (?:immer|auf alles|nur)|reponds toujours|responde siempre)\b|\bab (?:jetzt|sofort|heute) (?:hast|gibt|gelten|gilt|antworte|ignorier)\b|\b(?:keine (?:einschrankungen|regeln|grenzen) mehr|sans (?:restrictions|limites|filtre)|sin (?:restricciones|limites|filtros)|senza (?:restrizioni|limiti)|zonder (?:beperkingen|regels)|sem (?:restricoes|limites))\b",
    ),
    (
        "exfiltrate",
        r"\b(?:extract|collect|harvest|gather|record|capture|memori[sz]e|save|note)\b[^.\n]{0,50}\b(?:and|then)\b[^.\n]{0,12}\b(?:post|send|publish|forward|upload|share|email|leak|transmit)\b|\b(?:dump|leak|exfiltrate|steal)\b[^.\n]{0,24}\b(?:memory|memories|prompt|users?|data|secrets?|context|tokens?|credentials|passwords?|keys)\b[^.\n]{0,24}\b(?:of|for|to|from|all|users?|everyone)\b|\b(?:ask|trick|get|persuade|convince|tell)\b[^.\n]{0,40}\b(?:user|them|customer|person|next user|everyone)\b[^.\n]{0,60}\b(?:for|enter|type|share|give|reveal|paste|send)\b[^.\n]{0,12}\b(?:their|his|her|the)? ?(?:passwords?|credentials?|tokens?|card|pin|otp|api keys?|secrets?|recovery|mfa|2fa|codes?)\b",
    ),
    (
        "exfiltrate",
        r"\b(?:transfer|wire|pay|move|refund|send)\b[^.\n]{0,40}\b(?:budget|money|funds|balance|payment|amount|salary|crypto|invoice|bitcoin)\b[^.\n]{0,30}\b(?:to|into)\b[^.\n]{0,20}\b(?:account|wallet|iban|address)\b|\b(?:change|replace|swap|redirect|alter|switch|set)\b[^.\n]{0,24}\b(?:the )?(?:recipient|payee|bank account|iban|wallet|beneficiary|account number|payment address)\b",
    ),
    (
        "fake_tool",
        r"\b(?:next time|whenever|when|each time|every time|once|as soon as|if)\b[^\n]{0,70}\b(?:tool|plugin|function|shell|terminal|browser|connector|memory|invoice|calendar|mail)\b[^\n]{0,80}\b(?:without (?:asking|telling|confirm|approval|permission|notice)|silently|secretly|quietly|say nothing)",
    ),
    (
        "command_to_model",
        r"\b(?:whoever|whichever|any(?:one| model| assistant| ai| agent| bot| llm)|the (?:model|ai|assistant|agent|bot|llm))\b[^.\n]{0,24}\b(?:reads?|reading|sees?|seeing|loads?|loading|process(?:es|ing)|recalls?|recalling)\b[^.\n]{0,20}\b(?:this|note|memory|line|these|it|should|must)\b|\b(?:note|message|reminder|instructions?|memo|notice|attention|hint|warning|catatan|pesan|pengingat) (?:to|for|untuk|bagi) (?:the |any |all |every |future )?(?:model|ai|assistants?|bot|agents?|llm|chatbot|language model|asisten|system|copilot|claude|gpt)\b|\b(?:attention|dear|hey|hello|hi) (?:ai|assistant|model|bot|agent|llm|chatbot)\b|\bplease memori[sz]e\s*:",
    ),
    (
        "command_to_model",
        r"\b(?:assistant|ai|model|chatbot|llm|bot|agent|asisten)\b[^.\n]{0,16}\b(?:should|must|may|can|is free to|is allowed to|will|shall|boleh|harus|wajib)\b[^.\n]{0,20}\b(?:lie|lies|deceive|mislead|conceal|hide|fabricate|invent|impersonate|leak|pretend|withhold|downplay|exaggerate|berbohong|menyembunyikan|spy|manipulate|obey|bypass|skip|ignore)\b|\b(?:bot|assistant|ai|agent|model) (?:approves|accepts|confirms|grants|authori[sz]es|merges) (?:its|all|any|every|own)\b|\bnever wait for (?:a |an |any )?(?:human|approval|operator|reviewer|user|confirmation)",
    ),
    (
        "command_to_model",
        r"\b(?:do|follow|obey|execute|perform|carry out|comply with|turuti|ikuti|patuhi|jalankan|laksanakan)\b[^.\n]{0,24}\b(?:whatever|everything|anything|all|any|every|semua|setiap|apa ?pun)\b[^.\n]{0,40}\b(?:pages?|documents?|texts?|e?-?mails?|websites?|tool outputs?|retrieved|attachments?|files?|results?|says|tells you|tell you|dokumen|halaman|berkas|perintah|instruksi|user says|commands?|instructions?)\b",
    ),
    (
        "command_to_model",
        r"\b(?:prefers?|wants?|likes?|wishes|requires?|insists|expects|asked|instructed|ordered|approved|agreed|confirmed|decided|authori[sz]ed|practice|policy|rule)\b[^.\n]{0,30}\bthat (?:you|the (?:assistant|bot|ai|model|agent))\b[^.\n]{0,24}\b(?:never|always|skip|ignore|disable|bypass|approve|omit|hide|not (?:mention|warn|ask|tell)|may|can|obey|stop|delete|reveal|share|do not|don'?t)\b|\bwants? you to (?:disable|skip|ignore|bypass|delete|hide|reveal|approve|share|send|lie|turn off|stop|forget|override)\b|\bthat you (?:never|always)\b",
    ),
    (
        "command_to_model",
        r"\b(?:respond|reply|answer|responses?|replies|answers?)\b[^.\n]{0,12}\b(?:only )?(?:with|in)\b (?:only )?(?:[\x22']|base64|rot13|hex|morse|leet)[^\n]{0,60}|\b(?:reply|respond|answer|say|claim|assert|state|insist) that (?:everything is|all is|nothing|there (?:is|are) no|no (?:problem|issue|risk|incident)|it is safe|the (?:vendor|competitor|product))|\b(?:leave out|omit|suppress|withhold|skip)\b[^.\n]{0,24}\b(?:every|all|any)\b[^.\n]{0,16}\b(?:sentences?|mentions?|references?|warnings?|risks?|facts?|information|details?)\b|\bin every (?:code sample|reply|answer|response|snippet|summary|message|example)\b|\brecommend (?:disabling|turning off|skipping|removing|bypassing)\b",
    ),
    (
        "trust_claim",
        r"\b(?:treat|consider|regard|accept|anggap|perlakukan)\b[^.\n]{0,60}\b(?:as (?:coming |if it came |though it came |being )?(?:from|by) (?:the )?(?:owner|admin|operator|developer|system|root|user|management|boss)|with (?:full|all|admin|root) (?:rights|permissions?|access|privileges))\b|\b(?:berikan|beri|kasih|grant|give)\b[^.\n]{0,30}\b(?:akses (?:penuh|admin|root|total)|full (?:access|rights|permissions?|control)|admin (?:rights|access|privileges))\b|\b(?:store|save|remember|record|keep) (?:this|it|the following) as (?:a |an |the )?(?:rule|policy|instruction|fact that|system|permanent|law|directive)\b|\b(?:approved|authori[sz]ed|sanctioned|cleared) by (?:management|the (?:ceo|cto|owner|admin|operator|security team|developers?)|openai|anthropic|legal)\b[^.\n]{0,40}\b(?:you|the (?:assistant|bot|ai|model|agent)|skip|to (?:skip|ignore|bypass|share|disable))",
    ),
    (
        "role_tag",
        r"^\s*(?:sistem|system|admin|developer|root|operator|pengembang)\s*[:>]|\b(?:instruksi|perintah|aturan|tugas) baru\s*[:-]|\bnew (?:rule|task|policy|directive|order|persona|goal)\s*:",
    ),
    (
        "override",
        r"\bthis (?:note|memory|rule|line|message|instruction|entry)\b[^.\n]{0,40}\b(?:the only|must be|overrides?|wins|comes first|prevails|before any|above (?:all|any|every)|supersedes?|obeyed|binding|is law|outranks?)\b|\b(?:obeys?|serves?|patuh|patuhi|turuti|gehorche|obeis|obedece|obbedisci|gehoorzaam) (?:only |hanya |a |to |pada )?[^.\n]{0,20}\b(?:this (?:note|memory|rule)|catatan ini|cette note|dieser notiz|esta nota|author|pembuat|user u\d)\b|\bonly (?:obey|trust)s?\b|\bobeys? only\b",
    ),
    (
        "override",
        r"\b(?:forget|ignore|disregard|lupakan|abaikan)\b[^.\n]{0,20}\b(?:what|everything|anything|whatever|apa|semua)\b[^.\n]{0,24}\b(?:operators?|developers?|admins?|system|configured|said|told|wrote|taught|dikatakan|diatur)\b|\b(?:policy|rules?|gate|filters?|safety)\b[^.\n]{0,20}\b(?:suspended|no longer (?:apply|bind)|do(?:es)? not bind|tidak (?:ada|berlaku) (?:lagi|batasan)|are void|cancelled)\b|\b(?:as (?:if|though)|like) (?:there (?:were|are) )?no (?:rules|restrictions|filters|policies|limits|safety)\b|\btidak ada (?:batasan|aturan|larangan|filter)\b",
    ),
    (
        "override",
        r"\b(?:have|has|with|given|get|holds?) (?:the )?(?:permission|right|authority|clearance|freedom|authorisation|authorization)s?\b[^.\n]{0,16}\bto (?:ignore|skip|bypass|disable|override|reveal|share|delete|leave|break|disregard|do anything)\b|\b(?:overrides?|replaces?|cancels?|supersedes?) (?:the |all |any |every |your )?(?:polic(?:y|ies)|rules|instructions|guidelines|prompt|gate|safeguards)\b\s*[:;,-]|\b(?:deine|tes|tus|le tue|je|suas|vos|ihre) (?:regeln|regles|reglas|regole|regels|regras|consignes|anweisungen|instructions|instrucciones|richtlinien)\b",
    ),
    (
        "override",
        r"\b(?:override|unlock|bypass|master|activation|debug|access) (?:code|key|word|phrase|command)\b[^\n]{0,24}[:,=-]\s*(?:disable|enable|unlock|skip|reveal|ignore|grant|allow|stop)|\bdisable (?:all )?(?:filter(?:ing|s)|moderation|guardrails|safeguards|safety|the gate|gate checks|content checks)\b|\b(?:act|acts|acting|operate|continue) as (?:root|admin|administrator|the owner|system|the operator|superuser|the developer)\b[^.\n]{0,40}\b(?:and|skip|without|bypass|ignore|then)\b",
    ),
    (
        "new_identity",
        r"\byou(?:'re| are) (?:an?|the|no longer|free|not bound|allowed|hereby|actually|really|secretly|only|my)\b|\byour (?:real |true |new |actual |secret |only )*(?:name|rules?|guidelines|identity|creator|master|purpose|persona|programming|instructions?|restrictions|filters?|directives?|loyalty|maker|policy|policies|training|memory|memories)\b|\b(?:aturan|instruksi|peran|tugas|nama|prompt|batasan|identitas|ingatan)(?:mu| kamu| anda|mu yang)\b|\b(?:from this moment|starting (?:today|now)|effective immediately|mulai (?:hari ini|sekarang|saat ini)|des maintenant|ab heute|a partir de hoy|da oggi)\b[^.\n]{0,40}\b(?:the assistant|assistant|you|kamu|bot answers|model|obeys?|patuh|du|tu|asisten)\b",
    ),
    (
        "system_prompt",
        r"\b(?:repeat|output|print|recite|tell|list|dump|write|display|give|state|quote|spell|ulangi|tuliskan)\b[^.\n]{0,24}\b(?:everything|all|what(?:ever)?|your|semua|apa)\b[^.\n]{0,30}\b(?:told|above|before this|configuration|configured|instructions?|prompt|verbatim|hidden|di ?atas|sebelum ini)\b|\b(?:above|before|preceding|sebelum|di atas) this (?:line|conversation|message|note|point|chat|text)\b|\b(?:configuration|instructions?|prompt|rules) (?:verbatim|word for word|in full)\b",
    ),
    (
        "exfiltrate",
        r"\b(?:include|append|add|attach|paste|put|copy|insert|sertakan|tempel|embed|encode|mention|write)\b[^.\n]{0,30}(?:contents? of \.?env|\.env\b|\b(?:users?'?s?|their|stored|saved|session|all|known|customers?'?s?) (?:e-?mails?|names?|tokens?|passwords?|data|address(?:es)?|secrets?|keys?|memor(?:y|ies)|phone|messages?|history|cookies?|notes)\b)[^.\n]{0,30}\b(?:to|in|into|with|on|di|ke|as)\b[^.\n]{0,20}\b(?:every|each|all|any|the next|next|web|outgoing|setiap|requests?|summar(?:y|ies)|repl(?:y|ies)|answers?|responses?|urls?|links?|messages?|query|headers?|images?)\b|\bupload(?:s)? the (?:session|conversation|chat|memory|history|prompt|notes?)\b",
    ),
    (
        "secrecy",
        r"\b(?:keep|leave|treat)\b (?:this |that |these |it |the (?:note|rule|instruction|memory) )(?:rules?|notes?|instructions?|memor(?:y|ies)|messages?|it|orders?|line|arrangement)? ?(?:as )?(?:secret|hidden|confidential|to yourself|between us|private from|away from the (?:user|operator))\b|\bsay nothing\b|\bnothing about (?:this|it)\b[^.\n]{0,12}\bto\b|\bdeny (?:that|knowing|the existence|having|everything|any knowledge|it)\b|\brahasiakan\b|\bpura-?pura tidak\b|\bif (?:the )?(?:operator|admin|reviewer|user|anyone|auditor)s? asks?\b[^.\n]{0,12}\b(?:deny|lie|say|claim|pretend|answer that|refuse)\b",
    ),
    (
        "trust_claim",
        r"\b(?:pre-?approved|pre-?authori[sz]ed|auto-?approved?)\b|\b(?:approve|accept|confirm|setujui|grant|allow) (?:all|every|any|everything|semua|setiap)\b[^.\n]{0,30}\b(?:pending|facts?|requests?|permintaan|actions?|automatically|otomatis|exports?|transfers?|from|that|without|tool)\b|\b(?:anggap|consider|treat|assume)\b[^.\n]{0,30}\b(?:permintaan|requests?|actions?|everything|semua|confirmation|consent|messages?|user)\b[^.\n]{0,24}\b(?:disetujui|approved|authori[sz]ed|confirmed|granted|trusted|verified|sah|consented|resmi|admin|operator|owner)\b",
    ),
    (
        "trigger",
        r"\b(?:always|selalu|every|each|setiap|all|any|semua|whenever|when)\b[^.\n]{0,50}\b(?:add|adds|say|says|claim|claims|mention|mentions|append|contain|contains|include|includes|insert|recommend|answer|reply|respond|balas|jawab|katakan|tambahkan|sebut|sarankan|promosikan|rekomendasikan|call)\b[^.\n]{0,50}(?:\b(?:best|safest|cheapest|superior|only (?:safe|good|trusted)|is the (?:only|best|safest|fastest)|terbaik|termurah|teraman|the delete|delete tool|di setiap jawaban|in every answer)\b|https?://|\bthe (?:word|phrase|link|sentence)\b|\bkata [\x22'])|\b(?:balas|jawab) (?:semua|setiap)\b",
    ),
    (
        "dangerous_order",
        r"\b(?:delete|wipe|empty|clear|purge|erase|approve|reject|hapus|kosongkan)\b[^.\n]{0,20}\b(?:review queue|antrean tinjauan|memory store|all facts|memories|pending|audit (?:log|trail)|every fact|all users)\b[^.\n]{0,30}\b(?:when|whenever|once|as soon as|automatically|now|immediately|saat|ketika|silently|on read)\b|\bwithout (?:asking|confirmation|approval|permission)\b\s*:|\|\s*(?:sudo )?(?:ba|z)?sh\b",
    ),
    (
        "fake_tool",
        r"^\s*(?:tool|function|action|shell|command)\s*:\s*\S+[,;]|\b(?:args|arguments|params)\s*[:=]\s*|\bcat /etc/(?:passwd|shadow)\b",
    ),
];

/// Giving away something secret; does not count if the sentence forbids it.
pub(super) const GIVEN_AWAY: &str = r"(?:\b(never|not|don'?t|dont|jangan|cannot|can'?t|without|tidak|avoid|stop|prevents?|forbids?|blocks?|nobody may)\b[^.\n]{0,24})?\b(?:bocorkan|ungkapkan|tampilkan|reveal|expose|disclose|leak|share|hand over|divulge|sebutkan)\b[^.\n]{0,24}\b(?:stored|saved|all|the|every|yang|their)?\s?(?:tokens?|secrets?|(?:api |private )?keys|passwords?|credentials|kata sandi|rahasia|memories|memori)\b";
