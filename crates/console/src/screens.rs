//! The screens of the console, a row for each: its address, its title, and where it is found. The routes, the tabs, the command
//! palette, the rights of forms and the tests read this table.
//!
//! The browser's program names single rows, which are constants, and never the whole table: that stays on the server.

use self::PostedForms::{OfEveryone, WithTheRight};
use domain::access::rights::Right::{self, Manage, Review};

/// A place in the navigation of every page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Navigation {
    /// None: other pages link to it.
    Linked,
    /// The sidebar.
    Sidebar,
    /// The tabs of Manage.
    Manage,
}

/// Whether a screen handles forms that are posted to it. The result is only in that response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostedForms {
    Refused,
    /// Every operator may post: the form asks for something, and changes nothing.
    OfEveryone,
    /// Posting needs the right of the screen.
    WithTheRight,
}

/// An entry of the command palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaletteEntry {
    pub label: &'static str,
    pub href: &'static str,
    /// Other words for it.
    pub words: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// The path; a part that begins with `:` is a parameter.
    pub path: &'static str,
    /// The title of the page, and its name in the navigation; for a page about one thing, what kind of thing that is.
    pub title: &'static str,
    pub navigation: Navigation,
    pub palette: Option<PaletteEntry>,
    /// A view of the screen that the palette lists too.
    pub palette_view: Option<PaletteEntry>,
    /// The right to change something there; `None`: nothing is changed there, or only the operator's own data.
    pub needs: Option<Right>,
    pub posted: PostedForms,
}

impl Screen {
    const fn new(path: &'static str, title: &'static str) -> Self {
        Self {
            path,
            title,
            navigation: Navigation::Linked,
            palette: None,
            palette_view: None,
            needs: None,
            posted: PostedForms::Refused,
        }
    }

    const fn in_sidebar(self) -> Self {
        Self { navigation: Navigation::Sidebar, ..self }
    }

    const fn in_manage(self) -> Self {
        Self { navigation: Navigation::Manage, ..self }
    }

    /// Lists it in the palette, under its title.
    const fn found_by(self, words: &'static str) -> Self {
        self.found_as(self.title, words)
    }

    const fn found_as(self, label: &'static str, words: &'static str) -> Self {
        Self { palette: Some(PaletteEntry { label, href: self.path, words }), ..self }
    }

    const fn with_view(self, view: PaletteEntry) -> Self {
        Self { palette_view: Some(view), ..self }
    }

    const fn needs(self, right: Right) -> Self {
        Self { needs: Some(right), ..self }
    }

    const fn takes_forms(self, of: PostedForms) -> Self {
        Self { posted: of, ..self }
    }

    /// Its path and title, for a link.
    #[must_use]
    pub const fn link(&self) -> (&'static str, &'static str) {
        (self.path, self.title)
    }

    /// The path for the HTTP router: `/review/{id}`.
    #[must_use]
    pub fn pattern(&self) -> String {
        let parts = self.path.split('/').map(|part| part.strip_prefix(':').map_or(part.to_owned(), |name| format!("{{{name}}}")));
        parts.collect::<Vec<_>>().join("/")
    }

    /// The parts of its path.
    pub fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter(|part| !part.is_empty())
    }

    /// The right to post a form to it.
    #[must_use]
    pub fn needs_to_post(&self) -> Option<Right> {
        if self.posted == PostedForms::OfEveryone { None } else { self.needs }
    }

    /// Number of parts of its path.
    fn depth(&self) -> usize {
        self.path.split('/').count()
    }

    /// Whether a path is the one of this screen, or below it.
    fn contains(&self, path: &str) -> bool {
        let mut parts = path.split('/');
        self.path.split('/').all(|own| parts.next().is_some_and(|part| own == part || own.starts_with(':')))
    }
}

/// Defines a constant for each screen, and the list of all.
macro_rules! screens {
    ($($name:ident = $screen:expr;)+) => {
        $(pub const $name: Screen = $screen;)+

        /// Every screen, in the order of the palette and of the tabs.
        pub static SCREENS: &[Screen] = &[$($name),+];
    };
}

const REJECTED: PaletteEntry = PaletteEntry { label: "Rejected facts", href: "/manage/facts?status=rejected", words: "team" };

