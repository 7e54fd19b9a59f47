//! Icons: paths in the style of the Lucide set (ISC licence), drawn at 16 px in the text colour, hidden from screen readers.

use leptos::prelude::*;

/// The icons of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    Mark,
    Inbox,
    Check,
    Cross,
    Warning,
    Info,
    Eye,
    Lock,
    Sparkle,
    Person,
    Sun,
    Moon,
    Monitor,
    Pending,
    Approved,
    Rejected,
    Nowhere,
    Chart,
    Lines,
    People,
    Sliders,
    History,
    Clock,
    Search,
    Undo,
    Pencil,
    More,
    Copy,
    Chevron,
    Key,
    Keyboard,
    Download,
    Plus,
    Shield,
    Globe,
    Send,
    Plug,
    Arrow,
    Trash,
    Receipt,
    Print,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Mark => "M12 1.8l8.8 5.1v10.2L12 22.2l-8.8-5.1V6.9zM12 6.8v10.4M7.5 9.4l9 5.2M16.5 9.4l-9 5.2",
            Self::Inbox => "M6.2 4.5h11.6L21 13v5a1.5 1.5 0 01-1.5 1.5h-15A1.5 1.5 0 013 18v-5zM3 13h5l1.5 2.8h5L16 13h5",
            Self::Check => "M20 6.5L9.2 17.5 4 12.4",
            Self::Cross => "M18 6L6 18M6 6l12 12",
            Self::Warning => "M12 3.8L1.9 20.5h20.2zM12 10v4.6M12 17.4v.1",
            Self::Info => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM12 11v5.5M12 7.6v.1",
            Self::Eye => "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 15a3 3 0 100-6 3 3 0 000 6z",
            Self::Lock => "M5 11h14v9.5H5zM8 11V7.5a4 4 0 018 0V11",
            Self::Sparkle => "M12 3.5l2 6.5 6.5 2-6.5 2-2 6.5-2-6.5-6.5-2 6.5-2z",
            Self::Person => {
                "M19.5 20.5v-1.2a4.8 4.8 0 00-4.8-4.8H9.3a4.8 4.8 0 00-4.8 4.8v1.2M12 11.2a3.9 3.9 0 100-7.7 3.9 3.9 0 000 7.7z"
            }
            Self::Sun => {
                "M12 16a4 4 0 100-8 4 4 0 000 8zM12 2.5v2M12 19.5v2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M2.5 12h2M19.5 12h2M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"
            }
            Self::Moon => "M20.5 13.2A8.5 8.5 0 1110.8 3.5a6.8 6.8 0 009.7 9.7z",
            Self::Monitor => "M4 4.5h16A1 1 0 0121 5.5v10a1 1 0 01-1 1H4a1 1 0 01-1-1v-10a1 1 0 011-1zM8.5 20.5h7M12 16.5v4",
            Self::Pending => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19z",
            Self::Approved => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM7.8 12.3l2.9 2.9 5.6-5.8",
            Self::Rejected => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM15 9l-6 6M9 9l6 6",
            Self::Chart => "M3.5 20.5h17M6.5 17v-5.5M12 17V5M17.5 17V9",
            Self::Lines => "M4 6.5h16M4 12h16M4 17.5h10",
            Self::People => {
                "M16 20.5v-1.4a4.3 4.3 0 00-4.3-4.3H6.3A4.3 4.3 0 002 19.1v1.4M9 11.3a3.7 3.7 0 100-7.4 3.7 3.7 0 000 7.4zM22 20.5v-1.4a4.3 4.3 0 00-3.2-4.2M15.5 4.1a3.7 3.7 0 010 7.1"
            }
            Self::Sliders => {
                "M3 7h10M18 7h3M15.5 9.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM3 17h3M11 17h10M8.5 19.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z"
            }
            Self::Clock => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM12 7v5l3.5 2",
            Self::History => "M3.5 12a8.5 8.5 0 108.5-8.5A9.2 9.2 0 005.6 6L3.5 8M3.5 3.5V8H8M12 7.5V12l3.2 2",
            Self::Search => "M10.5 17.5a7 7 0 100-14 7 7 0 000 14zM20.5 20.5l-5-5",
            Self::Undo => "M8.5 14L3.5 9l5-5M3.5 9h11a6 6 0 010 12H11",
            Self::Pencil => "M4 20l1-4.5L16.5 4a2.1 2.1 0 013 3L8 18.6zM14 6.5l3 3",
            Self::More => "M5 11.200v1.6M4.200 12h1.600M12 11.200v1.6M11.200 12h1.600M19 11.200v1.6M18.200 12h1.600",
            Self::Copy => "M9 9h11.5v11.5H9zM5.5 15H3.5V3.5H15v2",
            Self::Chevron => "M6 9l6 6 6-6",
            Self::Key => "M15 15.5a6 6 0 10-5.7-4.1L3 17.7V21h3.5v-2.5H9V16h1.700l1.2-1.2a6 6 0 003.1.7zM16.5 7.500v.1",
            Self::Keyboard => {
                "M3.5 6h17A1.5 1.5 0 0122 7.500v9a1.5 1.5 0 01-1.5 1.500h-17A1.5 1.5 0 012 16.500v-9A1.5 1.5 0 013.5 6zM6 10v.1M10 10v.1M14 10v.1M18 10v.1M7.5 14h9"
            }
            Self::Download => "M12 3.500v12M7 10.500l5 5 5-5M4 20.500h16",
            Self::Plus => "M12 5v14M5 12h14",
            Self::Shield => "M12 2.500l8 3v6c0 5-3.4 8.3-8 10-4.6-1.7-8-5-8-10v-6zM8.5 12l2.5 2.5 4.5-5",
            Self::Globe => {
                "M12 21.500a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM2.5 12h19M12 2.500c2.6 2.7 4 6 4 9.500s-1.4 6.8-4 9.500c-2.6-2.7-4-6-4-9.500s1.4-6.8 4-9.500z"
            }
            Self::Send => "M21.5 2.500l-7 19-4-8.5-8.5-4zM21.5 2.500L10.5 13",
            Self::Plug => "M9 2.500V8M15 2.500V8M6 8h12v3.500a6 6 0 01-12 0zM12 17.500v4",
            Self::Arrow => "M4.5 12h15M13.5 6l6 6-6 6",
            Self::Trash => {
                "M3.5 6.500h17M9 6.500V4a1 1 0 011-1h4a1 1 0 011 1v2.500M5.5 6.500l1 13a1.5 1.5 0 001.5 1.500h8a1.5 1.5 0 001.5-1.500l1-13M10 11v6M14 11v6"
            }
            Self::Receipt => "M5.5 2.500h13v19l-3.2-2-3.3 2-3.3-2-3.2 2zM9 8h6M9 12h6",
            Self::Print => "M7 9V3.500h10V9M7 17H4.5v-6A1.5 1.5 0 016 9h12a1.5 1.5 0 011.5 1.500V17H17M7 14.500h10v6H7z",
            Self::Nowhere => {
                "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM9.3 9.3a2.8 2.8 0 115 1.7c-.9 1-2.3 1.3-2.3 2.8M12 17v.1"
            }
        }
    }

    /// The filled part.
    fn solid(self) -> Option<&'static str> {
        (self == Self::Pending).then_some("M12 6.5a5.5 5.5 0 010 11z")
    }
}

