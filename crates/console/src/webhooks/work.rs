//! Webhooks, for the console's calls.

use leptos::prelude::use_context;

use crate::notice::{Notice, Refused};
use crate::screens;
use crate::server::dates::stamp;
use crate::server::{PostedForm, SignedIn, outward, say};
use crate::webhooks::shapes::{HookState, Hooks, PostedHook, WebhookChange, WebhookEntry, WebhookMessage};
use domain::access::rights::Right;
use domain::moment::Moment;
use domain::webhook::Event;
use service::audit::Actor;
use service::notify::webhooks::{Delivery, NewWebhook, Webhook};

/// The result of a post to the page of webhooks.
pub(crate) type Outcome = PostedHook;

/// The list, with the messages to one address; on a posted page, also the result of the post.
pub async fn webhooks(operator: &SignedIn, of: &str) -> Result<Hooks, Refused> {
    let posted = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.hook.get_or_init(|| added(operator, &form)).await.clone()),
        None => None,
    };
    if let Some(PostedHook::Refused { problem, .. }) = &posted {
        say(problem.clone());
    }
    let keepsake = &operator.console.keepsake;
    let hooks = outward(&operator.console, keepsake.notify.webhooks(&operator.viewer).await)?;
    let of = hooks.iter().find(|hook| hook.id == of).map(|hook| hook.id.clone());
    let sent = match &of {
        Some(id) => outward(&operator.console, keepsake.notify.deliveries(&operator.viewer, id).await)?,
        None => Vec::new(),
    };
    Ok(Hooks {
        hooks: hooks.into_iter().map(hook).collect(),
        may_manage: operator.viewer.may(Right::Manage),
        of,
        sent: sent.into_iter().map(sent_line).collect(),
        posted,
    })
}

pub async fn remove_webhook(operator: &SignedIn, id: &str) -> Result<Notice, Refused> {
    let by = manager(operator)?;
    outward(&operator.console, operator.console.keepsake.notify.remove_webhook(&by, id).await)?;
    leptos_axum::redirect(screens::WEBHOOKS.path);
    Ok(Notice::Webhook(WebhookChange::Removed))
}

pub async fn enable_webhook(operator: &SignedIn, id: &str) -> Result<Notice, Refused> {
    let by = manager(operator)?;
    outward(&operator.console, operator.console.keepsake.notify.enable_webhook(&by, id).await)?;
    leptos_axum::redirect(screens::WEBHOOKS.path);
    Ok(Notice::Webhook(WebhookChange::Enabled))
}

pub async fn test_webhook(operator: &SignedIn, id: &str) -> Result<Notice, Refused> {
    let by = manager(operator)?;
    outward(&operator.console, operator.console.keepsake.notify.test_webhook(&by, id).await)?;
    leptos_axum::redirect(&format!("/manage/webhooks?of={id}"));
    Ok(Notice::Webhook(WebhookChange::Tested))
}

pub async fn resend_delivery(operator: &SignedIn, webhook: &str, delivery: &str) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    outward(&operator.console, operator.console.keepsake.notify.resend_delivery(manager, webhook, delivery).await)?;
    leptos_axum::redirect(&format!("/manage/webhooks?of={webhook}"));
    Ok(Notice::Webhook(WebhookChange::Resent))
}

fn manager(operator: &SignedIn) -> Result<Actor, Refused> {
    operator.viewer.manager().map(Actor::from).map_err(say)
}

async fn added(operator: &SignedIn, form: &PostedForm) -> PostedHook {
    let url = form.field("url");
    let events: Vec<Event> = Event::ALL.into_iter().filter(|event| !form.field(event.as_str()).is_empty()).collect();
    let names: Vec<String> = events.iter().map(|event| event.as_str().to_owned()).collect();
    let added = match manager(operator) {
        Ok(by) => outward(&operator.console, operator.console.keepsake.notify.add_webhook(&by, &url, &names).await),
        Err(refused) => Err(refused),
    };
    match added {
        Ok(NewWebhook { secret, .. }) => PostedHook::Added { url: without_query(&url), secret },
        Err(Refused(problem)) => PostedHook::Refused { problem, url, events },
    }
}

fn hook(hook: Webhook) -> WebhookEntry {
    let state = match (hook.disabled_at, hook.disabled_why.as_deref(), hook.failing_since) {
        (Some(at), Some("gone"), _) => HookState::Gone(stamp(at)),
        (Some(at), ..) => HookState::Disabled(stamp(at)),
        (None, _, Some(since)) => HookState::Failing(stamp(since)),
        (None, _, None) => HookState::Working,
    };
    WebhookEntry {
        url: without_query(&hook.url),
        events: hook.events.split(' ').map(str::to_owned).collect(),
        state,
        id: hook.id,
    }
}

fn without_query(url: &str) -> String {
    match url.trim().split_once(['?', '#']) {
        Some((url, _)) => format!("{url}?…"),
        None => url.trim().to_owned(),
    }
}

fn sent_line(delivery: Delivery) -> WebhookMessage {
    let answer = match (delivery.status_code, delivery.error.as_deref()) {
        (Some(status), _) => status.to_string(),
        (None, Some(error)) => why(error).to_owned(),
        (None, None) => String::new(),
    };
    let at: Moment = delivery.last_at.unwrap_or(delivery.occurred_at);
    WebhookMessage {
        id: delivery.id,
        event: delivery.event,
        at: stamp(at),
        state: delivery.state,
        attempts: delivery.attempts,
        answer,
        duration: delivery.duration_ms.map(|ms| format!("{ms} ms")).unwrap_or_default(),
    }
}

/// Says why there was no answer, in plain words.
fn why(error: &str) -> &'static str {
    match error {
        "timeout" => "No answer in 10 seconds",
        "refused_address" => "Address not allowed",
        "bad_address" => "Not an address",
        _ => "Could not be reached",
    }
}
