//! What the user is, has and does, in English.

use super::{Frame, frame};
use crate::domain::memory::MemoryKind::Fact;
use crate::extract::rules::pattern::Rule;

pub const WHO: &[Frame] = &[
    // Who the user is.
    frame(
        Fact,
        4,
        true,
        Rule {
            name: "name",
            pattern: r"^(?:my (?:full |first |last |real |nick|user|git(?:hub|lab) |preferred |middle )*(?:name|handle|username|nickname|pronouns?)(?: is|'s| are| on \w+ is)|(?:please |just |you can |you may |feel free to )*call me|the name(?:'s| is) (?-i:[A-Z])|i (?:also )?go by|(?:everyone|everybody|people|friends|they all|most people) calls? me|i am called|i prefer to be called|i am (?-i:[A-Z][a-z]+)(?: (?-i:[A-Z])[\w'-]+)?(?:,| and\b| from\b|$)|(?:please )?use (?:\w+/\w+) pronouns)(?:\s*\S|$)",
            catches: &["my name is Ana", "call me Gut", "my pronouns are they/them", "I go by Sam"],
            spares: &["my name server is down"],
        },
    ),
    frame(
        Fact,
        4,
        true,
        Rule {
            name: "home",
            pattern: r"^(?:i|we) {ADV}(?:live|reside|(?:am|are) {ADV}(?:based|from|living|located|staying|back in (?-i:[A-Z])\w*)|come from|grew up|was born|was raised|have lived|have been living)\b.{0,4}\s\S|^(?:based|living|located|born|raised) (?:in|near|outside|out of) \S|^i am (?:a )?(?:resident|citizen|native) of|^i am {ADV}(?:over )?in (?-i:[A-Z])[a-z]{3,}(?:, (?-i:[A-Z])[a-z]+)?$",
            catches: &["I live in Bandung", "I am based in Berlin", "I am originally from Chile", "based in Lagos"],
            spares: &["I work"],
        },
    ),
    frame(
        Fact,
        4,
        true,
        Rule {
            name: "trait",
            pattern: r"^i (?:am|was|have been) {ADV}(?:not )?(?:(?:a|an|half|part|partly|red-green|strict|lifelong|full|partially|mildly|severely|legally|highly|ovo-lacto|lacto|completely|totally) )*(?:vegetarian|vegan|pescatarian|flexitarian|allergic|intolerant|lactose|celiac|coeliac|gluten|diabetic|colou?r-?blind|deaf|blind|hard of hearing|dyslexic|autistic|neurodivergent|adhd|left-handed|right-handed|ambidextrous|married|single|divorced|widowed|engaged to|retired|pregnant|muslim|christian|jewish|hindu|buddhist|catholic|protestant|sikh|atheist|kosher|halal|asthmatic|bilingual|trilingual|fluent|native (?:\w+ )?speaker|self-taught|freelanc\w+|self-employed|nearsighted|short-sighted|introvert\w*|extrovert\w*|morning person|night owl|early bird|sober|teetotal\w*|wheelchair|nocturnal|epileptic|anemic|anaemic|hypertensive|indonesian|american|british|dutch|german|french|italian|spanish|portuguese|brazilian|mexican|canadian|indian|chinese|japanese|korean|australian|polish|ukrainian|russian|turkish|nigerian|kenyan|egyptian|filipino|malaysian|vietnamese|thai|singaporean|swedish|norwegian|danish|finnish|swiss|austrian|belgian|irish|scottish|greek|argentin\w+|colombian|chilean|peruvian|pakistani|bangladeshi|javanese|sundanese|balinese|batak|minang)\b",
            catches: &[
                "I am vegetarian",
                "I am red-green colorblind",
                "I am allergic to peanuts",
                "I am not a morning person",
                "I am half Dutch",
            ],
            spares: &["I am tired"],
        },
    ),
    frame(
        Fact,
        4,
        true,
        Rule {
            name: "age",
            pattern: r"^i (?:am|just turned|turn|will turn|turned) {ADV}\d{1,3}(?: years? old| yo| now| next| in (?:{MONTH})| and\b|,|$)",
            catches: &["I am 34", "I am 29 years old", "I turned 40"],
            spares: &["I am 2 minutes away"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "role",
            pattern: r"^(?:i (?:am|work as|was hired as|act as|serve as|am working as|freelance as|have been)|we are|i am (?:currently )?employed as) {ADV}(?:an? |the (?:only |sole |lead |main |new |tech |team |head |product |founding |owner |maintainer|admin|author|designer|manager|lead|cto|ceo|oldest|youngest|secretary|treasurer|chair|scrum|release|on-?call|primary)|one of (?:the|our)|part of (?:the|a)|head of|lead of|chief|vp |cto|ceo|co-?founder|founder|captain of|chair of|owner of|president of|on the board|unreachable|reachable|pregnant|hard of|in (?:charge of|sales|marketing|finance|hr|it|legal|procurement|support|ops|operations|research|devops|qa|design|product|accounting|my (?:final|first|second|third|last|\d\w\w) (?:year|semester)|(?:\w+ )?grade|grad school|med(?:ical)? school|law school|high school|college|university|utc|gmt|the (?:[\w-]+ ){1,3}(?:time ?zone|team|squad|department|group|guild|army|navy))|responsible for|on the [\w -]+ (?:team|squad|plan|tier|committee|board|side|rota)|at (?-i:[A-Z])\w*|with (?-i:[A-Z])\w*|with the [\w -]+ (?:team|squad|group|department|crew|unit))",
            catches: &[
                "I am a backend engineer",
                "I am the tech lead of payments",
                "I am on the growth team",
                "I am in charge of releases",
                "I work as a nurse",
            ],
            spares: &["I am the one who asked", "I am at the station"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "work",
            pattern: r"^(?:i|we) {ADV}(?:work|am working|have worked|have been working|was working|freelance|intern|volunteer|consult) {ADV}(?:at|for|in|on|as|with|from|remotely|part[- ]time|full[- ]time|nights?|shifts?|weekends?|out of|under|across|alone|solo|between|the night shift|hybrid)\b",
            catches: &["I work mostly on the iOS app", "I work from home", "I work nights", "I have worked at Acme since 2019"],
            spares: &["I work"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "does",
            pattern: r"^(?:i|we) {ADV}(?:study|teach|manage|lead|maintain|report to|major in|minor in|specialize|specialise|run (?:a|an|my own|the \w+ (?:team|department|shop|project|club|meetup)|our)|own|supervise|mentor|co-?own|co-?maintain|moderate|oversee|coach|handle|look after|take care of|am studying|am teaching|am doing (?:a|my) (?:phd|master\w*|degree|internship|apprenticeship|residency)|am majoring|am enrolled|am getting a (?:degree|phd|master\w*)|attend|go to (?:\w+ )?(?:university|college|school|church|the gym))\s+\S",
            catches: &["I study law", "I maintain the billing service", "I report to the CTO", "I run a bakery"],
            spares: &["I run the tests", "I lead"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "learning",
            pattern: r"^(?:i|we) (?:am|are|have been|have started|started|began|want to) {ADV}(?:learn(?:ing)?|study(?:ing)?|teaching myself|practi[cs]ing|taking (?:\w+ )?(?:lessons|classes|a course)|getting into|picking up|preparing for|prepping for|doing (?:an?|my) (?:\w+ )?(?:master'?s?|phd|bachelor'?s?|degree|doctorate|apprenticeship|internship|residency|traineeship|bootcamp|postdoc|mba|fellowship)|studying for|training for|saving (?:up )?(?:for|to)|training to|writing (?:a|my) (?:book|novel|thesis|dissertation|memoir|phd)|building (?:a|my own|my) (?:\w+ )?(?:house|startup|company|business|compiler|boat|cabin|keyboard|synth)|working toward|working towards|trying to (?:lose|quit|learn|cut down|eat|stop|get better at|become)|restoring|growing)\b",
            catches: &[
                "I am learning Rust",
                "I am training for a marathon",
                "I am writing a novel",
                "I am trying to quit smoking",
            ],
            spares: &["I am writing an email", "I am trying to fix the bug"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "skill",
            pattern: r"^(?:i|we) {ADV}(?:speak|know (?:\w+ )?(?:well|very well|fluently|a lot)|know (?:some|a little|a bit of|basic|enough|no|only|c\b|c\+\+|python|rust|java|sql|go\b|html)|don't (?:know|speak|read|understand) (?:any |much |a lot of )?[\w+#-]+$|am (?:\w+ )?(?:good|bad|terrible|experienced|proficient|fluent|conversational|comfortable|uncomfortable|familiar|unfamiliar|rusty|weak|strong|skilled|certified|licensed|qualified|new|experienced) (?:with|at|in|to|as)|am (?:a )?(?:complete |total |absolute )?(?:beginner|novice|newbie|newcomer|expert)|have never (?:used|learned|learnt|written|worked|programmed|touched|done|been|tried)|have (?:\d+|\w+)\+? years|have been (?:a|an|doing|using|working|programming|coding|playing|teaching|writing|running|living|learning|studying|vegan|vegetarian|married|with)\b.* (?:for|since)\b|have (?:used|coded|programmed|played|taught|run|written|known|lived|owned|had)\b.* (?:for|since)\b|hold a|graduated|can (?:only )?(?:speak|read|understand|play|code)|come from a|have (?:a )?(?:background|experience|degree|master\w*|phd|bachelor\w*|diploma|certificat\w+|no experience|little experience|zero experience|limited experience)\b|used to (?:be|work|live|play|teach|study|run|own|write))",
            catches: &[
                "I speak Dutch and Malay",
                "I am new to Kubernetes",
                "I have 10 years of experience",
                "I have never used Docker",
                "I have been coding since 2009",
            ],
            spares: &["I know", "I have never seen this"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "setup",
            pattern: r"^(?:i|we) {ADV}(?:use|am using|am running|run|develop|code|program|build (?:with|in|on|for|everything)|deploy|host|self-host|drive|ride|write (?:my|all|most|code|in|everything|mostly|mainly)|have (?:set|configured|installed|switched|enabled|disabled)|keep (?:my|all|notes|a|everything)|store|track|sync|back up|test on|compile|ship|edit|take notes|manage my|mount|ssh|connect|type|browse|search|read|listen|watch|stick (?:to|with)|rely on|depend on|pay (?:for|with)|bank with|subscribe|invest|trade|sell|buy (?:my|all|only|organic)|shoot (?:with|on)|paint|cook|bake|knit|sew|garden|brew)\s+\S",
            catches: &[
                "I use fish shell",
                "I am running Fedora 41",
                "I drive a Kangoo",
                "I take notes in Obsidian",
                "I use Helix as my editor",
            ],
            spares: &["I run", "I used it"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "platform",
            pattern: r"^(?:i|we) (?:am|are) {ADV}(?:on|running|using|in|behind|stuck on|locked to|limited to) (?:(?:a|an|the|my|version|latest|old|newest|free|linux|an old|an m\d) )*(?:windows|mac|macos|osx|linux|ubuntu|debian|fedora|arch|nixos|android|ios|iphone|ipad|chromebook|macbook|thinkpad|wsl2?|freebsd|pixel|postgres\w*|mysql|mariadb|sqlite|python|node(?:\.js)?|java|rust|ruby|php|go \d|django|rails|react|vue|angular|laravel|kotlin|swift|\.net|aws|gcp|azure|heroku|vercel|raspberry|jdk|utc|gmt|wib|wita|wit|cet|cest|pst|est|edt|pdt|ist|[a-z]+ time|[a-z]+ [a-z]+ time|(?:[\w-]+ )?(?:plan|tier|subscription|trial|team|squad|diet|corporate (?:vpn|proxy|network)|proxy|vpn|m[1-4]\b|(?-i:[A-Z])[\w.-]* \d))",
            catches: &[
                "I am on Windows 11",
                "I am on the pro plan",
                "I am on macOS",
                "we are on Postgres 15",
                "I am in UTC+7",
                "I am behind a corporate proxy",
            ],
            spares: &["I am on my way", "I am on the bus"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "mine",
            pattern: r"^(?:my|our) [\w' /+.-]{2,60}? (?:is|are|has|have|runs|run|uses|use|lives?|works?|was born|speaks?|goes|go|=|sits|belongs|comes|supports?|doesn't|don't|can't|only|isn't|aren't|expires?|ends?|starts?|falls?|needs?|changed to|became|switched to|moved to|turned into)\b\s*\S|^(?:my )?(?:set-?up|stack|environment|gear|hardware|rig|tooling)\b[\w ]{0,30}: \S|^my [\w' -]{2,40}?(?:'s|s') (?:name|birthday|pronouns)|^my [\w' -]{2,30}?: \S",
            catches: &[
                "my main machine is a ThinkPad",
                "my son is 6",
                "my laptop has 16 GB of RAM",
                "my daughter's name is Wren",
                "my timezone: WIB",
            ],
            spares: &["my bad", "my two cents"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "has",
            pattern: r"^(?:i|we) {ADV}(?:have|own|got|have got|am getting) {ADV}(?:(?:an?|one|two|three|four|five|six|\d+|no|some|my|our|the|old|new|severe|mild|chronic|big|small|young|little|identical|rescue|elderly|used|gaming|work|personal|home|second|third|spare|m[1-4]|bad|poor) )*(?:[\w-]+ )?(?:{FAMILY}|kids?|monitors?|displays?|macbook\b.*|mac|thinkpad\b.*|laptops?|pcs?|desktop|pixel\b.*|iphone\b.*|ipad|android\b.*|gpu|rtx\b.*|nvidia\b.*|\d+ ?gb\b.*|ram|nas|home ?lab|homeserver|raspberry.*|server|keyboard|car|motorcycle|motorbike|bicycle|bike|van|boat|house|apartment|flat|garden|allotment|licen[cs]e|visa|green card|passport|citizenship|subscription|piano|guitar|violin|drum kit|camera|kindle|ereader|3d printer|telescope|asthma|diabetes|celiac.*|coeliac.*|adhd|autism|dyslexia|epilepsy|migraines?|allerg\w+|intolerance|ibs|anemia|anaemia|hypertension|tinnitus|rsi|carpal tunnel|arthritis|insomnia|eyesight|vision|hearing|condition|disability|back problem|knee|pacemaker|background|training|pain|syndrome|disease|disorder|(?-i:[A-Z])[\w'-]+(?: disease| syndrome)?|anxiety|depression|dementia|blood pressure|admin rights?|root access|sudo rights?|permission|an? (?:\d{4} |used |new |old )*(?-i:[A-Z])[a-z]\w*.*|tattoos?|side project|startup|company|business|shop|farm|bakery|podcast|blog|newsletter|youtube channel|tesla|toyota|honda)\b",
            catches: &["I have two kids", "I have asthma", "we have a dog", "I have an RTX 4090", "I have no admin rights"],
            spares: &["I have a meeting", "I have a question", "I have a bug"],
        },
    ),
    frame(
        Fact,
        4,
        false,
        Rule {
            name: "limit",
            pattern: r"^(?:i|we) {ADV}(?:can't|don't|am not able to|am not allowed to|am unable to|can only|may only|have to avoid|mustn't|must not|must avoid|am off|gave up|have given up|quit|have stopped|stopped|no longer|won't) {ADV}(?:eat|drink|drive|smoke|tolerate|digest|wear|install|use|run|travel|fly|swim|cook|watch|read|work|have (?:a car|a tv|a phone|kids|children|admin|root|access|any|social|a dishwasher|an oven|a microwave|time on)|own|take|do (?:meetings|mornings|weekends|calls|sugar|dairy|gluten|caffeine|alcohol)|celebrate|believe in|speak|see (?:color|colour|red|green)|hear|write|code|play|trust|share|vote|go (?:to)|smoking|drinking|sugar|caffeine|coffee|alcohol|meat|dairy|gluten|pork|like|open|merge|deploy|commit|push|check|answer|join|attend|accept|handle|meet|be reached|talk|come)\b",
            catches: &[
                "I can't eat gluten",
                "I don't drink alcohol",
                "I am not allowed to install software",
                "I no longer smoke",
                "I don't have a car",
                "I gave up sugar",
            ],
            spares: &["I can't find it", "I don't know"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "habit",
            pattern: r"^(?:i|we) (?:\w+ )?(?:usually|always|never|mostly|mainly|generally|normally|typically|primarily|often|rarely|seldom|regularly|almost always|almost never|hardly ever|tend to|try to always|exclusively)\s+\w+|^(?:i|we) (?:don't (?:usually|normally|generally|ever|typically)|am (?:usually|always|never|mostly|normally|generally|only|typically|rarely|often))\s+\w+|^(?:usually|normally|typically|as a rule|most (?:days|mornings|evenings|weekends)|every (?:\w+ )?(?:morning|day|night|evening|week|weekend|month|year|sunday|monday|tuesday|wednesday|thursday|friday|saturday)|on (?:{DAY})|in the (?:mornings?|evenings?))[, ]+(?:i|we) {ADV}(?:\w+)|^(?:i|we) {ADV}(?:\S+ ){1,12}?(?:nowadays|these days|every (?:single |other )?(?:morning|day|night|evening|week|weekend|month|year|sunday|monday|tuesday|wednesday|thursday|friday|saturday|workday)|each (?:morning|day|week|month)|on (?:weekdays|weekends|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|(?:once|twice|\d+ times|three times|four times) a (?:week|day|month|year)|in the (?:mornings|evenings)|most (?:days|weekends|evenings)|by default|as my (?:\w+ ){0,3}\w+|for (?:everything|all my|most|most of)|daily)\b|^i (?:wake|get up|sleep|go to bed|start work|start working|finish work|stop work|log off|log on|run (?:\d|half|ultra|marathons?|trails?|barefoot|regularly|before|after)|train (?:for|in|at)|swim|cycle|climb|hike|meditate|pray|fast|commute|play|collect|paint|sing|dance|surf|ski|garden|knit|box|lift|bike|do yoga|do crossfit|do bouldering)\b.*\S",
            catches: &[
                "I usually test in Firefox",
                "every Sunday I call my mother",
                "I run 10 km every week",
                "I play the cello",
                "I wake up at 5",
                "I never work on Fridays",
            ],
            spares: &["I run the tests", "I always"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "hours",
            pattern: r"^(?:i|we) {ADV}(?:start|begin|finish|clock (?:in|out)|sign off|log (?:on|off)|stop) (?:work(?:ing)? |my day )?{ADV}(?:at|by|around|before|after) (?:\d|noon|dawn)|^(?:i|we) (?:am|are) {ADV}(?:available|free|off|out|online|offline|at (?:the|my) (?:office|gym)|in the office|on site|home|unavailable|around|awake|busy|gone|reachable|asleep)\b.*\b(?:every|on (?:{DAY})|weekdays|weekends|(?:from|between|after|before|until|by) \d|(?:mornings|evenings|afternoons)\b)",
            catches: &["I am off on Fridays", "I am only available after 17:00 CET", "I am in the office on Tuesdays"],
            spares: &["I am off", "I am out for lunch"],
        },
    ),
];
