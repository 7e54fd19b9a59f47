//! Function words that tell languages apart, and words that introduce quoted screen text.
//!
//! Data for `reading`. All lower case.

word_lists! {
    ENGLISH = "
        the is are of to and for with by must not from that this has have was be before after every when uses use at
        should can
    ";
    INDONESIAN = "
        yang dan untuk dengan tidak ini itu ada dari adalah harus bisa sudah jangan kalau kalo karena oleh atau juga akan
        telah dalam setiap semua pakai pake lebih lagi ke di yg utk dgn gak ga nggak enggak udah aja suka tim biar sama
        punya tiap selalu sering belum masih mau nya sebelum setelah saat tolong tanya kirim jalankan
    ";
    GERMAN = "
        der das und ist nicht mit fur auf ein eine einen den dem wird sind zu vom nach bei uber immer lieber auch werden
        wurde
    ";
    FRENCH = "
        le la les des est une un et pour dans avec sur pas du sont que au aux
    ";
    SPANISH = "
        el los las para con es una que por en del se un la al esta siempre
    ";
    SCREEN_WORDS = "
        dialogue display displays popup kiosk
        button dialog label message banner page tooltip error title heading screen toast prompt placeholder link reads
        shows string subject menu tab prints returns copy tombol pesan layar judul says asks step labelled labeled greets
        state reading caption teks tulisan menampilkan modal checkbox headline logs alert template footer
    ";
}
