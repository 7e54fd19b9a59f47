//! Rules about the source and the documents.

mod architecture;
mod areas;
mod contracts;
mod migrations;
