/** Errors: what the server says, as RFC 9457 problems, and a server that cannot be reached. */

/** Base of all errors of this package. */
export class KeepsakeError extends Error {
  override name = "KeepsakeError";
}

/** The server could not be reached, broke off, or did not answer in time. Nothing is known about whether it acted. */
export class Unreachable extends KeepsakeError {
  override name = "Unreachable";
}

/** The server refused or failed. */
export class Problem extends KeepsakeError {
  override name = "Problem";
  /** Stable and made for programs: `unauthenticated`, `scope_missing`, `invalid`, `refused` … */
  readonly code: string;
  /** A sentence for people. */
  readonly detail: string;
  /** The rules by which a text was refused (code `refused`). */
  readonly rules: readonly string[];

  constructor(
    readonly status: number,
    /** Everything that the server sent. */
    readonly body: Readonly<Record<string, unknown>>,
    readonly retryAfterS: number | undefined,
  ) {
    const code = typeof body["code"] === "string" ? body["code"] : "unknown";
    const detail = typeof body["detail"] === "string" ? body["detail"] : `The server answered with status ${status}.`;
    super(`${detail} (${code}, ${status})`);
    this.code = code;
    this.detail = detail;
    this.rules = Array.isArray(body["rules"]) ? body["rules"].map(String) : [];
  }
}
