/** Client for Keepsake, long-term memory for assistants. Uses `fetch` and nothing else. */

export { Keepsake, ROUTES, type Options } from "./client.js";
export { KeepsakeError, Problem, Unreachable } from "./errors.js";
export type * from "./types.js";
