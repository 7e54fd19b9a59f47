//! The shapes that Indonesian statements have.

use super::{Frame, frame};
use crate::domain::memory::MemoryKind::{Episode, Fact, Preference};
use crate::extract::rules::pattern::Rule;

pub const INDONESIAN: &[Frame] = &[
    frame(
        Fact,
        4,
        true,
        Rule {
            name: "nama",
            pattern: r"^(?:(?:{AKU}) (?-i:[A-Z][a-z]+)(?:,|$| dari| di| kerja)|nama (?:lengkap |panggilan |asli )?(?:{AKU}|ku)|namaku|panggil (?:aja |saja )?(?:{AKU})|(?:{AKU}) (?:biasa |sering )?dipanggil|orang[- ]orang manggil {AKU}|panggilan (?:{AKU})|username (?:\w+ )?{AKU})(?:\s*\S|$)",
            catches: &["nama gue Raka", "panggil aku Nisa aja", "namaku Sari", "gue biasa dipanggil Jo"],
            spares: &["nama file itu apa"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "diri",
            pattern: r"^(?:kan )?(?:{AKU})(?:nya)? (?:tuh |itu |ini |kan |emang |memang |sekarang |udah |sudah |masih |juga |lagi |sih |cuma |aslinya |asli |baru |hampir |(?:\d+|dua|tiga|empat|lima|setengah|beberapa) (?:bulan|tahun|minggu|taun) |setahun |sebulan )*(?:tinggal|domisili|berdomisili|ngekos|ngontrak|menetap|kerja|bekerja|ngantor|freelance|magang|kuliah|sekolah|ngajar|mengajar|seorang|orang|asal|asalnya|asli|lahir|besar di|anak (?:bungsu|sulung|tunggal|ke|pertama|kedua|ketiga|keempat|kelima|terakhir|jurusan|ipa|ips|rantau|kos|desa|kota|teknik|seni|band|motor|gunung|pantai)|tukang|penjual|pemilik|perantau|pekerja|pengusaha|pensiunan|alergi|vegetarian|vegan|muslim|kristen|katolik|hindu|buddha|buta warna|kidal|diabetes|asma|hamil|penderita|pengidap|mahasisw\w+|dosen|guru|dokter|perawat|programmer|developer|dev|(?:backend|frontend|fullstack|full-stack|mobile|android|ios|data|devops|ml|qa|ui/ux|product|software|web|flutter|game) ?\w*|designer|desainer|engineer|pns|karyawan|wiraswasta|pedagang|penulis|freelancer|ibu rumah tangga|petani|sopir|driver|akuntan|analis|manajer|manager|founder|megang|pegang|ngurus|handle|nge-?lead|mimpin|memimpin|jadi (?:\w+ )?(?:lead|guru|dosen|manager|pm|staf|admin|ketua|panitia|bapak|ibu|backend|frontend)|punya|ada anak|nikah|menikah|udah nikah|jomblo|duda|janda|single|puasa|diet|bisa (?:bahasa|ngomong|main|masak|baca)|ngerti|jago|fasih|belajar|pelajari|mempelajari|ngambil (?:s1|s2|s3|jurusan|kursus)|nulis (?:skripsi|tesis|novel|buku)|ngerjain (?:skripsi|tesis|disertasi)|nabung|latihan|les|kursus|persiapan|nyiapin|menyiapkan|mempersiapkan|ngejar|orangnya|anaknya|tipenya|orang yang|tipe(?:nya)?(?: orang)?(?: yang)?|siap-siap (?:buat )?(?:nikah|pindah|ujian)|umur|berumur|berusia|di (?:tim|divisi|bagian|zona|timezone)|dari (?:bandung|jakarta|surabaya|medan|jogja|yogyakarta|makassar|bali|semarang|malang|solo|(?-i:[A-Z])\w+)|minum obat|pengguna|user|fans?|penggemar)\b",
            catches: &[
                "gue tinggal di Bandung",
                "aku vegetarian",
                "saya dosen di UGM",
                "gue lagi belajar Rust",
                "gue kerja di startup logistik",
                "gue punya dua anak",
                "aku alergi udang",
            ],
            spares: &["gue lagi makan", "gue tadi ke pasar"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "alat",
            pattern: r"^{PAKE}nya \S|^(?:{AKU}|kita|kami) (?:tuh |kan |emang |memang |sekarang |udah |sudah |juga |biasanya |selalu |sehari-hari |di kantor |di rumah |lebih sering |sering |cuma |masih )*(?:{PAKE}(?:nya)?|ngoding|coding|nulis kode|deploy|nge-?deploy|host(?:ing)?|nyimpen|nyimpan|simpan|nyatet|nyatat|langganan|naik|nyetir|mesen|main)\s+\S|^(?:{AKU}|kita|kami) (?:udah |sudah |baru |baru aja |akhirnya )*(?:ganti|upgrade|beralih|switch|balik|kembali) (?:ke |pake |jadi |\w+,? )\S+|^(?:{AKU}) (?:di|pakai|jalan di) (?:windows|mac|macos|linux|ubuntu|android|iphone|ios|wsl|arch|fedora|debian)\b",
            catches: &["gue pake Arch", "aku biasanya pakai VS Code", "gue ngoding di ThinkPad", "gue main gitar"],
            spares: &["gue pergi"],
        },
    ),
    frame(
        Preference,
        3,
        false,
        Rule {
            name: "suka",
            pattern: r"^{AKU} (?:(?:tuh|emang|memang|agak|rada|masih) )*(?:kurang|{GA} (?:terlalu |begitu )?) ?(?:paham|ngerti|mengerti|jago|bisa|familiar|pede|terbiasa|biasa|mahir|fasih|lancar|kuat) \S|^(?:kalo |kalau )?(?:{AKU}) (?:tuh |itu |kan |emang |memang |sebenernya |lebih |paling |juga |kurang |{GA} |{GA} begitu |{GA} terlalu |jauh lebih |sangat |cenderung |selalu )*(?:suka(?:nya)?|prefer|seneng(?:nya)?|senang|demen|doyan|cinta|benci|males|malas|hobi(?:nya)?|gemar|anti|gampang (?:bosen|bosan|lupa|capek|sakit|pusing|panik)|hindari|menghindari|ngefans|nyaman(?:nya)?|cocok(?:nya)?|pilih|milih|tertarik|takut|kuat|tahan|bisa makan|makan|minum|boleh makan|ngerokok|merokok)\b\s*\S|^(?:makanan|warna|bahasa|film|lagu|band|buku|klub|tim|minuman|editor|framework|kopi|hobi) (?:\w+ )?(?:favorit|kesukaan|andalan) ?(?:{AKU}|ku)?\b|^.{2,50} (?:favorit|kesukaan|andalan) (?:{AKU})\b|^hobi (?:{AKU}|ku)|^hobiku\b|^(?:lebih suka|prefer|paling (?:suka|benci|males)|{GA} suka|kurang suka)\s+\S",
            catches: &[
                "gue prefer jawaban singkat",
                "aku gak suka kopi",
                "gue lebih suka tabs",
                "hobi gue mendaki",
                "gue ga makan babi",
            ],
            spares: &["gue makan"],
        },
    ),
    frame(
        Preference,
        4,
        false,
        Rule {
            name: "mau_bukan",
            pattern: r"^(?:{AKU}) (?:lebih |selalu |tuh |cuma )?(?:mau(?:nya)?|pengen(?:nya)?|pingin|ingin(?:nya)?|butuh(?:nya)?|minta|prefer|suka) .+\bbukan\b\s*\S|^(?:{AKU}) (?:selalu|cuma|hanya|maunya) (?:mau|pengen|ingin|butuh|minta)?\s*.*\b{GAYA}\b|^(?:{AKU}) (?:mau|pengen|ingin|minta|harap) .*\b(?:selalu|{GAYA}|tiap kali|setiap kali)\b",
            catches: &["gue mau kode bukan teori", "gue maunya jawaban ringkas", "aku pengen kamu jawab dalam bahasa Jawa"],
            spares: &["gue mau makan"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "kebiasaan",
            pattern: r"^(?:{AKU}|kita|kami) (?:\w+ )?(?:selalu|biasa(?:nya)?|jarang|sering|{GA} pernah|rutin|kebanyakan|seringnya|umumnya|tiap|setiap|terbiasa)\s+\S|^(?:tiap|setiap|biasanya|saban) (?:.{2,40}?\b)?(?:{AKU}|kita)\b\s*\S|^(?:{AKU}) .{3,60}\b(?:tiap|setiap|saban) (?:hari|pagi|malam|minggu|bulan|senin|selasa|rabu|kamis|jumat|jum'at|sabtu|sore|weekend|tahun|lebaran)\b|^(?:{AKU}) (?:bangun|tidur|ngantor|mulai kerja|olahraga|lari|renang|gowes|sepedaan|mendaki|naik gunung|puasa|wfh|wfo) .*\S",
            catches: &["gue biasanya kerja malem", "tiap Minggu aku lari pagi", "gue ga pernah ngopi", "saya bangun jam 4"],
            spares: &["gue"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "punya_gue",
            pattern: r"^(?:[\w/+.-]+ ){1,5}?(?:{AKU})(?: itu| tuh| sekarang| namanya| ada| adalah| sih| kan)?,? .*\S|^\w{3,}ku(?: itu| tuh| sekarang| namanya| ada| adalah)? \S",
            catches: &["laptop utama gue ThinkPad X1", "istri saya orang Manado", "zona waktu gue WITA", "anakku umur 5 tahun"],
            spares: &["gue", "aku"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "polos",
            pattern: r"^(?:{AKU}) (?:tuh |emang |memang |kan |selalu |sering |biasanya |cuma |hanya |juga |orang |sekarang |lagi )*(?:jualan|dagang|berdagang|bisnis|ternak|bertani|berkebun|minus|plus|silinder|hamil|solo|menyusui|nyewa|nyicil|ngekos|ngelatih|melatih|nyanyi|ngeband|ngeblog|ngevlog|mancing|melukis|motret|merawat|ngerawat|ngasuh|mengasuh|pensiunan|lulusan|alumni|relawan|anggota|ketua|pengurus|atlet|pelatih|penerjemah|arsitek|notaris|bidan|apoteker|satpam|kurir|ojol|barista|koki|chef|guru|pengacara|konsultan|peneliti|pustakawan|jurnalis|wartawan|fotografer|ilustrator|animator|kontraktor|mekanik|teknisi|pilot|pramugari|tentara|polisi|hakim|jaksa|pegawai|pekerja|wirausaha|introvert|ekstrovert|tuli|disabilitas|disleksia|adhd|autis|intoleran|darah tinggi|maag|vertigo|migrain|keturunan|keturunan|penganut)\b.*",
            catches: &["gue jualan online", "gw hamil 5 bulan", "gue minus 6"],
            spares: &["gue", "gue pesan bakso"],
        },
    ),
    frame(
        Episode,
        3,
        true,
        Rule {
            name: "peristiwa",
            pattern: r"^(?:{AKU}|kita|kami) (?:baru |baru aja |baru saja |barusan |akhirnya |udah |sudah |resmi |bakal |akan |mau |minggu lalu |bulan lalu |kemarin |tahun lalu |bulan depan |tahun depan )*(?:pindah|nikah|menikah|lulus|wisuda|naik jabatan|naik pangkat|promosi|dipromosiin|diangkat|resign|keluar dari|diterima|keterima|cuti|mulai kerja|gabung|bergabung|punya anak|lahiran|melahirkan|jadi ayah|jadi ibu|tunangan|cerai|beli rumah|beli mobil|beli motor|adopsi|rilis|ngerilis|merilis|launching|sidang|operasi|umrah|umroh|haji|berangkat (?:haji|umrah|umroh)|pensiun|dipindah\w*|dimutasi|ganti (?:kerja|kerjaan|tim|jurusan|kantor))\b",
            catches: &[
                "gue baru pindah ke Surabaya",
                "aku baru aja naik jabatan jadi staff engineer",
                "gue cuti melahirkan sampai Maret",
                "kita rilis v2 minggu lalu",
            ],
            spares: &["gue baru makan"],
        },
    ),
];
