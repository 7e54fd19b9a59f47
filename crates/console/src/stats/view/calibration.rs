//! The current settings of the rules, on scales from looser to stricter. They are changed on the Settings page.

use leptos::prelude::*;

use crate::stats::shapes::{Calibration, CardResult, Dial};
use crate::stats::view::tile::Failed;
use crate::stats::view::tile::Tile;

/// Radius of the mark on a scale, in pixels.
const MARK: &str = "4";

#[component]
pub fn CalibrationCard(calibration: CardResult<Calibration>) -> impl IntoView {
    let action = Some(view! { <a href="/manage/settings" class="link accent">"Change in Settings"</a> }.into_any());
    let dial = |dial: Dial| {
        view! {
            <div data-testid=dial.id>
                <dt>{dial.label}</dt>
                <dd>{dial.value}</dd>
                <dd class="scale" aria-hidden="true">
                    <svg width="100%" height="8"><rect class="rail-line" y="2" width="100%" height="4" rx="2" /><circle class="c1" cx=format!("{:.2}%", dial.at) cy="4" r=MARK /></svg>
                </dd>
            </div>
        }
    };
    view! {
        <Tile title="Calibration" class="slim" action>
            {match calibration {
                Ok(calibration) => view! {
                    <p class="poles" aria-hidden="true"><span>"Looser"</span><span>"Stricter"</span></p>
                    <dl class="dials" data-testid="calibration">
                        {calibration.dials.into_iter().map(dial).collect_view()}
                        <div data-testid="cal-topk"><dt>"Recalled per message"</dt><dd>{calibration.recalled}</dd></div>
                    </dl>
                    {calibration.changed.map(|changed| view! { <p class="fine" data-testid="cal-changed">{changed}</p> })}
                }
                .into_any(),
                Err(problem) => view! { <Failed problem missing="The calibration" /> }.into_any(),
            }}
        </Tile>
    }
}
