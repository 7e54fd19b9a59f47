//! Components that several screens share.

pub mod about;
pub mod boxes;
pub mod bulk;
pub mod copy;
pub mod editor;
pub mod entries;
pub mod field;
pub mod focus;
pub mod form;
pub mod heads;
pub mod icon;
pub mod last;
pub mod load;
pub mod meta;
pub mod note;
pub mod pager;
pub mod problem;
pub mod prose;
pub mod stand;
pub mod top;
pub mod when;
