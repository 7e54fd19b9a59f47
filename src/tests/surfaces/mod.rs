//! Every entry point: HTTP, console, MCP, hooks and the bot.

mod api;
mod console;
mod doors;
mod hooks;
mod matrix;
pub(super) mod mcp;
mod telegram;
