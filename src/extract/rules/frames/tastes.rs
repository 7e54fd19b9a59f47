//! What the user likes, wants, decided and does every day, in English.

use super::{Frame, frame};
use crate::domain::memory::MemoryKind::{Fact, Preference};
use crate::extract::rules::pattern::Rule;

pub const TASTES: &[Frame] = &[
    frame(
        Preference,
        3,
        false,
        Rule {
            name: "likes",
            pattern: r"^(?:i|we|me,? i) {ADV}(?:prefer|like|love|enjoy|hate|dislike|despise|detest|loathe|adore|favou?r|avoid|can't stand|can't bear|can't deal with|don't {ADV}(?:like|love|enjoy|care for|want|need|appreciate|trust)|am (?:not )?(?:an? )?(?:\w+ )?(?:fan|fond|lover|into|partial to|picky about|sucker for|obsessed with|passionate about|addicted to|sensitive to|averse to|interested in|keen on|afraid of)|would (?:\w+ )?(?:rather|prefer)|learn (?:best|better|faster)|think (?:best|better|in)|work best|focus (?:best|better)|care (?:a lot |more |most |deeply )?about|gravitate|lean towards?|default to|go (?:for|with) \w+ over|value|appreciate (?:short|concise|direct|honest|blunt|examples|code|when)|listen to|root for|support (?-i:[A-Z])\w*|collect|read mostly|find .{2,60} (?:easier|harder|clearer|confusing|distracting|helpful|useful|annoying|unreadable|hard to read|difficult|tiring)|(?:struggle|have trouble|have a hard time|have difficulty) (?:with|reading|hearing|following|focusing|seeing))\b\s*\S",
            catches: &[
                "I prefer short answers",
                "I hate meetings before 10",
                "I am a big fan of Postgres",
                "I would rather read code than prose",
                "I don't like exclamation marks",
                "I learn best by example",
            ],
            spares: &["I think so", "I liked it"],
        },
    ),
    frame(
        Preference,
        4,
        false,
        Rule {
            name: "wants",
            pattern: r"^(?:i|we) (?:\w+ )?(?:want|need|would like|expect|like|love|prefer)(?: it (?:if|when) you| you to| to (?:see|get|have|be|hear|read|always)| all| every| my| your| to (?:have )?(?:all|every))\b.*\b(?:always|never|{STYLE}|every time|whenever|by default|all my|from now on)\b|^(?:i|we) {ADV}(?:want|expect|need|would like) (?:[\w.+#-]+ ){0,4}{STYLE}\b|^(?:i|we) (?:always|never|only|generally|usually) (?:want|need|like|expect)\b",
            catches: &[
                "I want you to answer in Indonesian",
                "I want short answers",
                "I always want HAR exports, not screenshots",
                "I need every answer with sources",
            ],
            spares: &["I want you to fix the login", "I want tea"],
        },
    ),
    frame(
        Preference,
        3,
        false,
        Rule {
            name: "favourite",
            pattern: r"^(?:my (?:\w+ )?(?:all-time )?(?:fav(?:ou?rite)?|preferred|go-to|default|usual|least favou?rite|number one|dream|ideal)\b.{2,40}?(?: is| are|'s|:|=| will always be)|.{2,60}\b(?:is|are) my (?:(?:all-time|absolute|personal|least|main|daily|primary|preferred|default|go-to|number one|native|mother|first|second|third|fourth) )*(?:fav(?:ou?rite)?|driver|go-to|default|choice|editor|language|tongue|machine|shell|browser|ide|team|hobby|job|thing|poison|jam|framework|stack|os|distro|cuisine|food|dish|drink|band|sport)\b|(?:big|huge|not an?|not) (?:\w+ )?fan of\b|nothing beats|(?:for me|to me|personally),? .{3,60} (?:works? best|is best|wins|over|beats)|.{3,60} works? best for me|give me .{3,60} (?:over|any day)\b)",
            catches: &[
                "my favourite language is Rust",
                "Helix is my daily driver",
                "not a fan of tabs",
                "dark themes work best for me",
            ],
            spares: &["my favour was small"],
        },
    ),
    frame(
        Preference,
        3,
        false,
        Rule {
            name: "elided",
            pattern: r"^(?:(?:mostly|mainly|usually|strongly|generally|always|really) )?(?:prefer|working (?:mostly |mainly |primarily )?(?:on|at|in|as|from) (?:the |a )?[\w -]{2,60} (?:mostly|mainly|full[- ]time|these days|since .+|app|team|project)|allergic to|vegetarian|vegan|fluent in|native \w+ speaker|born and raised in|married with|not a native|self-taught|colou?rblind|lactose intolerant|left-handed|new to)\b\s*\S|^.{2,50}\b(?:user|dev|developer|engineer|designer|student|teacher|nurse|doctor|lawyer|guy|gal|person|parent|mom|dad|beginner|speaker|vegetarian|vegan|owner|freelancer|founder|pm|data scientist|analyst|admin|sysadmin|newbie) here(?:,.*)?$",
            catches: &["prefer short answers", "backend dev from Bandung, Linux user here", "allergic to shellfish"],
            spares: &["the user is here now", "new"],
        },
    ),
    frame(
        Fact,
        3,
        true,
        Rule {
            name: "decision",
            pattern: r"^(?:i|we) (?:have |just |recently |finally )*(?:went|gone|switched|moved|came|am|are) back (?:to|on|with|in) \S|^(?:i|we) (?:have )?(?:just |finally |now )?(?:decided|settled on|agreed (?:on|to)|opted for|committed to|chose|have chosen|picked|went with|standardi[sz]ed on|signed up for|adopted|ended up (?:going with|using|choosing|picking|sticking with|on)|landed on|stuck with|went for|going with) (?:to (?:use|go|move|switch|stay|stop|drop|keep|adopt|build|write|learn|become|run|host|standardi[sz]e|store|make|name|call|migrate)|on|against|not to|that|for|[\w-]+)\b\s*\S",
            catches: &[
                "I decided to go with SQLite",
                "we settled on Tailwind for the dashboard",
                "I have decided against a rewrite",
            ],
            spares: &["I decided"],
        },
    ),
    frame(
        Fact,
        3,
        true,
        Rule {
            name: "goal",
            pattern: r"^my (?:\w+ )?(?:goal|aim|plan|dream|target|ambition|deadline|priority|focus|budget)s? (?:for .{2,30} )?(?:is|are)\b\s*\S|^i (?:am planning|plan|am going|intend|am hoping|hope|aim) to (?:move|relocate|retire|switch|become|learn|run|apply|study|quit|start|launch|get married|emigrate|buy a house|open a)\b",
            catches: &["my goal is to read 20 books", "I plan to move to Lisbon in May"],
            spares: &["I plan to sleep"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "meaning",
            pattern: r#"^(?:for me,? ["'`]?.{2,40}? (?:means|is|are)|when i (?:say|write) .{2,40}?,? (?:i mean|it means|that means)|by .{2,40}? i (?:always )?mean)\b\s*\S|^(?:the|what|one thing|something|everything|anything|all|most of what) .{0,40}?\bi (?:{ADV})?(?:am|use|work|like|prefer|love|hate|know|speak|care|live|drive|play|want|need|watch|read|write|value|avoid|trust|own|have)\b.{0,40}? (?:is|are|goes|ends up|runs|lives|has to|must be|gets) \S"#,
            catches: &[
                "for me \"the box\" means the build server",
                "the only cloud I am certified for is Azure",
                "when I say prod I mean the Frankfurt region",
            ],
            spares: &["the error I got is strange", "the file I uploaded is large"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "present",
            pattern: r"^(?:i|we) {ADV}(?:homeschool|keep|do|follow|mute|skip|cover|handle|ignore|check|rotate|prepare|organi[sz]e|host|chair|sign off|approve|review|own|read|watch|eat|drink|cook|buy|wear|carry|save|spend|donate|translate|edit|draw|sketch|design|test|debug|deploy|plan|budget|track|count|measure|weigh|charge|invoice|bill|sell|ship|support|serve|represent|advise|consult|train|tutor|coach|research|publish|present|speak|sleep|rest|walk|bike|commute|park|share|rent|lease|raise|breed|foster|grow|keep|suffer|live|stay|struggle|stutter|limp|sign|communicate|answer|reply|respond|batch|block|reserve|name|label|tag|store|archive|automate|script|type|dictate|navigate|rely|depend|operate|fly|sail|farm|fish|hunt|forage|blog|stream|record|produce|mix|compose|perform|act|direct|film|photograph|hold|lack|miss|outsource|alternate|split|work|wake|go|get up|log|meet|see (?:a|my) (?:therapist|doctor|physio\w*|coach))\b (?:(?:my|our|all|every|most|both|a lot of|lots of|only|no|any|mostly|mainly|in|on|at|with|without|from|by|for|to|after|before|until|as|about|around|between|through|under|manual|remote|daily|weekly)\b|\w+ing\b|\w+s\b|[\w-]+$|[\w-]+ (?:and|or|in|on|at|with|without|from|by|for|after|before|until|as|every|each)\b) ?.*",
            catches: &[
                "I keep kosher",
                "I do manual QA for the Android build",
                "I follow meetings by transcript",
                "I mute chat until 10",
                "I sign off every rollout",
            ],
            spares: &["I click the button", "I see the error"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "plain_present",
            pattern: r"^i {ADV}(?P<verb>[a-z]{2,})\b [\w'/+-]+(?: .*)?$",
            catches: &["I sit in the Rotterdam office", "I buy secondhand clothes", "I get migraines from flashing animations"],
            spares: &["I think"],
        },
    ),
    frame(
        Fact,
        3,
        false,
        Rule {
            name: "plain_being",
            pattern: r"^i am (?:[\w'/+-]+ ){2,}[\w'/+-]+",
            catches: &["I am unreachable on Thursdays after lunch", "I am short on storage at home"],
            spares: &["I am tired"],
        },
    ),
];