/// An icon beside text.
#[component]
pub fn Icon16(icon: Icon) -> impl IntoView {
    view! { <Drawn icon class="icon" /> }
}

/// An icon above the text of an empty page.
#[component]
pub fn Icon24(icon: Icon) -> impl IntoView {
    view! { <Drawn icon class="icon large" /> }
}

/// The style sheet sets how all icons are drawn.
#[component]
fn Drawn(icon: Icon, class: &'static str) -> impl IntoView {
    view! {
        <svg class=class viewBox="0 0 24 24" aria-hidden="true">
            <path d=icon.path() />
            {icon.solid().map(|solid| view! { <path class="solid" d=solid /> })}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::Icon;

    /// Icons that every row of a list has come from one image instead, in which the style sheet counts them (`--mark`).
    #[test]
    fn the_icons_of_rows_are_those_of_the_rest() {
        let image = include_str!("../../../../public/icons.svg");
        let places = [
            (0, Icon::Sparkle),
            (2, Icon::Person),
            (3, Icon::Check),
            (4, Icon::Cross),
            (5, Icon::Pencil),
            (6, Icon::More),
            (7, Icon::Warning),
        ];
        for (place, icon) in places {
            let drawn = format!("<path transform=\"translate(0 {})\" d=\"{}\"/>", place * 24, icon.path());
            assert!(image.contains(&drawn), "{drawn}");
        }
    }
}
