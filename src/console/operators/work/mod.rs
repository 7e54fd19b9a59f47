//! Operators and one's own account, for the console's calls.

pub(crate) mod workload;

use leptos::prelude::use_context;

use crate::access::operators::plausible;
use crate::access::passwords::PASSWORD_MIN_CHARS;
use crate::access::sessions;
use crate::access::tries::AttemptSource;
use crate::console::notice::{Notice, Refused};
use crate::console::operators::call::{Account, Member, OperatorPost, Staff, StaffDeed};
use crate::console::operators::work::workload::work_table;
use crate::console::server::{Console, PostedForm, SignedIn, fail, outward, say};
use crate::domain::access::rights::Rights;
use crate::domain::problem::{Faults, Field, Problem};
use crate::service::people::operators::Handed;

/// Number of own entries on the account page.
const RECENT: u32 = 10;

/// The result of a post to the operators' page.
pub(crate) type Outcome = OperatorPost;

impl SignedIn {
    /// The list; on a posted page, also the result of the post.
    pub async fn staff(self) -> Result<Staff, Refused> {
        let posted = match use_context::<PostedForm>() {
            Some(form) => Some(form.0.staff.get_or_init(|| self.posted(&form)).await.clone()),
            None => None,
        };
        if let Some(OperatorPost::Refused { problem, .. }) = &posted {
            say(problem.clone());
        }
        let operators = outward(&self.console, self.console.keepsake.people.operators(&self.viewer).await)?;
        let load = outward(&self.console, self.console.keepsake.audit.workload(&self.viewer).await)?;
        let work = work_table(&load, &operators);
        let members = operators.into_iter().map(|operator| Member {
            me: operator.id == self.viewer.id(),
            id: operator.id,
            name: operator.name,
            email: operator.email,
            rights: operator.rights,
            disabled: operator.disabled,
        });
        Ok(Staff {
            members: members.collect(),
            own: self.viewer.rights(),
            asks_password: self.asks_password().await?,
            posted,
            work,
        })
    }

    pub async fn disable(self, operator: &str, present: String) -> Result<Notice, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        self.proved(present).await?;
        outward(&self.console, self.console.keepsake.people.shut_out(manager, operator).await)?;
        leptos_axum::redirect("/manage/operators");
        Ok(Notice::Staff(StaffDeed::Disabled))
    }

    pub async fn set_rights(self, operator: &str, seen: &str, rights: &str, present: String) -> Result<Notice, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        let (seen, rights) = (Rights::parse(seen).map_err(say)?, Rights::parse(rights).map_err(say)?);
        self.proved(present).await?;
        outward(&self.console, self.console.keepsake.people.set_rights(manager, operator, seen, rights).await)?;
        leptos_axum::redirect("/manage/operators");
        Ok(Notice::Staff(StaffDeed::RightsChanged))
    }

    pub async fn account(self) -> Result<Account, Refused> {
        let keepsake = &self.console.keepsake;
        let operators = outward(&self.console, keepsake.people.operators(&self.viewer).await)?;
        let own = operators.into_iter().find(|operator| operator.id == self.viewer.id());
        let own = own.ok_or_else(|| say(Problem::Unauthenticated))?;
        let rows = outward(&self.console, keepsake.audit.own_log(&self.viewer, RECENT).await)?;
        Ok(Account {
            name: own.name,
            email: own.email,
            rights: own.rights,
            password_from: PASSWORD_MIN_CHARS,
            recent: self.days(rows).await?,
        })
    }

    /// Sets a new password and a new session id; the operator's other sessions end.
    pub async fn change_password(self, present: String, password: String) -> Result<Notice, Refused> {
        let console = &self.console;
        let session = self.session_digest();
        let now = console.keepsake.clock.now();
        let permit =
            console.tries.take(self.viewer.id(), AttemptSource::KnownDevice, console.keepsake.clock.steady()).map_err(say)?;
        let changed = console.keepsake.people.change_own_password(&self.viewer, present, password, &session).await;
        let guessed = matches!(&changed, Err(crate::service::Error::Refused(problem)) if problem.of_field(Field::PresentPassword).is_some());
        if !guessed {
            permit.give_back();
        }
        outward(console, changed)?;
        self.session.cycle_id().await.map_err(|error| fail(console, error))?;
        sessions::prove(&self.session, now).await.map_err(|error| fail(console, error))?;
        Ok(Notice::Staff(StaffDeed::PasswordChanged))
    }

    /// Whether an action that cannot be undone asks for the password again.
    pub(crate) async fn asks_password(&self) -> Result<bool, Refused> {
        let proved = sessions::is_proved(&self.session, self.console.keepsake.clock.now()).await;
        Ok(!proved.map_err(|error| fail(&self.console, error))?)
    }

    /// Checks the password typed for an action, unless one was checked recently.
    pub(crate) async fn proved(&self, password: String) -> Result<(), Refused> {
        if !self.asks_password().await? {
            return Ok(());
        }
        let Console { keepsake, tries, .. } = &self.console;
        let now = keepsake.clock.now();
        let permit = tries.take(self.viewer.id(), AttemptSource::KnownDevice, keepsake.clock.steady()).map_err(say)?;
        if !outward(&self.console, keepsake.people.is_own_password(&self.viewer, password).await)? {
            return Err(say(Problem::invalid(Field::PresentPassword, "is not right")));
        }
        permit.give_back();
        sessions::prove(&self.session, now).await.map_err(|error| fail(&self.console, error))
    }

    /// Like [`Self::proved`], for a form that reports all its errors at once.
    pub(crate) async fn judge_password(&self, faults: &mut Faults, password: String) -> Result<(), Refused> {
        match self.proved(password).await {
            Err(Refused(wrong @ Problem::Invalid { .. })) => {
                faults.add(wrong);
                Ok(())
            }
            other => other,
        }
    }

    async fn posted(&self, form: &PostedForm) -> OperatorPost {
        let field = |name: &str| form.field(name);
        let added = field("act") == "add";
        let handed = if added {
            self.add(&field("email"), &field("name"), &field("rights"), field("present")).await
        } else {
            self.hand_over(&field("operator"), field("present")).await
        };
        match handed {
            Ok(Handed { name, email, password }) => OperatorPost::Handed { name, email, password, added },
            Err(Refused(problem)) => {
                let reset = Some(field("operator")).filter(|_| !added);
                OperatorPost::Refused { problem, email: field("email"), name: field("name"), rights: field("rights"), reset }
            }
        }
    }

    async fn add(&self, email: &str, name: &str, rights: &str, present: String) -> Result<Handed, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        let mut faults = Faults::new();
        faults.note(plausible(email, name));
        let rights = faults.note(Rights::parse(rights));
        self.judge_password(&mut faults, present).await?;
        faults.settle().map_err(say)?;
        outward(&self.console, self.console.keepsake.people.hire(manager, email, name, rights.unwrap_or_default()).await)
    }

    async fn hand_over(&self, operator: &str, present: String) -> Result<Handed, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        self.proved(present).await?;
        outward(&self.console, self.console.keepsake.people.reset_password(manager, operator).await)
    }
}
