//! Words that mark the position of a person: offices, whereabouts, things handed to people, and what programs do as well.
//!
//! Data for `strangers`. All lower case.

word_lists! {
    /// The subset of `HUMAN_VERBS` that is also said of programs.
    DONE_BY_PROGRAMS = "
        uses used needs handles runs ran keeps sets set holds manages hosts hosted does did started starts covers reads
        tracks watches takes added removed changed checks rotates found tests builds merges closed opened got came went gave
        moved made reports reported restarts restarted fixed fixes broke works worked knows does pushed configured installed
        switched disabled enabled deleted dropped renamed created guards answers designs merged cleaned filed introduced
        pakai pake wants truncated verified tested hands showed
    ";
    /// Passive verbs whose agent is as often a program.
    DONE_BY_PROGRAMS_PASSIVELY = "
        generated powered backed provided parsed rendered compiled produced served encrypted hosted emitted scraped indexed
        cached stored used exposed supported required formatted compressed validated loaded executed logged collected
        followed triggered scheduled polled replaced replicated read caused blocked throttled monitored handled processed
        bundled linted transpiled minified routed proxied terminated published consumed enforced detected imported exported
        balanced limited sharded partitioned filtered proxied orchestrated signed-off automated managed shipped backed-up cleaned rotated resolved authenticated authorised authorized terminated secured protected gated invalidated warmed pruned synced synchronised synchronized deduplicated normalised normalized packaged deployed provisioned tracked watched recorded captured translated-by diimbangi dibatasi disaring disinkronkan called invoked inspired licensed sold offered made developed owned-by delimited encoded signed-by computed
        dihasilkan dijalankan dipakai digunakan disediakan didukung diproses dirender diindeks dikompilasi dikirim ditangani
        disajikan dibaca dijadwalkan dikumpulkan run loaded injected measured dibundel watched tracked wrapped queried
    ";
    /// Short participles.
    DONE = "
        done led run found set drawn chosen sent kept held given made built taught proofread overseen drawn hung cut split spun sewn torn
    ";
    /// Indonesian verbs followed directly by the agent.
    DONE_INDONESIAN = "
        ditulis dibuat dikerjakan dipegang diurus diatur disusun dirancang disetujui dibawa dijaga dikelola dipimpin ditinjau
        direview dipinjam disimpan dirawat diajukan diusulkan dikoordinasi dikoordinir ditangani diajari dilatih
    ";
    /// What people take turns in.
    DUTIES = "
        rota roster escalation on-call piket jaga standby shift rotation escalate
    ";
    /// Actions of people that `HUMAN_VERBS` leaves out because they are rarer.
    ONLY_BY_PEOPLE = "
        oversees oversaw trains calibrates calibrated teaches taught inspects inspected repairs repaired drives drove brings
        brought carried orders ordered buys bought pays paid attends attended visits visited phones phoned interviewed
        hires recruits recruited negotiates negotiated audited audits edits edited coaches coached prepares prepared
        waters sweeps soldered welded paints painted sketches sketched photographs counted lends lent borrows borrowed
        forgets complains worries objects commutes phoned teased laughed shouted volunteers substitutes deputises
        vouches vouched curates curated moderates moderated translates translated transcribes illustrated founded
        authored authors compiles-by-hand solders swore promises recommends recommended advises advised persuaded
        convinced agrees disagrees confirmed refuses refused overrides signs signed countersigns relays hosts-by-hand
        invites invited greets mentors mentored supervises supervised dispatches inherits inherited learned learnt
        membawa menjaga memegang mengajar melatih memimpin mengantar menjemput membeli menandatangani mengeluh merawat
        membersihkan mengawasi merakit menagih menghubungi menelepon mengusulkan menyetujui mengundang merancang menyusun
        mengurus menyarankan keberatan bertugas berjaga menginap pulang datang berangkat setuju
    ";
    /// Things that people own, besides those in `HUMAN_THINGS`.
    OWN = "
        baby responsibility duty hobby job side wedding funeral shoes coat mug chair handwriting initials stamp locker drawer
        remarks absence presence signature words code work turn watch domain territory department cubicle bike shelf
        cupboard keys pass passport word promise mistake fault decision departure arrival return retirement successor
        predecessor deputy assistant replacement successor's old former own voice vote memory notebook notes bench
    ";
    /// Said of somebody whom one meets, calls or thanks.
    MET = "
        reach relieve relieves invite invites hired thank thanked meets met visit visits help helps helped teach taught paid
        interview interviewed promote promoted praised blamed consulted phone phoned relieved greet remind reminded
        tell told congratulated mengundang menemui menelepon menggantikan membantu temui jemput
    ";
    WEEKDAYS = "
        senin selasa rabu kamis jumat sabtu minggu
    ";
    HABITS = "
        usually often sometimes rarely personally mostly typically normally biasanya sering kadang
    ";
    KNOWING = "
        pegang memegang tahu tau paham ngerti nulis bikin ngurus minta bilang megang nangani ngerjain urus handle mengurus
        menulis memimpin
    ";
    WHEREABOUTS = "
        away absent responsible accountable sick ill off ooo unavailable available busy travelling traveling retiring
        leaving joining back pregnant vegetarian vegan allergic in-charge charge abroad parental maternity paternity
        vacation holiday sabbatical cuti sakit afk out
    ";
    DEGREES = "
        in on fully mainly currently still now only often always partly usually not never back again also away solely
        ultimately
    ";
    /// Roles that only a person has. `manager` and `client` are programs too.
    OFFICES = "
        engineer developer designer architect founder cto ceo cfo coo owner maintainer author colleague teammate coworker
        intern boss recruiter assignee reviewer approver director analyst administrator sysadmin dba consultant contractor
        secretary accountant president scientist kolega rekan atasan bos manajer kollege kollegin freelancer mentor wife
        husband son daughter brother sister vp pm lead supervisor bookkeeper nurse teacher lawyer dispatcher electrician
        technician foreman librarian pharmacist surveyor caretaker janitor chairman chairwoman chairperson chair treasurer
        trainer instructor translator editor proofreader illustrator researcher professor officer deputy
        penanggung pic ketua kepala teknisi akuntan sekretaris pengembang perancang analis peninjau pemilik admin
        cashier signatory custodian witness auditor inspector facilitator organiser organizer coordinator koordinator
        nominee delegate volunteer apprentice trainee newcomer hire contact person people guy orang attendee participant
        organiser signer keyholder speaker presenter
    ";
    MANAGED_BY_PEOPLE = "
        project product account engineering release office store team line warehouse sales marketing delivery programme
        program general area support operations shift plant site hiring finance hr quality test release-train key
        branch facility facilities logistics procurement community content design data
    ";
    /// Actions done together with a person.
    WITH_PERSONS = "
        shared agreed discussed talk talked talks spoke speak meet meeting met sync paired pair pairs coordinate coordinated
        clarified clarify negotiated arranged planned discuss share confirm confirmed call interview lunch chat consult
        catch-up standup check verify verified 1:1 appointment bicara diskusi rapat janjian koordinasi sepakat ngobrol
        disepakati didiskusikan clear cleared rests lies sits stays
    ";
    /// Actions done to a person.
    TO_PERSONS = "
        handed given assigned delegated lent loaned presented promised demoed explained over belongs reports apologise
        apologize spoke speak talk talked listen hand hands lend brings bring show deliver absen izin pamit minta titip antar complained escalate escalated according thanks credit grateful back
        diserahkan diberikan dipinjamkan tanya lapor laporkan serahkan titip titipkan dititipkan
    ";
    /// What is handed to people.
    HANDED_OBJECTS = "
        draft drafts question questions slides contract keys key badge laptop proposal complaint complaints feedback
        agenda minutes homework form forms note notes letter package parcel copy copies receipts report reports apology invitation compliments thanks regards kunci laptop draf undangan pertanyaan
    ";
    /// Things that come from a person.
    FROM_PERSONS = "
        feedback approval permission advice consent suggestion suggestions complaint complaints idea ideas proposal comment
        comments workaround patch patches sign-off off remark remarks opinion blessing review okay go-ahead persetujuan izin
        masukan saran usulan ide restu tip tips help voicemail
    ";
    SHARED_DUTIES = "
        rotates rotate rotated alternates alternate split shared divided triage shift agreed agreement meeting duty duties
        bergantian gantian
    ";
    FOR_PERSONS = "
        covers covering covered stands substitutes waits waiting fills deputises deputizes interview farewell birthday
        interim replacement menggantikan ask asks asking asked calls look looks wait waits
    ";
    /// Things whose owner follows them in Indonesian.
    OWNED_IN_INDONESIAN = "
        laptop meja rumah istri suami hp ponsel komputer motor mobil loker laci cuti ulangtahun nomor tulisan kubikel
        usulan ide meja tas
    ";
}
