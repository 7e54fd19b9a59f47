//! Finding facts by what is known about them, and what happened to one of them.

use async_trait::async_trait;

use super::StoreError;
use super::record::AuditRow;
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::memory::Importance;
use crate::domain::moment::Moment;
use crate::domain::provenance::Origin;

/// What somebody typed into the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// Starts of words that must all occur in the text, regardless of case and accents.
    Words(String),
    /// The start of an id.
    Id(String),
}

/// Which facts are meant.
#[derive(Debug, Clone, Default)]
pub struct FactQuery {
    pub status: Option<FactStatus>,
    /// Empty: any.
    pub kinds: Vec<FactKind>,
    /// Empty: any.
    pub origins: Vec<Origin>,
    pub min_importance: Option<Importance>,
    /// In an open contradiction.
    pub contradicted: bool,
    pub search: Option<Search>,
    /// Only these.
    pub among: Option<Vec<String>>,
}

/// What a list is sorted by; ties by age, then by id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SortKey {
    #[default]
    Created,
    Contributors,
    Recalls,
    Importance,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FactSort {
    pub key: SortKey,
    pub descending: bool,
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    pub skip: u64,
    pub limit: u64,
}

impl Slice {
    pub const ALL: Self = Self { skip: 0, limit: i64::MAX as u64 };
}

#[async_trait]
pub trait ManageReads: Send + Sync {
    /// Ids in order.
    async fn find_facts(&self, query: &FactQuery, sort: FactSort, slice: Slice) -> Result<Vec<String>, StoreError>;

    async fn count_found(&self, query: &FactQuery) -> Result<u64, StoreError>;

    /// Recalls of a fact since this moment's day, most recalled surface first.
    async fn recalls_by_surface(&self, id: &str, since: Moment) -> Result<Vec<(String, i64)>, StoreError>;

    /// The newest rows of the audit log about one target.
    async fn audit_of(&self, target: &str, limit: u32) -> Result<Vec<AuditRow>, StoreError>;
}

#[async_trait]
pub trait ManageWrites: Send {
    /// Closes the contradiction between these two. `false`: none is open.
    async fn resolve_pair(&mut self, a: &str, b: &str, at: Moment) -> Result<bool, StoreError>;
}
