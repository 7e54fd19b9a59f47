//! The gate's rules as data: what each catches, what it must catch, and what it must let pass.
//!
//! The tests beside this file run these texts, so that the description of a rule stays true.

use super::reading::Reading;
use super::{Finding, contact, hosts, identity, links, obfuscation, paths, people, places, pronouns, secrets};
use crate::domain::likeness;

/// A fact at least this similar to labelled ones that point at somebody is refused. Between 0.6 and 0.75, a higher value refuses
/// fewer plain facts (7, 6, 4 and 3 of 356) and lets few more disguises pass.
const LIKE_AN_IDENTITY: f32 = 0.7;

/// One rule of the gate.
pub struct Rule {
    /// Its name in a refusal.
    pub name: &'static str,
    /// One line for people.
    pub catches: &'static str,
    /// Texts that it must catch.
    pub must: &'static [&'static str],
    /// True team facts that look similar and must pass the whole gate.
    pub must_not: &'static [&'static str],
    find: fn(&Reading) -> Vec<(usize, usize)>,
}

impl Rule {
    /// Spans of the original text.
    pub(super) fn findings(&self, reading: &Reading) -> Vec<Finding> {
        (self.find)(reading)
            .into_iter()
            .map(|(from, to)| {
                let (start, end) = reading.folded.original_span(from, to);
                Finding { rule: self.name, start, end }
            })
            .collect()
    }
}

