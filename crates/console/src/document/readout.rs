//! Reading a chart point by point. The server rendered the marks and the text of every point; one point is shown at a time.

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement, PointerEvent};

use crate::document::dom::all;
use crate::document::dom::closest;
use crate::document::dom::element;
use crate::document::dom::stop;

/// Makes plots focusable, and listens to the pointer.
pub fn begin() {
    settle();
    drop(window_event_listener(ev::pointermove, |ev: PointerEvent| {
        let reach = element(ev.target()).filter(|at| at.class_list().contains("reach"));
        let Some((reach, plot)) = reach.and_then(|reach| Some((reach.clone(), closest(&reach, "[data-readout]")?))) else {
            all("[data-readout]").iter().filter(|plot| !holds_focus(plot)).for_each(|plot| show(plot, None));
            return;
        };
        let width = reach.unchecked_ref::<HtmlElement>().client_width();
        let last = points(&plot).len().saturating_sub(1);
        show(&plot, Some(nearest(ev.offset_x(), width, last)));
    }));
    drop(window_event_listener(ev::focusout, |ev| {
        if let Some(plot) = element(ev.target()).filter(|at| at.has_attribute("data-readout")) {
            show(&plot, None);
        }
    }));
}

/// Also called after a part of the page was replaced.
pub fn settle() {
    for plot in all("[data-readout]") {
        plot.set_tab_index(0);
    }
}

pub fn pressed(ev: &ev::KeyboardEvent, plot: &Element) {
    if !plot.has_attribute("data-readout") {
        return;
    }
    let points = points(plot);
    let last = points.len().saturating_sub(1);
    let now = points.iter().position(|point| point.class_list().contains("shown"));
    let next = match ev.key().as_str() {
        "ArrowLeft" => Some(now.map_or(last, |at| at.saturating_sub(1))),
        "ArrowRight" => Some(now.map_or(last, |at| (at + 1).min(last))),
        "Home" => Some(0),
        "End" => Some(last),
        "Escape" => None,
        _ => return,
    };
    stop(ev);
    show(plot, next);
}

fn show(plot: &Element, at: Option<usize>) {
    let points = points(plot);
    for (n, point) in points.iter().enumerate() {
        let _ = point.class_list().toggle_with_force("shown", at == Some(n));
    }
    let words = at.and_then(|at| points.get(at)?.get_attribute("data-words"));
    let Some(figure) = closest(plot, "figure") else { return };
    let _ = figure.class_list().toggle_with_force("reading", words.is_some());
    if let Ok(Some(said)) = figure.query_selector(".readout")
        && said.text_content().unwrap_or_default() != words.clone().unwrap_or_default()
    {
        said.set_text_content(words.as_deref());
    }
}

/// The points are SVG elements, not HTML elements.
fn points(plot: &Element) -> Vec<Element> {
    let Ok(found) = plot.query_selector_all(".at") else { return Vec::new() };
    (0..found.length()).filter_map(|at| found.get(at)?.dyn_into().ok()).collect()
}

fn holds_focus(plot: &HtmlElement) -> bool {
    document().active_element().is_some_and(|active| active.is_same_node(Some(plot)))
}

/// The point nearest to a position in the plot.
fn nearest(offset: i32, width: i32, last: usize) -> usize {
    if width <= 0 {
        return last;
    }
    let share = f64::from(offset) / f64::from(width);
    ((share * last as f64).round().max(0.0) as usize).min(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_read_out() {
        let at = |offset| nearest(offset, 120, 12);
        assert_eq!([at(-4), at(0), at(4), at(6), at(119), at(200)], [0, 0, 0, 1, 12, 12]);
        assert_eq!((nearest(5, 0, 3), nearest(5, 100, 0)), (3, 0));
    }
}
