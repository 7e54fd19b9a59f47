//! Forms that are sent without leaving the page, so that other unsaved input stays. The response is the page that the form leads
//! to; the parts that changed are replaced.

use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlFormElement, SubmitEvent};

use crate::document::dom::all;
use crate::document::dom::closest;
use crate::document::dom::stop;
use crate::document::dom::within;
use crate::document::drafts;
use crate::document::fetch::lost;
use crate::document::fetch::posted;
use crate::document::question;
use crate::document::reread;

pub fn submitted(ev: &SubmitEvent) {
    let form = ev.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form.filter(|form| form.has_attribute("data-in-place") && !ev.default_prevented()) else { return };
    // On a page of its own, the form navigates as usual.
    if closest(&form, "dialog, [data-live]").is_none() {
        return;
    }
    stop(ev);
    let keys = within(&form, "input[name$='[key]']").into_iter().filter_map(|field| field.get_attribute("value"));
    let keys: Vec<String> = keys.collect();
    spawn_local(async move {
        let answer = posted(&form).await;
        question::close();
        match answer {
            Ok(next) => {
                for part in all("[data-live]") {
                    let Some(fresh) = next.get_element_by_id(&part.id()) else { continue };
                    // The input for these keys was sent and saved; if it was refused, it stays.
                    let refused = fresh.query_selector(".settings-said .danger").ok().flatten().is_some();
                    let sent = !refused && keys.iter().any(|key| drafts::holds(&part, key));
                    if sent || !drafts::any(&part) {
                        reread::put_anew(&part, &fresh);
                    } else {
                        drafts::overtake(&part, &fresh);
                    }
                }
                reread::forget_leftover();
            }
            Err(why) => {
                drafts::unflip(&form);
                lost(&why);
            }
        }
    });
}
