//! First steps: from an empty installation to the first fact that is recalled. Each step ticks itself once it has happened.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;

use crate::notice::grouped;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{headed, load, loaded};
use crate::screens;
use crate::shell::{Head, LeftoverHere};
use crate::start::call::{home, open_first_steps};
use crate::start::shapes::{FirstSteps, Sample};

/// Leads from `/` to where there is work.
#[component]
pub fn Home() -> impl IntoView {
    let page = load(|| (), |()| home());
    loaded(page, |path| view! { <Redirect path /> }, headed(screens::HOME.title, "The start page"))
}

#[component]
pub fn Start() -> impl IntoView {
    let page = load(|| (), |()| open_first_steps());
    view! {
        <Title text=screens::START.title />
        {loaded(page, |steps| view! { <Steps steps /> }, headed(screens::START.title, "The first steps"))}
    }
}

#[component]
fn Steps(steps: FirstSteps) -> impl IntoView {
    let (done, all, [key, message, approved, recalled]) = (steps.done(), FirstSteps::ALL, steps.ticks);
    let lead = if done == all { "All done: your assistant has a memory.".to_owned() } else { format!("{done} of {all} done") };
    let version = format!("{done} {} {} {}", steps.pending, steps.sample.users, steps.sample.waiting);
    // The page asks again until the last step is done.
    let waits = (done < all || steps.sample.waiting > 0).then_some("keys");
    let batch = match steps.batch_s.div_ceil(60) {
        0 => "A proposal for the team follows in a few seconds.".to_owned(),
        1 => "A proposal for the team follows within a minute.".to_owned(),
        minutes => format!(
            "A proposal for the team follows within {minutes} minutes: proposals arrive in batches, so their timing does not reveal who said what."
        ),
    };
    let waiting = match steps.pending {
        0 => None,
        1 => Some("1 waits for you.".to_owned()),
        more => Some(format!("{} wait for you.", grouped(more))),
    };
    view! {
        <Head title=screens::START.title />
        <div class="page">
            <LeftoverHere />
            <div id="first-steps" class="first-steps" data-live="facts keys erasures" data-version=version data-waits=waits>
                <p class="quiet-text">{lead}</p>
                <ol class="box checklist">
                    <Step done=key title="Create a key" test="step-key">
                        <p>"Each program that talks to Keepsake has its own key. Give this one the scopes " <code>"read"</code> " and " <code>"write"</code> ", and put it where the commands below find it:"</p>
                        <Command text="export KEEPSAKE_KEY=ks_…".to_owned() label="the setting" />
                        <p><a class="button small" href="/manage/keys">"Create a key"</a></p>
                    </Step>
                    <Step done=message title="Send a message" test="step-message">
                        <p>"Your assistant sends each exchange after its reply. " {batch}</p>
                        <Command text=steps.send label="the message" />
                    </Step>
                    <Step done=approved title="Approve what it proposes" test="step-approve">
                        <p>"What is said for the team waits in the review queue until two people have said it, or you approve it. " {waiting}</p>
                        <p><a class="button small" href="/review">"Open the review queue"</a></p>
                    </Step>
                    <Step done=recalled title="Recall it" test="step-recall">
                        <p>"Before each reply, your assistant asks what is remembered."</p>
                        <Command text=steps.ask label="the question" />
                    </Step>
                </ol>
                <SampleBox sample=steps.sample />
                <p class="quiet-text">"Read more: "<a class="link" href="/stats#how">"how team memory works"</a>" · "<a class="link" href="/docs">"all calls of the API"</a></p>
            </div>
        </div>
    }
}

#[component]
fn Step(done: bool, title: &'static str, test: &'static str, children: Children) -> impl IntoView {
    let (icon, said) = if done { (Icon::Approved, "Done: ") } else { (Icon::Pending, "To do: ") };
    view! {
        <li class=if done { "done" } else { "" } data-testid=test data-done=done.to_string()>
            <Icon16 icon />
            <div>
                <h2><span class="sr">{said}</span>{title}</h2>
                // Completed steps are folded, and can be read again.
                <details open=!done>
                    <summary>{if done { "Show again" } else { "How" }}</summary>
                    {children()}
                </details>
            </div>
        </li>
    }
}

#[component]
fn Command(text: String, label: &'static str) -> impl IntoView {
    let copied = text.clone();
    view! {
        <div class="snippet">
            <button type="button" class="button small scripted" data-copies=copied aria-label=format!("Copy {label}")><Icon16 icon=Icon::Copy />"Copy"</button>
            <pre><code>{text}</code></pre>
        </div>
    }
}

/// Invented data for looking around.
#[component]
fn SampleBox(sample: Sample) -> impl IntoView {
    let Sample { users, waiting, may_load, may_remove } = sample;
    let learning = match waiting {
        0 => None,
        1 => Some("1 message waits to be learned.".to_owned()),
        more => Some(format!("{} messages wait to be learned.", grouped(more))),
    };
    (may_load || users > 0).then(|| view! {
        <section class="box" data-testid="sample">
            <header><h2>"Sample data"</h2></header>
            <div class="box-body">
                {if users > 0 {
                    view! {
                        <p>{format!("The sample is loaded: {users} invented users. ")}{learning}</p>
                        <p>"Removing it erases these users and the team facts that nobody else said."</p>
                    }.into_any()
                } else {
                    view! { <p>"Look around with some 200 invented messages. They go through the whole pipeline, as yours will. You can remove them here."</p> }.into_any()
                }}
                {may_load.then(|| view! {
                    <form method="post" action=calls_path("load-sample")><button type="submit" class="button small" data-testid="load-sample">"Load the sample"</button></form>
                })}
                {may_remove.then(|| view! {
                    <form method="post" action=calls_path("remove-sample")><button type="submit" class="button small danger" data-testid="remove-sample">"Remove the sample"</button></form>
                })}
            </div>
        </section>
    })
}

fn calls_path(call: &str) -> String {
    format!("/calls/start/{call}")
}