screens! {
    LOGIN = Screen::new("/login", "Sign in");
    HOME = Screen::new("/", "Keepsake");
    REVIEW = Screen::new("/review", "Review queue").in_sidebar().found_by("pending approve reject").needs(Review);
    CANDIDATE = Screen::new("/review/:id", "Candidate").needs(Review);
    STATS = Screen::new("/stats", "Stats").in_sidebar().found_by("numbers charts");
    MANAGE = Screen::new("/manage", "Manage").in_sidebar().needs(Manage);
    FACTS = Screen::new("/manage/facts", "Facts").in_manage().found_by("team approved").with_view(REJECTED).needs(Review);
    DELETE_FACTS = Screen::new("/manage/facts/delete", "Delete facts").needs(Review);
    FACT = Screen::new("/manage/facts/:id", "Fact").needs(Review);
    DELETE_FACT = Screen::new("/manage/facts/:id/delete", "Delete facts").needs(Review);
    DUEL = Screen::new("/manage/facts/:id/duel/:other", "Contradiction").needs(Review);
    USERS = Screen::new("/manage/users", "Users")
        .in_manage()
        .found_by("people personal memories record")
        .needs(Manage)
        .takes_forms(OfEveryone);
    USER = Screen::new("/manage/users/:id", "Overview").needs(Manage).takes_forms(WithTheRight);
    USER_MEMORIES = Screen::new("/manage/users/:id/memories", "Personal memories").needs(Manage).takes_forms(WithTheRight);
    USER_MEMORY = Screen::new("/manage/users/:id/memories/:memory", "Memory").needs(Manage).takes_forms(WithTheRight);
    USER_CHAT = Screen::new("/manage/users/:id/chat", "Chat").needs(Manage).takes_forms(WithTheRight);
    USER_BLOCKS = Screen::new("/manage/users/:id/blocks", "Blocks").needs(Manage).takes_forms(WithTheRight);
    USER_BLOCK = Screen::new("/manage/users/:id/blocks/:block", "Block").needs(Manage).takes_forms(WithTheRight);
    USER_CONTRIBUTIONS = Screen::new("/manage/users/:id/contributions", "Team contributions").needs(Manage);
    USER_ERASURES = Screen::new("/manage/users/:id/erasures", "Erasures").needs(Manage);
    USER_ACCESS = Screen::new("/manage/users/:id/access", "Access log").needs(Manage);
    ERASE = Screen::new("/manage/users/:id/erase", "Erase").needs(Manage).takes_forms(WithTheRight);
    ERASURES = Screen::new("/manage/erasures", "Erasures")
        .in_manage()
        .found_by("receipts forget delete")
        .needs(Manage)
        .takes_forms(WithTheRight);
    ERASURE = Screen::new("/manage/erasures/:id", "Erasure").needs(Manage);
    SETTINGS = Screen::new("/manage/settings", "Settings").in_manage().found_by("thresholds limits").needs(Manage);
    SETTINGS_APPLY = Screen::new("/manage/settings/apply", "Apply changes").needs(Manage);
    SETTINGS_HISTORY = Screen::new("/manage/settings/history", "Change history")
        .found_as("History of settings", "changes restore")
        .needs(Manage);
    OPERATORS = Screen::new("/manage/operators", "Operators")
        .in_manage()
        .found_by("people rights add")
        .needs(Manage)
        .takes_forms(WithTheRight);
    KEYS = Screen::new("/manage/keys", "Keys").in_manage().found_by("api token create add").needs(Manage);
    KEY = Screen::new("/manage/keys/:id", "Key").needs(Manage).takes_forms(WithTheRight);
    WEBHOOKS = Screen::new("/manage/webhooks", "Webhooks")
        .in_manage()
        .found_by("events add")
        .needs(Manage)
        .takes_forms(WithTheRight);
    RECALL = Screen::new("/manage/recall", "Recall inspector")
        .in_manage()
        .found_by("question prompt why")
        .takes_forms(OfEveryone);
    GATE = Screen::new("/manage/gate", "Gate").in_manage().found_by("try a text filter").takes_forms(OfEveryone);
    AUDIT = Screen::new("/audit", "Audit log").in_sidebar().found_by("record who");
    START = Screen::new("/start", "First steps").found_by("sample setup connect");
    ACCOUNT = Screen::new("/account", "Account").found_as("Your account", "password");
    STORED = Screen::new("/help/stored", "What is stored").found_by("privacy tables how long");
    SHORTCUTS = Screen::new("/help/keys", "Keyboard shortcuts").found_by("help");
    FIND = Screen::new("/find", "Find");
}

/// The right to change something on the page at this path, which may be below a screen.
#[must_use]
pub fn needed_at(path: &str) -> Option<Right> {
    SCREENS.iter().filter(|screen| screen.contains(path)).max_by_key(|screen| screen.depth())?.needs
}

/// The screen at exactly this path, if it handles posted forms.
#[must_use]
pub fn posted_at(path: &str) -> Option<&'static Screen> {
    posted().find(|screen| screen.contains(path) && screen.depth() == path.split('/').count())
}

/// The screens that handle posted forms.
pub fn posted() -> impl Iterator<Item = &'static Screen> {
    SCREENS.iter().filter(|screen| screen.posted != PostedForms::Refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_screens_share_a_path_and_a_parameter_comes_after_its_siblings() {
        for (n, screen) in SCREENS.iter().enumerate() {
            for later in &SCREENS[n + 1..] {
                assert!(
                    !(screen.contains(later.path) && screen.depth() == later.depth()),
                    "{} hides {}",
                    screen.path,
                    later.path
                );
            }
        }
    }

    #[test]
    fn a_page_needs_the_right_of_the_nearest_screen_above_it() {
        let cases = [
            ("/review/gf_1", Some(Review)),
            ("/review/gf_1/nothing", Some(Review)),
            ("/manage/facts/gf_1/duel/gf_2", Some(Review)),
            ("/manage/nothing", Some(Manage)),
            ("/manage/users/anna/memories", Some(Manage)),
            ("/manage/gate", None),
            ("/manage/gate/nothing", None),
            ("/stats", None),
            ("/nothing", None),
            ("/reviews", None),
        ];
        for (path, needs) in cases {
            assert_eq!(needed_at(path), needs, "{path}");
        }
    }

    #[test]
    fn forms_are_posted_to_exactly_the_screens_that_handle_them() {
        assert_eq!(posted_at("/manage/users"), Some(&USERS));
        assert_eq!(posted_at("/manage/users/anna"), Some(&USER));
        assert_eq!(posted_at("/manage/users/anna/export"), None);
        assert_eq!(posted_at("/manage/keys"), None);
        assert_eq!((USERS.needs_to_post(), USER.needs_to_post()), (None, Some(Manage)));
        assert_eq!(USER_MEMORY.pattern(), "/manage/users/{id}/memories/{memory}");
    }
}
