//! The command palette for the console's call. A user is not looked up here: an id leads to its record, which asks for a reason.

use crate::erasures::shapes::receipt_path;
use crate::find::shapes::{Finds, HitGroup, LinkHit};
use crate::keys::shapes::key_path;
use crate::notice::Refused;
use crate::screens::{PaletteEntry, SCREENS};
use crate::server::list_query::ListQuery;
use crate::server::{SignedIn, outward};
use crate::users::shapes::record_path;
use domain::access::rights::Right;
use domain::erasure::people::UserId;
use domain::problem::Problem;
use domain::settings::SPECS;
use service::Error;
use service::people::keys::KeyFilter;

/// Maximum number of hits of a kind.
const MOST: usize = 6;
/// A word with fewer letters finds pages and settings only.
const WORD_MIN_CHARS: usize = 2;
/// Maximum length of a query in characters; the rest is ignored.
const QUERY_MAX_CHARS: usize = 200;
/// Maximum number of keys that are searched by name.
const KEYS_LOOKED_THROUGH: u32 = 500;

/// Places within a screen, and a page outside the console; listed after the screens.
const OTHER_PLACES: [PaletteEntry; 3] = [
    PaletteEntry { label: "How team memory works", href: "/stats#how", words: "help gate quarantine" },
    PaletteEntry { label: "Contradictions", href: "/review?flag=contradiction", words: "conflicts pending" },
    PaletteEntry { label: "Documentation of the API", href: "/docs", words: "help calls openapi" },
];

pub async fn find(operator: &SignedIn, query: &str) -> Result<Finds, Refused> {
    let query: String = query.trim().chars().take(QUERY_MAX_CHARS).collect();
    let mut groups = vec![("Pages", places(&query)), ("Settings", settings(&query))];
    if query.chars().count() >= WORD_MIN_CHARS {
        groups.push(("Facts", facts_that_say(operator, &query).await?));
        groups.push(("Receipts", receipt_with(operator, &query).await?));
        groups.push(("Keys", keys_called(operator, &query).await?));
        if operator.viewer.may(Right::Manage) {
            groups.push(("Users", user(&query)));
        }
    }
    let groups = groups.into_iter().filter(|(_, hits)| !hits.is_empty());
    Ok(Finds { groups: groups.map(|(title, hits)| HitGroup { title: title.to_owned(), hits }).collect(), query })
}

async fn facts_that_say(operator: &SignedIn, query: &str) -> Result<Vec<LinkHit>, Refused> {
    let keepsake = &operator.console.keepsake;
    let pairs = serde_urlencoded::to_string([("status", "all"), ("q", query)]).unwrap_or_default();
    let found = keepsake.facts.find(&operator.viewer, &ListQuery::read(&pairs).filter(keepsake), 0, MOST as u64).await;
    let hit = |fact: service::Fact| LinkHit {
        href: format!("/manage/facts/{}", fact.id),
        note: Some(format!("Fact, {}", fact.status.as_str())),
        label: fact.content,
    };
    Ok(outward(&operator.console, found)?.facts.into_iter().map(hit).collect())
}

async fn receipt_with(operator: &SignedIn, id: &str) -> Result<Vec<LinkHit>, Refused> {
    match operator.console.keepsake.erasure.receipt_in_console(&operator.viewer, id).await {
        Ok(receipt) => Ok(vec![LinkHit {
            label: receipt.id.clone(),
            href: receipt_path(&receipt.id),
            note: Some("Receipt of an erasure".to_owned()),
        }]),
        Err(Error::Refused(Problem::NotFound { .. })) => Ok(Vec::new()),
        Err(error) => outward(&operator.console, Err(error)),
    }
}

async fn keys_called(operator: &SignedIn, query: &str) -> Result<Vec<LinkHit>, Refused> {
    let filter = KeyFilter { limit: KEYS_LOOKED_THROUGH, ..KeyFilter::default() };
    let keys = outward(&operator.console, operator.console.keepsake.people.keys(&operator.viewer, &filter).await)?;
    let called = keys.into_iter().filter(|key| key.id == query || says(&key.name, query)).take(MOST);
    Ok(called.map(|key| LinkHit { href: key_path(&key.id), label: key.name, note: Some("Key".to_owned()) }).collect())
}

/// Whether a text has every word of the query, in any order and case.
fn says(text: &str, query: &str) -> bool {
    let text = text.to_lowercase();
    query.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

fn places(query: &str) -> Vec<LinkHit> {
    let of_screens = SCREENS.iter().flat_map(|screen| screen.palette.iter().chain(&screen.palette_view));
    let meant = of_screens.chain(&OTHER_PLACES).filter(|place| says(&format!("{} {}", place.label, place.words), query));
    let hits = meant.map(|place| LinkHit { label: place.label.to_owned(), href: place.href.to_owned(), note: None });
    if query.is_empty() { hits.collect() } else { hits.take(MOST).collect() }
}

fn settings(query: &str) -> Vec<LinkHit> {
    let meant = SPECS.iter().filter(|spec| !query.is_empty() && says(&format!("{} {}", spec.label, spec.key), query)).take(MOST);
    let href = |anchor: &str| format!("/manage/settings#{anchor}");
    meant
        .map(|spec| LinkHit { label: spec.label.to_owned(), href: href(spec.section.anchor()), note: Some("Setting".to_owned()) })
        .collect()
}

/// Returns a link to the record of the user with exactly this id, whether or not the user exists.
fn user(query: &str) -> Vec<LinkHit> {
    let id = UserId::new(query).ok().filter(|_| !query.contains(char::is_whitespace));
    let hit = |id: UserId| LinkHit {
        label: format!("Open the record of “{}”", id.as_str()),
        href: record_path(id.as_str()),
        note: Some("Asks for a reason".to_owned()),
    };
    id.map(hit).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_settings_are_found_by_any_of_their_words() {
        let first = |query: &str| places(query).first().map(|hit| hit.href.clone());
        assert_eq!(first("TOKEN").as_deref(), Some("/manage/keys"));
        assert_eq!(first("why recall").as_deref(), Some("/manage/recall"));
        assert_eq!(first("zzz"), None);
        let all: Vec<String> = places("").into_iter().map(|hit| hit.label).collect();
        assert_eq!(all[..5], ["Review queue", "Stats", "Facts", "Rejected facts", "Users"]);
        assert_eq!(all.last().map(String::as_str), Some("Documentation of the API"));
        assert!(settings("").is_empty());
        assert_eq!(settings("team merge")[0].href, "/manage/settings#thresholds");
    }

    #[test]
    fn a_user_is_offered_by_an_id_alone() {
        assert_eq!(user("usr_7f3a")[0].href, "/manage/users/usr_7f3a");
        assert!(user("two words").is_empty());
    }
}
