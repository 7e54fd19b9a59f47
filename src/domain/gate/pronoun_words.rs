//! The pronouns, and the neighbours that show that a word is not one.
//!
//! Data for `pronouns`. All lower case.

word_lists! {
    /// Words that are always pronouns, in any language.
    FIRST_ALWAYS = "
        myself ourselves saya aku gue gw kami kita punyaku milikku diriku ogut ich wir unser unsere unserem unseren
        unserer unseres mein meine meinem meinen meiner mich je nous notre nosotros nosotras nuestro nuestra nuestros
        nuestras minha minhas nosso nossa nossos nossas mijn onze guweh imho iirc afaik noi nostro nostra nostri
    ";
    SECOND_ALWAYS = "
        thee thy thine
        you your yours yourself yourselves anda kamu kalian kau engkau punyamu milikmu dirimu kowe sampeyan panjenengan
        dich dein deine deinem deinen deiner euch eure eurem euren vous votre usted ustedes vosotros vuestro vuestra voce
        voces jouw jullie youre yall vostro vostra
    ";
    /// Pronouns only in an Indonesian sentence.
    FIRST_INDONESIAN = "
        gw3 gwe gueh aq akyu akuh
        gua ane ana beta hamba w
    ";
    SECOND_INDONESIAN = "
        lo lu elo elu loe ente antum situ
    ";
    /// Pronouns of other languages, counted only if nothing in the text is English.
    FIRST_ELSEWHERE = "
        jag jeg moja moje moj mojego nasz nasza nasze kulo abdi urang aye eu meu meus benim bizim minun meidan mitt mina
        mig mimi yangu wetu yetu mera meri hamara mujhe toi ako akin natin namin mio mia miei muj nase awakku ahu yo wij
        io
    ";
    SECOND_ELSEWHERE = "
        twoj twoja twoje wasz sizin sinun din ditt dina wewe yako tera teri aap ikaw iyong tuo tua tuoi seu teu jij je
        maneh sliramu awakmu tvuj
    ";
    FIRST_GERMAN = "
        mir uns
    ";
    SECOND_GERMAN = "
        du dir
    ";
    FIRST_FRENCH = "
        mon ma mes moi nos
    ";
    SECOND_FRENCH = "
        tu ton ta tes toi vos
    ";
    FIRST_SPANISH = "
        yo mi mis me meu eu
    ";
    SECOND_SPANISH = "
        tu tus te ti
    ";
    /// A Roman numeral, not a pronoun, after one of these.
    NUMBERED = "
        phase part type class tier level section volume chapter appendix stage war step table figure title act book
        article annex schedule grade category generation gen profile group round option letter capital character dotless
        turkish variable index fase tahap bagian bab tipe kelas huruf vitamin element key pillar milestone wave batch mode
        case quarter revision mark an uppercase lowercase variant node pod team ring box point item row counter iterator
        indeks variabel subscript column flag axis
    ";
    AFTER_SMALL_I = "
        am was have had think prefer use like want need work will would can cannot do dont always never usually mostly
        keep run live hate love know own got ve m d ll just really also still should could did made wrote moved switched
        set believe guess find deploy handle maintain write test review said told say
    ";
    /// `mine` is a verb or a place to dig unless one of these comes before it.
    BEFORE_MINE = "
        is are was were of than like be as with on and not from at
    ";
    BEFORE_COUNTRY = "
        the and or in non eu eu, uk a per few some
    ";
    AFTER_COUNTRY = "
        east west region customers keyboard layout eu or market data dollars locale english holidays users tax cluster
        zone tenant tenants traffic latency timeout per resolution precision
    ";
    /// Things that end in -ku or -mu only when they belong to somebody.
    OWNED = "
        laptop komputer mesin hp ponsel tim akun kode meja rumah nama email surel nomor alamat bos atasan istri suami anak
        teman rekan repo branch cabang editor terminal kantor kata menurut untuk bagi pada kepada dari dengan jadwal
        kalender server proyek tugas kerja pekerjaan gaji cuti mobil motor dompet rekening sandi password token bantu beri
        hubungi tanya kunci bukuku buku catatan layar keyboard ibu ayah bapak adik kakak keluarga kota kamar hidup hari
        milik lokal setup konfigurasi config folder direktori pendapat saran pilihan favorit bahasa timezone vscode vim
        monitor macbook iphone android
    ";
    /// Verbs with the prefix ku-: speakers say what they did.
    KU_VERBS = "
        buat pakai pake simpan tulis kirim pasang jalankan suka punya miliki kerjakan pilih gunakan set
    ";
    /// Pages of a site, not accounts.
    PAGES = "
        account profile orders tickets tasks settings work issues requests reviews cart files drive apps devices teams
        team dashboard bookings invoices payments
    ";
}
