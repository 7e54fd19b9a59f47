//! A user's memories over HTTP.

mod lifecycle;
