//! What happened to the user, and what is planned, in English.

use super::{Frame, frame};
use crate::domain::memory::MemoryKind::Episode;
use crate::extract::rules::pattern::Rule;

pub const EVENTS: &[Frame] = &[
    frame(
        Episode,
        3,
        true,
        Rule {
            name: "event",
            pattern: r"^(?:i|we|my (?:wife|husband|partner|daughter|son|sister|brother|mom|dad|mother|father|dog|cat|grand\w+)(?: and i)?) (?:have |am |are )?(?:just |recently |finally |officially |actually |also |now |both )*(?:got (?:promoted|married|engaged|divorced|laid off|fired|hired|accepted|certified|diagnosed|tenure|pregnant|a (?:new )?(?:job|dog|cat|puppy|kitten|car|house|bike|promotion|raise|scholarship|position|place at|offer)|my (?:driver.{0,3}s? licen[cs]e|licen[cs]e|degree|visa|green card|citizenship|black belt|phd|diploma|results))|joined (?:the \w[\w ]* team|a|(?-i:[A-Z])\w*|as|an)|started (?:a (?:new )?(?:job|company|business|role|position|phd|course|master\w*|family|podcast|blog|diet)|at (?-i:[A-Z])\w*|as (?:a|an|the)|working (?:at|as|for)|my (?:own|new|phd|master\w*|first|job|studies|degree)|university|college|uni\b|grad school|learning|piano|guitar|therapy|medication)|left (?:my job|my role|my position|the company|university|school|(?-i:[A-Z])\w+)|quit my|handed in my (?:notice|resignation)|gave (?:my )?notice|resigned|retired|graduated|moved (?:to|into|in with|house|out of|from|back to|over to|off|away)|relocated|emigrated|immigrated|bought (?:a|an|my|our) (?:\w+ ){0,2}(?:house|home|apartment|flat|car|bike|motorbike|van|boat|thinkpad|macbook|laptop|piano|guitar|camera)|adopted (?:a|an|two|our)|became (?:a|an|the|parents)|had (?:a|an|our|my|twins) ?(?:\w+ )?(?:baby|son|daughter|child|surgery|stroke|heart attack|miscarriage|operation|first)|shipped (?:v[\d.]+|version|the|our|my)|launched|released (?:v[\d.]+|version|the|our|my)|signed (?:a|the|our) (?:lease|contract|mortgage)|passed (?:my|the|an?) (?:[\w-]+ )*(?:exam|test|certification|bar|interview|driving test)|finished my (?:phd|master\w*|degree|thesis|studies|internship|novel|book)|completed my|earned (?:a|my)|was (?:promoted|diagnosed|hired|laid off|born|accepted|admitted|elected|awarded)|broke my|turned \d\d|won (?:an? |the )(?:\w+ ){0,3}(?:award|prize|scholarship|medal|championship|competition|lottery|election|cup|grant)|published (?:a|my|our)|defended my|lost my (?:job|father|mother|dad|mom|wife|husband|dog|cat)|passed away|died|ran (?:a|my first) (?:half )?marathon|celebrat\w+ (?:our|my) \w+ (?:anniversary|birthday)|transferred to (?:the|a)|switched (?:jobs|teams|careers|majors)|got back from (?:parental|maternity|paternity))\b",
            catches: &[
                "I just got promoted to staff engineer",
                "we shipped v2 last week",
                "I moved to Lyon",
                "we had a baby girl",
                "I passed the bar exam",
                "I started as a data engineer",
            ],
            spares: &["I started the server", "I left the meeting", "I got an error"],
        },
    ),
    frame(
        Episode,
        3,
        true,
        Rule {
            name: "ahead",
            pattern: r"^(?:i|we|my (?:wife|husband|partner|daughter|son|sister|brother)(?: and i)?) (?:am|are|is|will be) (?:going to be |both )?(?:getting (?:married|divorced)|moving|relocating|expecting (?:a|our|my|twins)|a (?:dad|mom|mum|father|mother|parent|grand\w+)\b|becoming|having (?:a baby|twins|surgery|an operation|knee)|going on (?:\w+ )?(?:leave|sabbatical)|on (?:an? |my )?(?:parental|maternity|paternity|sick|study|sabbatical|medical|unpaid|annual) ?(?:leave)?|on (?:an? |my )?(?:\w+ )?(?:sabbatical|leave)\b|due in|starting (?:a new|at|as|my|work)|retiring|graduating|defending|emigrating|adopting|changing jobs)\b",
            catches: &[
                "I am on parental leave until March",
                "we are expecting our second child",
                "I am getting married in June",
                "we are moving to Ghent",
            ],
            spares: &["I am on the bus", "I am starting the server"],
        },
    ),
    frame(
        Episode,
        3,
        true,
        Rule {
            name: "dated_plan",
            pattern: r"^(?:i|we) (?:am|are|will be|have|will|am going|are going|plan|leave|fly|travel|start|finish) .*\b(?:travell?ing|trip|travel|flying|fly|visiting|visit|vacation|holiday|holidays|honeymoon|away|exams?|finals|marathon|race|conference|wedding|surgery|operation|defen[sc]e|interview|out of office|offline|concert|certification|thesis|deadline|internship|move|moving|out|off|abroad|leave|start|finish|backpacking|camping|pilgrimage|umrah|hajj|talk)\b.*\b(?:{MONTH}|until|till|through|from \w+ \d+)\b|^my (?:[\w'-]+ ){0,4}(?:exams?|finals|marathon|race|wedding|surgery|operation|defen[sc]e|visa|contract|lease|passport|due date|birthday|anniversary|internship|probation|graduation|licen[cs]e|deadline|last day|first day|start date|end date|return|move|conference|trip|flight|thesis|notice period|parental leave|sabbatical) (?:is|are|expires?|ends?|starts?|falls?|runs?|begins?|was)\b.*\b(?:{MONTH}|\d{1,2}(?:st|nd|rd|th)?[ /.-]\w+|next)\b",
            catches: &[
                "I am travelling to Japan in April",
                "I have an exam on 12 December",
                "my visa expires in March",
                "I will be away until 5 January",
            ],
            spares: &["I have a meeting at 3", "I will be out tomorrow"],
        },
    ),
];
