//! The neighbours of names: titles, human verbs, things that only people have, and nouns of eponyms.
//!
//! Data for `people`. All lower case except the titles, whose capitals distinguish `Ms` from `ms`.

word_lists! {
    TITLES = "
        Mr Mrs Ms Miss Dr Prof Sir Madam Herr Frau Pak Bu Bapak Ibu Mas Mbak Mba Bang Kang Teh Teteh Kak Om Tante Cak Gus
        Neng Ning Uda Uni Monsieur Madame Mme Senor Senora Don Dona Signor Signora Koh Cici Haji Ustad Ustadz Sdr Sdri mr
        mrs pak mbak Bro Sis Sri Shri Smt Encik Puan Tuan Nyonya Nona Mister
    ";
    /// Also ordinary words; they need a capital or a name after them.
    LOWER_TITLES = "
        bu mas mba bang kang teh kak om tante cak dr prof bapak ibu si bro koh mister mpok kakak neng
    ";
    ASKING = "
        ask asks asking asked ping pinging tell contact email message msg dm notify cc thank consult poke nudge remind
        invite telephone phone whatsapp mention tanya tanyakan hubungi kabari kontak colek ajak minta frag frage demande
        demander pregunta pregunte preguntar meet kata menurut vraag chiedi dear hi hello hey named bernama panggil
        telepon wa namens kontaktiere bother befriend hired hiring fired congratulate appelle contactez
    ";
    /// The subset of these that make even an unknown word a person.
    ASKING_PERSONS = "
        ask asks asked asking ping tell dm cc thank remind hubungi tanya tanyakan kabari colek kata frag frage consult
        nudge poke hired dear hi congratulate demande pregunta contact email phone menurut
    ";
    ASKING_THROUGH = "
        talk talks speak check reach out reached sync pair pairs paired work works worked confirm meeting meet interview
        lunch assigned reports report escalate escalated belongs hand handed over according thanks goes go credit
        coordinate lapor laporkan tanya tanyakan tanyain kirim serahkan diserahkan minta izin owned written reviewed
        approved maintained led designed authored built signed handled managed run created introduced proposed suggested
        requested dibuat ditulis dipegang dikelola diurus disetujui direview dikerjakan milik konfirmasi koordinasi pm
        questions question up chat asked invented route routed send forward transfer call drafted fixed found reported
        decided merged mentored done verified tested supervised vetted chaired hosted borrowed ask married schedule
        scheduled 1 dipimpin ditangani geschrieben verantwortet off issued granted given approval permission advice
        feedback loaned lent trusted entrusted agreed discussed negotiated clarified arranged consulted demoed shared
    ";
    /// The subset of these that make even an unknown word a person.
    ANSWERED_BY = "
        talk speak reports assigned escalate escalated belongs lunch meeting interview thanks credit married
        borrowed handed owned written reviewed approved authored led signed proposed suggested requested drafted decided
        mentored supervised vetted chaired back lapor milik ditulis disetujui dipegang dipimpin direview tanya tanyakan
        izin geschrieben invented pairs paired according issued granted given off approval permission advice feedback
        asked hired loaned lent trusted entrusted taught
    ";
    PREPOSITIONS = "
        to with by ke kepada pada sama dengan oleh for von mit an par por off ama dari from bij bei 1
    ";
    WEAK_BEFORE = "
        by with from and or for to via ke sama dengan oleh buat milik is dan than but only adalah untuk punya because
        since when until if after before unless kalau through per
    ";
    ROLES = "
        lead manager engineer developer designer architect founder cto ceo cfo coo owner maintainer contact author
        colleague teammate coworker intern boss recruiter assignee reviewer named approver director analyst administrator
        sysadmin dba consultant contractor secretary accountant head chief president tester scientist guy girl kolega
        rekan atasan bos manajer kollege kollegin collegue companero friend freelancer client customer mentor wife husband
        son daughter brother sister vp pm po
    ";
    /// Roles that only a person has.
    STAFF = "
        engineer manager developer designer architect colleague teammate coworker intern boss recruiter analyst cto ceo
        cfo founder director sysadmin dba tester kolega atasan manajer kollege kollegin lead maintainer consultant
    ";
    ADVERBS = "
        also usually always never still recently really now probably already currently mostly often originally personally
        strongly just once then has had have will would juga selalu sudah yang biasanya sering lagi lebih udah masih yg
        who can should both only even sometimes rarely explicitly
    ";
    /// Done only by people, never by something that a team runs.
    STRICT_VERBS = "
        prefers likes loves hates dislikes wants thinks believes said says told asked joined quit resigned retired lives
        knows promised agreed sits mentioned suggested insists insisted complained argued remembers forgot mentors studied
        married commutes drinks eats enjoys speaks hired apologised apologized volunteered admitted worries suka bilang
        tinggal cuti resign pengen ngomong berkata mengatakan menyarankan minta ingin sakit menikah mag sagte bevorzugt
        wohnt prefere prefiere dit dice aime vive habite refuses swears objected disagrees disagreed vacations cooks plays
        jokes
    ";
    /// Done by people, and sometimes by a tool.
    HUMAN_VERBS = "
        owns leads wrote writes maintains manages handles built designed invented introduced decided broke fixed fixes
        reviewed reviews approved approves merged left moved works worked owned led created found knows teaches needs uses
        used keeps runs ran set added removed changed proposed reported deployed deploys refactored debugged gave got came
        went took made holds signs signed drafted pegang memegang kerja bekerja pindah mau bikin ngerjain mengerjakan
        nulis menulis punya gabung ngurus mengurus bertanggung menangani mengelola memimpin menyetujui mereview tahu tau
        paham pakai pake does did started starts covers tested verified rotates hosts hosted documented schrieb arbeitet
        leitet betreut travaille gere trabaja escribio escribe chairs supervises coordinates explained presented
        investigated picked spent pushed rolled onboarded triages triaged carries rebuilt rewrote tuned truncated migrated
        reverted restarted rebooted wired switched disabled enabled configured installed upgraded patched cleaned deleted
        dropped renamed opened closed filed noticed spotted discovered trained taught showed noted proofreads checks hands
        wants hates restarts tests merges designs builds babysits watches guards reads tracks plans answers takes
    ";
    OWNING_VERBS = "
        owns leads wrote decided left moved works worked memegang pegang kerja bekerja approved reviewed fixed led
        approves got went chairs explained presented triages
    ";
    HUMAN_STATES = "
        pregnant sick retired married vegetarian vegan allergic cuti sakit afk ooo born leaving hamil unwell ill
        colorblind colourblind
    ";
    SPEECH = "
        said says prefers likes thinks told asked wants owns wrote joined lives knows bilang suka
    ";
    HUMAN_THINGS = "
        laptop machine desk drawer locker cubicle phone macbook iphone ipad birthday wife husband kid kids son daughter email mail inbox
        calendar number address house home salary manager boss account keyboard editor branch fork pr pull patch commit
        commits dotfiles credentials password preference preferences idea opinion proposal approach decision review
        reviews ticket task shift office room car script scripts notebook monitor setup terminal workstation computer pc
        box vacation leave request suggestion advice job work family team timezone schedule approval feedback mother
        father dog cat hometown badge handle nickname mobile cell hours availability ssh key personal private github slack
        telegram linkedin partner comment comments notes draft report design refactor refactoring fix change changes code
        server hp
    ";
    OLD_OR_NEW = "
        old new work home personal own first last main private mobile favourite favorite local two dev
    ";
    TEAMS = "
        platform infra infrastructure backend frontend mobile product marketing sales operations ops devops sre qa hr it
        research growth billing payments checkout search identity finance legal support security accounting design
        engineering data procurement
    ";
    /// Words that are usually given names when capitalised at the end of a clause.
    MOSTLY_NAMES = "
        mark will bill frank jack pat rob sue dean gene glen jay carol ken bob peg nick mason taylor parker robin harry
        grace hope dawn heather drew josh jimmy jenny spencer penny ivy lily daisy holly rosemary barb ernest victor gail
        bonnie hazel matt jean ned gus wes wade clay trey chuck don rose joy amber carter cooper hunter tucker noel paige
        pearl iris sandy bagus indah bintang putri putra wahyu surya dewa citra mega intan bayu guntur cahaya melati sari
        gita kartika lestari utami rahmat maya vera chase lance miles
    ";
    /// Done to a text or a program by its author or reviewer, whatever their name.
    AUTHORED = "
        wrote rewrote fixed merged reviewed approved designed refactored debugged broke drafted proposed retire explained presented
        invented authored decided argued menulis mereview menyetujui memimpin
    ";
    /// Words that start sentences about screens, limits and parts.
    NOT_STARTERS = "
        page chip lane max star chance kit law quest scout trip skip tab dot rod rock cliff brook stone storm genesis sky
        bay crystal jade amber violet ruby pearl king queen guy may will grant lance miles reed wood cola cal cam nova
        script forest lake river ocean rain lyric justice heaven gray grey norm major marshal trinity destiny wells hawk
        fox wolf buddy bud rich dana baik utama permata cinta
    ";
    /// Names that are also things which a team runs and describes as if they acted.
    MACHINES = "
        jenkins kibana prometheus claude gemini alexa siri cortana echo atlas aurora helm django tempo thanos hermes
        gradle maven karma jest jira solana monday friday swift dart elixir haskell go rust
    ";
    CODE_NAMES = "
        codename codenamed project proyek projekt branded mascot hurricane saint st fort lake mount port san santa sao los
        new tel el
    ";
    /// Before one of these, a capitalised word names a thing even without an article.
    TOOL_NOUNS = "
        proxy framework theme font fonts icon icons library language protocol dataset datasets parser linter compiler notation scale
    ";
    /// In capitals after a word, these make it a product: `Oscar EMR`.
    PRODUCT_KINDS = "
        emr erp crm api cli sdk db os ide mq ehr lis cms lms bi css js ml ui pos wms tms mes plm vpn sso pdf ocr etl hmi plc rtos
    ";
    /// Before one of these, `the X …` is a thing with a name.
    THINGS = "
        service services cluster framework library plugin module engine runtime protocol algorithm theme font database
        chart cli sdk api language compiler project region release queue server job jobs pipeline agent agents controller
        dashboard dashboards test tests suite image container operator collection app bot tool tools package crate gem
        client driver index table topic model models connector instance instances version office datacenter datacentre
        data zone campus site conference endpoint button period browser parser linter optimizer scheduler proxy gateway
        worker workers namespace repository schema format notebook notebooks ci cloud mascot room building time timezone
        script shell editor program experiment platform stack product integration interpreter
    ";
    /// Before a capitalised word, these make it the name of a thing: `Storm Ciara`, `varietas Bima`.
    BEFORE_NAMES_OF_THINGS = "
        storm typhoon hurricane cyclone ferry vessel trawler variety cultivar topan badai siklon varietas pulau gunung sungai
        danau teluk selat candi lake mount river cape isle kepulauan nusa tanjung kota distrik kecamatan kabupaten provinsi kelurahan universitas stasiun halte bandara pelabuhan
    ";
    /// The same, unless the word is a given name: `ruang Melati`, not `ruang Ratna`.
    BEFORE_NAMES_OF_ROOMS = "
        ruang ruangan aula gedung wisma terminal simpang taman pasar kapal merek merk brand
    ";
    /// Things that a list of capitalised words may be names of.
    NAMED_THINGS = "
        shades colours colors rooms printers robots servers models sizes flavours flavors varieties breeds boats ships ovens
        kilns vans trucks pumps machines tanks lines products brands fonts themes releases branches environments clusters
        databases tables projects halls wards wings classrooms houses streets tunnels bells looms presses ruangan warna mesin
        printer varietas kapal oven
    ";
    /// Things that have a location: after these, `in` says where.
    PLACES = "
        office offices plant plants warehouse warehouses branch branches site sites factory factories depot depots store stores shop shops
        hub hubs clinic clinics hospital school schools lab labs headquarters hq campus studio workshop centre center centres centers
        datacentre datacenter region regions server servers cluster clusters hosted located based situated opened opens built conference
        meetup fair trade event stop stops station stations stock customers suppliers kantor cabang gudang pabrik toko klinik sekolah
        berlokasi terletak berada dibuka buka pameran konferensi stasiun pelanggan pemasok
    ";
    /// With one of these, a city's name means the city.
    TRAVELS = "
        flight flights ferry ferries ship ships train trains bus buses coach tram route routes road roads line lines rail railway
        motorway depot warehouse port lands departs shipped freight cargo km kilometres miles kapal kereta pesawat penerbangan
        berangkat gudang pelabuhan rute jalur tol
    ";
    /// Capitalised after a word, these make it a place: `Carson City`.
    PLACE_NOUNS = "
        city valley hill hills bay beach springs falls island islands park county airport station university hospital school
        bridge river lake mountains heights harbour harbor depot campus terminal square street avenue
    ";
    EPONYM_NOUNS = "
        theorem law laws algorithm algorithms distance distances clock clocks timestamp timestamps filter filters number
        numbers rule principle paradox sequence heap heaps tree trees trie code codes coding transform transforms
        conjecture equation equations formula constant effect curve curves notation form diagram diagrams cipher score
        scores coefficient coefficients index similarity correction estimator distribution distributions variable
        inequality lemma kernel smoothing sort search calculus complexity exchange set cut razor triangle bound entropy
        loss metric regression prior optimizer chain chains hash signature signatures process machine completeness
        automaton hierarchy game syndrome interpolation matrix integral series norm inference typing operator combinator
        classifier scheme argument quadrant circle hypothesis maxim parser star cube mean test tests criterion arithmetic
        multiplication reduction sampling
    ";
    /// The subset of these that nobody uses for their own work.
    STRICT_EPONYM_NOUNS = "
        theorem law paradox conjecture lemma inequality razor distance notation optimizer cipher trie transform theorem's
        hypothesis principle exchange triangle entropy curve syndrome automaton
    ";
    EPONYM_ADJECTIVES = "
        logical false prime key minimum shortest string hash type spanning state vector edit public discrete fast normal
        strangler graph
    ";
    /// What follows a verb when somebody acts.
    OBJECTS = "
        the a an all every each up down off out our it this that on in at from for new two most both
    ";
    /// Verbs after a plural noun: the capitalised word before is part of that noun.
    AFTER_PLURAL = "
        are is happen start begin finish end complete cost close overlap stop go come show list count appear contain
        include require expire must take should can will need were run fail use have may do
    ";
}
