//! Indonesian words that end in -ku or -mu, or begin with ku-, without meaning "my", "your" or "I".
//!
//! Data for `pronouns`. All lower case.

word_lists! {
    /// The last syllable is part of the word.
    WHOLE_WORDS = "
        aku buku paku saku suku siku laku kaku baku beku bangku tengku pangku pemangku kuku teluku mangku berlaku perilaku
        selaku mengaku terpaku membeku dibeku pembaku membaku engku memangku pelaku berliku liku wuku haiku sudoku roku
        heroku raku maluku baku tingkahlaku berbuku pembuku bersuku sesuku berperilaku kelaku sepemangku bunraku goku
        tamu ilmu jamu semu temu bertemu ketemu menemu jemu ramu meramu peramu kamu namu bertamu menjamu dijamu penjamu
        berilmu keilmu racikanjamu setemu pertemu lemu gemu bumu kimu mumu emu shimu diramu terjamu perjamu
        teku deku loku doku toku seku cuku diku miku niku luku juku tuku puku lakuku dibuku diaku diakui kuku
        bengkuku penyu maku sanku danku ekuku sangku merku
    ";
    /// Begins with ku- without meaning "I".
    KU_WORDS = "
        kuasa kuali kukuh kumuh kuartal kunci kuat kurang kursi kuota kue kumpul kuliah kurs kurir kutip kubus kuning
        kualitas kunjung kurung kusut kupas kuras kutub kupon kuis kuitansi kurva kultur kuncian kutu kuku kumis kubu
        kulit kuda kudus kuesioner kurator kurikulum kusen kustom kuliner kumulatif kuadrat kuantum kuantil kurasi kuorum
    ";
}
