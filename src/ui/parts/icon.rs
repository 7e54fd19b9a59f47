//! Icons: paths in the manner of the Lucide set (ISC licence), drawn at 16 px in the text's colour, hidden from screen readers.

use leptos::prelude::*;

/// What an icon shows.
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
    Terminal,
    Person,
    Sun,
    Moon,
    Monitor,
    SignOut,
    Pending,
    Approved,
    Rejected,
    Nowhere,
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
            Self::Terminal => {
                "M4.5 4h15A1.5 1.5 0 0121 5.5v13a1.5 1.5 0 01-1.5 1.5h-15A1.5 1.5 0 013 18.5v-13A1.5 1.5 0 014.5 4zM7.5 9l3 3-3 3M13 15h3.5"
            }
            Self::Person => {
                "M19.5 20.5v-1.2a4.8 4.8 0 00-4.8-4.8H9.3a4.8 4.8 0 00-4.8 4.8v1.2M12 11.2a3.9 3.9 0 100-7.7 3.9 3.9 0 000 7.7z"
            }
            Self::Sun => {
                "M12 16a4 4 0 100-8 4 4 0 000 8zM12 2.5v2M12 19.5v2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M2.5 12h2M19.5 12h2M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"
            }
            Self::Moon => "M20.5 13.2A8.5 8.5 0 1110.8 3.5a6.8 6.8 0 009.7 9.7z",
            Self::Monitor => "M4 4.5h16A1 1 0 0121 5.5v10a1 1 0 01-1 1H4a1 1 0 01-1-1v-10a1 1 0 011-1zM8.5 20.5h7M12 16.5v4",
            Self::SignOut => "M9.5 20.5h-4A1.5 1.5 0 014 19V5a1.5 1.5 0 011.5-1.5h4M15.5 16.5L20 12l-4.5-4.5M20 12H9.5",
            Self::Pending => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19z",
            Self::Approved => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM7.8 12.3l2.9 2.9 5.6-5.8",
            Self::Rejected => "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM15 9l-6 6M9 9l6 6",
            Self::Nowhere => {
                "M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19zM9.3 9.3a2.8 2.8 0 115 1.7c-.9 1-2.3 1.3-2.3 2.8M12 17v.1"
            }
        }
    }

    /// The part that is filled.
    fn solid(self) -> Option<&'static str> {
        (self == Self::Pending).then_some("M12 6.5a5.5 5.5 0 010 11z")
    }
}

/// One icon, beside words.
#[component]
pub fn Icon16(icon: Icon) -> impl IntoView {
    view! { <Drawn icon size="16" /> }
}

/// One icon above the words of an empty page.
#[component]
pub fn Icon24(icon: Icon) -> impl IntoView {
    view! { <Drawn icon size="24" /> }
}

#[component]
fn Drawn(icon: Icon, size: &'static str) -> impl IntoView {
    view! {
        <svg
            class="icon"
            viewBox="0 0 24 24"
            width=size
            height=size
            fill="none"
            stroke="currentColor"
            stroke-width="1.9"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
        >
            <path d=icon.path() />
            {icon.solid().map(|solid| view! { <path d=solid fill="currentColor" stroke="none" /> })}
        </svg>
    }
}
