//! Operators and their rights; and one's own account.

use serde::{Deserialize, Serialize};

use crate::audit::shapes::Day;
use domain::access::rights::Rights;
use domain::problem::Problem;

/// An operator in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    pub id: String,
    pub name: String,
    pub email: String,
    pub rights: Rights,
    pub disabled: bool,
    /// Whether this is the operator who asks.
    pub me: bool,
}

/// The result of the post that this page answers. A password is shown in this answer and nowhere else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum OperatorPost {
    /// A password was set for an operator.
    Handed { name: String, email: String, password: String, added: bool },
    /// It was refused; what was typed is shown again. `reset` is the operator whose password was to be reset.
    Refused { problem: Problem, email: String, name: String, rights: String, reset: Option<String> },
}

/// Decisions of operators by week; newest week first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkTable {
    /// `This week`, `16 Nov`
    pub weeks: Vec<String>,
    pub rows: Vec<WorkRow>,
}

/// One operator's decisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkRow {
    pub id: String,
    pub name: String,
    pub decided: String,
    /// `3 (1.2%)`; a dash if nothing was decided.
    pub undone: String,
    pub by_week: Vec<String>,
}

/// All operators, and the result of a post, if this page answers one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Staff {
    pub members: Vec<Member>,
    /// The rights of the operator who asks.
    pub own: Rights,
    /// Actions on this page require the operator's own password.
    pub asks_password: bool,
    pub posted: Option<OperatorPost>,
    pub work: WorkTable,
}

/// One's own account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Account {
    pub name: String,
    pub email: String,
    pub rights: Rights,
    pub password_from: usize,
    /// The operator's own entries in the audit log, newest first.
    pub recent: Vec<Day>,
}

/// A completed action on an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OperatorChange {
    Disabled,
    RightsChanged,
    /// The operator's own password; all other sessions have ended.
    PasswordChanged,
}
