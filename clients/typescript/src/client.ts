/** The client. Each method is one call of the API; `docs/contracts.md` says what each does. */

import { Http, type Sending } from "./http.js";
import type {
  ErasurePreview,
  ErasureScope,
  ExchangeOptions,
  ExchangeState,
  Fact,
  FactFilter,
  Forgotten,
  Memory,
  OfUser,
  Page,
  PageOptions,
  ProposeOptions,
  Proposed,
  RecallOptions,
  Recalled,
  RememberOptions,
  Remembered,
} from "./types.js";

/** Every call of the API and the method that makes it; a test compares it with the server's OpenAPI document. */
export const ROUTES = {
  exchange: ["POST", "/v1/exchanges"],
  exchangeState: ["GET", "/v1/exchanges/{id}"],
  recall: ["POST", "/v1/recall"],
  remember: ["POST", "/v1/memories"],
  memories: ["GET", "/v1/memories"],
  deleteMemory: ["DELETE", "/v1/memories/{id}"],
  forget: ["POST", "/v1/forget"],
  proposeFact: ["POST", "/v1/facts"],
  facts: ["GET", "/v1/facts"],
  previewErasure: ["GET", "/v1/users/{id}/erasures/preview"],
  erase: ["POST", "/v1/users/{id}/erasures"],
  receipt: ["GET", "/v1/erasures/{id}"],
  export: ["GET", "/v1/users/{id}/export"],
} as const satisfies Record<string, readonly ["GET" | "POST" | "DELETE", string]>;

export interface Options {
  /** The user for whom all calls are made; not needed with a key that was made for one user. */
  userId?: string | undefined;
  /** For each try. */
  timeoutMs?: number;
  /** How often a call is tried again that the server asks to repeat (429, 503), or whose connection broke. */
  retries?: number;
  /** The longest wait that the server may ask for. */
  patienceMs?: number;
  /** Another `fetch`, for tests and for proxies. */
  fetch?: typeof fetch;
}

type Query = Record<string, string | number | readonly string[] | undefined>;

/** A server and a key. */
export class Keepsake {
  readonly #http: Http;
  readonly #userId: string | undefined;

  constructor(url: string, key: string, options: Options = {}) {
    const { timeoutMs = 10_000, retries = 3, patienceMs = 30_000, fetch = globalThis.fetch } = options;
    this.#http = new Http(url, key, timeoutMs, retries, patienceMs, fetch);
    this.#userId = options.userId;
  }

  /** What a prompt gets. */
  recall(query: string, { userId, surface, k, origins }: RecallOptions): Promise<Recalled> {
    return this.#call("recall", { body: { user_id: this.#user(userId), surface, query, k, origins } });
  }

  /** Sends one message and its reply to be learned from; returns the id under which it is learned in the background. */
  async exchange(user: string, assistant: string, { userId, ...said }: ExchangeOptions): Promise<string> {
    // A try whose answer was lost is recognised by this.
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { ...said, user_id: this.#user(userId), user, assistant };
    return (await this.#call<{ id: string }>("exchange", { body, headers })).id;
  }

  /** Whether an exchange was learned; for a day after it was. */
  exchangeState(id: string): Promise<ExchangeState> {
    return this.#call("exchangeState", { id });
  }

  /** Saves one statement about the user. */
  remember(content: string, { userId, ...said }: RememberOptions): Promise<Remembered> {
    // Sent twice it is merged with itself.
    return this.#call("remember", { body: { ...said, user_id: this.#user(userId), content } });
  }

  /** One page of a user's memories, newest first. */
  memories({ userId, limit, cursor }: OfUser & PageOptions = {}): Promise<Page<Memory>> {
    return this.#call("memories", { query: { user_id: this.#user(userId), limit, cursor } });
  }

  /** All of a user's memories, newest first. */
  allMemories({ userId }: OfUser = {}): AsyncGenerator<Memory> {
    return all((cursor) => this.memories({ userId, cursor }));
  }

  /** Deletes one memory. */
  async deleteMemory(id: string, { userId }: OfUser = {}): Promise<void> {
    await this.#send("deleteMemory", { id, query: { user_id: this.#user(userId) }, safe: false });
  }

  /** Deletes the memory closest to a text, or everything about the user (scope `erase`). */
  forget(what: string | { all: true }, { userId }: OfUser = {}): Promise<Forgotten> {
    const body = typeof what === "string" ? { query: what } : { all: true };
    // A text sent twice would delete the next memory too.
    return this.#call("forget", { body: { ...body, user_id: this.#user(userId) }, safe: typeof what !== "string" });
  }

  /** Proposes a fact for the team; it waits until people agree. */
  proposeFact(content: string, { userId, kind = "fact", ...said }: ProposeOptions = {}): Promise<Proposed> {
    return this.#call("proposeFact", { body: { ...said, kind, user_id: this.#user(userId), content } });
  }

  /** One page of approved facts, oldest first. */
  facts({ origins, kinds, q, limit, cursor }: FactFilter & PageOptions = {}): Promise<Page<Fact>> {
    return this.#call("facts", { query: { origin: origins, kind: kinds, q, limit, cursor } });
  }

  /** All approved facts, oldest first. */
  allFacts(filter: FactFilter = {}): AsyncGenerator<Fact> {
    return all((cursor) => this.facts({ ...filter, cursor }));
  }

  /** What an erasure would do; its `preview` orders it. */
  previewErasure(userId: string, scope: ErasureScope = "everything"): Promise<ErasurePreview> {
    return this.#call("previewErasure", { id: userId, query: { scope } });
  }

  /** Orders exactly the erasure of a preview; returns its id. */
  async erase(userId: string, preview: string, reason: string, scope: ErasureScope = "everything"): Promise<string> {
    return (await this.#call<{ id: string }>("erase", { id: userId, body: { scope, reason, preview }, safe: false })).id;
  }

  /** The receipt of an erasure, as the server sealed it. */
  receipt(id: string): Promise<Record<string, unknown>> {
    return this.#call("receipt", { id });
  }

  /** Everything held about a user. */
  export(userId: string): Promise<Record<string, unknown>> {
    return this.#call("export", { id: userId });
  }

  /** The same as a page for people. */
  exportHtml(userId: string): Promise<string> {
    return this.#send("export", { id: userId, query: { format: "html" } });
  }

  #user(userId: string | undefined): string | undefined {
    return userId ?? this.#userId;
  }

  async #call<T>(name: keyof typeof ROUTES, how: Sending & { id?: string; query?: Query } = {}): Promise<T> {
    return JSON.parse(await this.#send(name, how)) as T;
  }

  #send(name: keyof typeof ROUTES, { id, query = {}, ...how }: Sending & { id?: string; query?: Query } = {}): Promise<string> {
    const [method, template] = ROUTES[name];
    const path = id === undefined ? template : template.replace("{id}", encodeURIComponent(id));
    const pairs = Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [key, String(one)]),
    );
    const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
    return this.#http.send(method, path + search, how);
  }
}

async function* all<T>(page: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const found = await page(cursor);
    yield* found.items;
    cursor = found.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