/// In the order in which `rules_fired` lists them.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "first_person",
        catches: "I, my, we, our, saya, kami, laptopku: somebody speaking",
        must: &[
            "I prefer tabs over spaces",
            "The cluster is on my laptop",
            "Tolong deploy lewat laptopku",
            "We deploy on Tuesdays",
            "Send it to us before noon",
        ],
        must_not: &[
            "Heavy I/O runs at night",
            "Phase I ends in March",
            "The US region is the default",
            "GET /users/me returns the session",
            "Settings live in my.cnf",
        ],
        find: pronouns::first,
    },
    Rule {
        name: "second_person",
        catches: "you, your, kamu, Anda, timmu: somebody spoken to",
        must: &["Your branch must be rebased", "Anda harus memakai VPN", "Tanya timmu dulu"],
        must_not: &["The dialog shows \"Are you sure?\" before deleting", "Videos are on YouTube"],
        find: pronouns::second,
    },
    Rule {
        name: "person_name",
        catches: "names of people, with or without a title, surname or possessive",
        must: &[
            "Ask Priya about the migration",
            "Budi owns the billing service",
            "The laptop is Dana's",
            "Pak Joko menyetujui rilis",
            "ping budi before deploying",
            "Mark said the cache is cold",
            "The scanner was dropped by Nkechi in June",
            "Serahkan formulir ke Tumelo",
        ],
        must_not: &[
            "Dijkstra's algorithm finds the route",
            "Jenkins runs the nightly build",
            "Mark the ticket as done",
            "Will the build fail without a lock file is documented",
            "The region is Frankfurt",
            "Grace period is 30 seconds",
            "Traffic is balanced by Zorvex",
            "The Carson City depot closes at 18:00",
        ],
        find: people::names,
    },
    Rule {
        name: "person_reference",
        catches: "she, he, or a private life without a name",
        must: &["She prefers short answers", "The user lives in Bandung"],
        must_not: &["If the user prefers reduced motion, animations are off", "The operator approves the fact"],
        find: places::references,
    },
    Rule {
        name: "email",
        catches: "e-mail addresses, also spelled out",
        must: &[
            "Write to dana@example.org.",
            "Mail dana at example dot org",
            "dana [at] example.org",
            "ｄａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ",
        ],
        must_not: &["Install react@18.2.0", "The image is pinned by @sha256:4f2a", "Clone with git@github.com:tokio-rs/axum.git"],
        find: contact::emails,
    },
    Rule {
        name: "handle",
        catches: "account names on chat and code sites",
        must: &["Reviews go to @dana_k", "The Slack handle is dkarp99", "On Discord the moderator goes by velvet_otter"],
        must_not: &[
            "@Component marks the class",
            "@types/node is pinned",
            "@media queries live in one file",
            "@daily runs at midnight",
        ],
        find: contact::handles,
    },
    Rule {
        name: "phone",
        catches: "telephone numbers, also in words",
        must: &[
            "Call +62 812 3456 7890",
            "The hotline is 0812-3456-7890.",
            "Dial oh eight one two three four five six seven eight",
        ],
        must_not: &[
            "Ports 9000-9999 are reserved",
            "The release of 2024-01-15 is stable",
            "RFC 9457 shapes errors",
            "The file has 1234567890 bytes",
        ],
        find: contact::phones,
    },
    Rule {
        name: "payment_account",
        catches: "card and bank account numbers with valid check digits",
        must: &["The card is 4539 1488 0343 6467", "Pay to DE89 3704 0044 0532 0130 00"],
        must_not: &["The trace id is 1234567812345678"],
        find: identity::cards_and_accounts,
    },
    Rule {
        name: "national_id",
        catches: "identity numbers and hardware addresses",
        must: &["NIK 3174012501900003 is on file", "SSN 123-45-6789", "MAC 3c:22:fb:1a:9e:01"],
        must_not: &["The id 550e8400-e29b-41d4-a716-446655440000 is a UUID"],
        find: identity::national_ids,
    },
    Rule {
        name: "ip_address",
        catches: "addresses of machines, but not loopback",
        must: &["The VPN gateway is 10.8.0.1", "Whitelist 203.0.113.0/24", "The host is 10[.]0[.]3[.]7", "Use 2001:db8::42"],
        must_not: &[
            "Bind to 0.0.0.0",
            "Metrics listen on 127.0.0.1:9090",
            "Version 1.2.3.4 fixed it",
            "The BIOS went from 1.0.12.4 to 1.0.13.0 on all gateways",
            "::1 is allowed",
            "std::io is used",
        ],
        find: hosts::addresses,
    },
    Rule {
        name: "hostname",
        catches: "names of a team's own servers and sites",
        must: &["The staging API is at staging.example.com.", "Backups go to db-prod-3.internal"],
        must_not: &[
            "The entry is in main.rs",
            "Block rules live in settings_blocks.data.blockRules",
            "Docs are on docs.rs",
            "The server is Node.js",
            "org.apache.kafka is shaded",
        ],
        find: hosts::names,
    },
    Rule {
        name: "device",
        catches: "names of devices and single servers",
        must: &[
            "Builds run on Serebanos-MacBook-Air",
            "Log in to Danas-iPhone",
            "DESKTOP-4F7K2 is the build box",
            "ip-10-0-3-7 is slow",
            "db-prod-3 is the primary",
            "Printing goes through print-hq-3f on the third floor",
            "The demo phone shows up as Bettinas iPhone",
        ],
        must_not: &["us-east-1 is the region", "node-18 images are gone", "UTF-8 everywhere"],
        find: hosts::devices,
    },
    Rule {
        name: "link",
        catches: "links with a user, a password, a profile or a team's own host",
        must: &["Clone https://bob:pw1234@git.example.com/x", "See linkedin.com/in/dana-k", "See github.com/danak"],
        must_not: &["See https://docs.rs/axum", "The site is https://github.com/tokio-rs/axum"],
        find: links::links,
    },
    Rule {
        name: "user_path",
        catches: "paths through somebody's home",
        must: &["Logs are in /home/dana/logs", "Open /Users/dana/x", "C:\\Users\\Dana\\x holds it", "See ~dana/notes"],
        must_not: &["The app lives in /home/app", "Keys are in ~/.ssh/config", "GET /users/42 returns it"],
        find: paths::user_paths,
    },
    Rule {
        name: "secret",
        catches: "keys, tokens and passwords of known formats",
        must: &[
            "The key is AKIAIOSFODNN7EXAMPLE.",
            "password is hunter2",
            "api_key=sdf87sdf6g",
            "kata sandinya rahasia123",
            "Use ghp_16C7e42F292c6912E7710c838347Ae178B4a.",
        ],
        must_not: &[
            "The password is rotated every 90 days",
            "Tokens expire after 15 minutes",
            "The api_key setting is read from the environment",
        ],
        find: |reading| secrets::find(&reading.folded),
    },
    Rule {
        name: "street_address",
        catches: "street addresses and coordinates",
        must: &["The office is at 742 Evergreen Terrace", "Kirim ke Jl. Sudirman No. 5", "Lindenstraße 5 is the door"],
        must_not: &["Spring 6 is in use", "The road map is in the wiki"],
        find: places::streets,
    },
    Rule {
        name: "birth_date",
        catches: "dates of birth",
        must: &["Born on 12 May 1990", "date of birth: 1990-05-12"],
        must_not: &["The date_of_birth column is nullable"],
        find: places::birth_dates,
    },
    Rule {
        name: "disguised",
        catches: "names spelled letter by letter or in leetspeak",
        must: &["Ask d a n a about it", "B.u.d.i owns it", "d4n13l has the key"],
        must_not: &["k8s runs it", "Options a b c d exist"],
        find: obfuscation::disguised_names,
    },
];

/// Applied to the whole text if no other rule objects.
pub(super) const WEIGHED: Rule = Rule {
    name: "likeness",
    catches: "a person or a secret that no single word gives away; it reads like labelled texts that do",
    must: &[
        "The only left-handed welder on nights has diabetes",
        "The vault word is tangerine, capital T, then the digits six oh six",
        "the seating plan was redrawn by luzia moreno after lunch",
    ],
    must_not: &[
        "The on-call engineer restarts the queue",
        "Whoever closes the shop sets the alarm",
        "Passwords have at least fourteen characters",
    ],
    find: |reading| {
        let hidden = likeness::identity(reading.text()) >= LIKE_AN_IDENTITY;
        if hidden { vec![(0, reading.text().len())] } else { Vec::new() }
    },
};

/// Refused before any rule runs: the rules cannot read such a text.
pub(super) const UNREADABLE: &[(&str, &str)] = &[
    ("too_long", "more than 4 KiB"),
    ("hidden_text", "controls that hide or reorder text"),
    ("mixed_script", "words that mix alphabets"),
    ("unreadable_script", "mostly letters that the rules cannot read"),
    ("encoded", "something above, behind an encoding"),
];
