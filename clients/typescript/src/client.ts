/** The client. Each method is one call of the API; `docs/contracts.md` says what each does. */

import { Http, type Sending } from "./http.js";
import type {
  All,
  ArchivedHistory,
  Command,
  CommandOptions,
  ErasurePreview,
  ErasureScope,
  ExchangeOptions,
  ExchangeState,
  Fact,
  FactFilter,
  Forgotten,
  InThread,
  Kept,
  Memory,
  MemoryChanges,
  MemoryVersion,
  Note,
  NotesReport,
  OfUser,
  OnSurface,
  Page,
  PageOptions,
  Preference,
  ProfileField,
  ProfileValue,
  PromptNotesOptions,
  ProposeOptions,
  Proposed,
  RecallOptions,
  Recalled,
  RememberOptions,
  Remembered,
  Role,
  ToolAnswer,
  Tools,
  Turn,
} from "./types.js";

/** Every call of the API and the method that makes it; a test compares it with the server's OpenAPI document. */
export const ROUTES = {
  exchange: ["POST", "/v1/exchanges"],
  exchangeState: ["GET", "/v1/exchanges/{id}"],
  recall: ["POST", "/v1/recall"],
  remember: ["POST", "/v1/memories"],
  memories: ["GET", "/v1/memories"],
  memory: ["GET", "/v1/memories/{id}"],
  editMemory: ["PATCH", "/v1/memories/{id}"],
  memoryHistory: ["GET", "/v1/memories/{id}/history"],
  undoMemory: ["POST", "/v1/memories/{id}/undo"],
  deleteMemory: ["DELETE", "/v1/memories/{id}"],
  forget: ["POST", "/v1/forget"],
  command: ["POST", "/v1/commands"],
  addNote: ["POST", "/v1/notes"],
  notes: ["GET", "/v1/notes"],
  deleteNote: ["DELETE", "/v1/notes/{id}"],
  notesReport: ["GET", "/v1/notes/report"],
  promptNotes: ["GET", "/v1/prompt/notes"],
  addPreference: ["POST", "/v1/preferences"],
  preferences: ["GET", "/v1/preferences"],
  deletePreference: ["DELETE", "/v1/preferences/{id}"],
  tools: ["GET", "/v1/tools"],
  callTool: ["POST", "/v1/tools/{name}"],
  profile: ["GET", "/v1/profile"],
  profileField: ["GET", "/v1/profile/{key}"],
  setProfileField: ["PUT", "/v1/profile/{key}"],
  deleteProfileField: ["DELETE", "/v1/profile/{key}"],
  appendHistory: ["POST", "/v1/history"],
  history: ["GET", "/v1/history"],
  resetHistory: ["POST", "/v1/history/reset"],
  archivedHistory: ["GET", "/v1/history/archive"],
  proposeFact: ["POST", "/v1/facts"],
  facts: ["GET", "/v1/facts"],
  previewErasure: ["GET", "/v1/users/{id}/erasures/preview"],
  erase: ["POST", "/v1/users/{id}/erasures"],
  receipt: ["GET", "/v1/erasures/{id}"],
  export: ["GET", "/v1/users/{id}/export"],
} as const satisfies Record<string, readonly ["GET" | "POST" | "PUT" | "PATCH" | "DELETE", string]>;

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
  recall(query: string, { userId, ...asked }: RecallOptions = {}): Promise<Recalled> {
    return this.#call("recall", { body: { ...asked, user_id: this.#user(userId), query } });
  }

  /** Sends one message and its reply to be learned from; returns the id under which it is learned in the background. */
  async exchange(user: string, assistant: string, { userId, ...said }: ExchangeOptions = {}): Promise<string> {
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
  remember(content: string, { userId, ...said }: RememberOptions = {}): Promise<Remembered> {
    // Sent twice it is merged with itself.
    return this.#call("remember", { body: { ...said, user_id: this.#user(userId), content } });
  }

  /** One page of a user's memories, newest first. */
  memories({ userId, tags, limit, cursor }: OfUser & PageOptions & { tags?: string[] | undefined } = {}): Promise<Page<Memory>> {
    return this.#call("memories", { query: { user_id: this.#user(userId), tag: tags, limit, cursor } });
  }

  /** All of a user's memories, newest first; with `tags` those that have all of them. */
  allMemories({ userId, tags }: OfUser & { tags?: string[] | undefined } = {}): AsyncGenerator<Memory> {
    return all((cursor) => this.memories({ userId, tags, cursor }));
  }

  /** One memory. */
  memory(id: string, { userId }: OfUser = {}): Promise<Memory> {
    return this.#call("memory", { id, query: { user_id: this.#user(userId) } });
  }

  /**
   * Changes a memory, and returns it as it is then. `version` is that of the memory that you read: if it has another one, the call is
   * refused (`stale`, 412). `"any"`: whatever its version.
   */
  editMemory(id: string, version: number | "any", changes: MemoryChanges, { userId }: OfUser = {}): Promise<Memory> {
    const headers = { "if-match": version === "any" ? "*" : `"${version}"` };
    return this.#call("editMemory", { id, query: { user_id: this.#user(userId) }, body: changes, headers, safe: false });
  }

  /** What a memory says and said, newest first. */
  async memoryHistory(id: string, { userId }: OfUser = {}): Promise<MemoryVersion[]> {
    const query = { user_id: this.#user(userId) };
    return (await this.#call<{ items: MemoryVersion[] }>("memoryHistory", { id, query })).items;
  }

  /** Takes the last change of a memory back: an edit, a merge, or a correction. */
  undoMemory(id: string, { userId, version }: OfUser & { version?: number | undefined } = {}): Promise<Memory> {
    const headers: Record<string, string> = version === undefined ? {} : { "if-match": `"${version}"` };
    // Sent twice it would take another change back.
    return this.#call("undoMemory", { id, query: { user_id: this.#user(userId) }, headers, safe: false });
  }

  /** Deletes one memory. */
  async deleteMemory(id: string, { userId }: OfUser = {}): Promise<void> {
    await this.#send("deleteMemory", { id, query: { user_id: this.#user(userId) }, safe: false });
  }

  /** Deletes the memory closest to a text, those with these ids, or everything about the user (scope `erase`). */
  forget(what: string | { ids: string[] } | { all: true }, { userId }: OfUser = {}): Promise<Forgotten> {
    const body = typeof what === "string" ? { query: what } : what;
    // A text sent twice would delete the next memory too.
    return this.#call("forget", { body: { ...body, user_id: this.#user(userId) }, safe: typeof what !== "string" });
  }

  /** Carries out a line of a chat if it is a command, such as `/remember`. */
  command(text: string, { userId, ...said }: CommandOptions = {}): Promise<Command> {
    return this.#call("command", { body: { ...said, user_id: this.#user(userId), text }, safe: false });
  }

  /** Keeps a note word for word. Of more than 50 the oldest falls out. */
  addNote(content: string, { userId, surface }: OnSurface = {}): Promise<Kept> {
    return this.#call("addNote", { body: { user_id: this.#user(userId), surface, content } });
  }

  /** A user's notes, oldest first. */
  notes({ userId }: OfUser = {}): Promise<All<Note>> {
    return this.#call("notes", { query: { user_id: this.#user(userId) } });
  }

  /** Deletes one note. */
  async deleteNote(id: string, { userId }: OfUser = {}): Promise<void> {
    await this.#send("deleteNote", { id, query: { user_id: this.#user(userId) }, safe: false });
  }

  /** Notes that should be looked at again. */
  notesReport({ userId }: OfUser = {}): Promise<NotesReport> {
    return this.#call("notesReport", { query: { user_id: this.#user(userId) } });
  }

  /** The block for a prompt with what the user told. */
  async promptNotes({ userId, surface, include }: PromptNotesOptions = {}): Promise<string> {
    const query = { user_id: this.#user(userId), surface, include: include?.length ? include.join(",") : undefined };
    return (await this.#call<{ prompt: string }>("promptNotes", { query })).prompt;
  }

  /** Keeps a preference, for one platform or for all. One too many is refused (`cap_exceeded`, 409). */
  addPreference(content: string, { userId, platform }: OfUser & { platform?: string | undefined } = {}): Promise<Kept> {
    return this.#call("addPreference", { body: { user_id: this.#user(userId), content, platform } });
  }

  /** A user's preferences, oldest first; with `platform` those that hold there. */
  preferences({ userId, platform }: OfUser & { platform?: string | undefined } = {}): Promise<All<Preference>> {
    return this.#call("preferences", { query: { user_id: this.#user(userId), platform } });
  }

  /** Deletes one preference. */
  async deletePreference(id: string, { userId }: OfUser = {}): Promise<void> {
    await this.#send("deletePreference", { id, query: { user_id: this.#user(userId) }, safe: false });
  }

  /** The tools to give to a model. */
  tools(): Promise<Tools> {
    return this.#call("tools");
  }

  /** Carries out one call of a model. */
  callTool(name: string, args: unknown, { userId, surface }: OnSurface = {}): Promise<ToolAnswer> {
    const body = { user_id: this.#user(userId), surface, arguments: args };
    return this.#call("callTool", { id: name, body, safe: false });
  }

  /** The fields of a user's profile, by name. */
  profile({ userId }: OfUser = {}): Promise<All<ProfileField>> {
    return this.#call("profile", { query: { user_id: this.#user(userId) } });
  }

  /** One field. */
  profileField(key: string, { userId }: OfUser = {}): Promise<ProfileField> {
    return this.#call("profileField", { id: key, query: { user_id: this.#user(userId) } });
  }

  /** Adds a field, or replaces its value. */
  setProfileField(key: string, value: ProfileValue, { userId }: OfUser = {}): Promise<ProfileField> {
    return this.#call("setProfileField", { id: key, body: { user_id: this.#user(userId), value } });
  }

  /** Deletes one field. */
  async deleteProfileField(key: string, { userId }: OfUser = {}): Promise<void> {
    await this.#send("deleteProfileField", { id: key, query: { user_id: this.#user(userId) }, safe: false });
  }

  /** Adds turns to a conversation. The last 60 are kept. */
  async appendHistory(turns: { role: Role; content: string; at?: string | undefined }[], said: InThread = {}): Promise<void> {
    const { userId, surface, thread } = said;
    await this.#send("appendHistory", { body: { user_id: this.#user(userId), surface, thread, turns }, safe: false });
  }

  /** The last turns of a conversation, oldest first. */
  async history({ userId, surface, thread, limit }: InThread & { limit?: number | undefined } = {}): Promise<Turn[]> {
    const query = { user_id: this.#user(userId), surface, thread, limit };
    return (await this.#call<{ turns: Turn[] }>("history", { query })).turns;
  }

  /** Archives the turns of a conversation, so that it starts from zero; returns how many there were. */
  async resetHistory({ userId, surface, thread }: InThread = {}): Promise<number> {
    const body = { user_id: this.#user(userId), surface, thread };
    return (await this.#call<{ archived: number }>("resetHistory", { body, safe: false })).archived;
  }

  /** One page of what a conversation was at its last resets, the last one first. */
  archivedHistory({ userId, surface, thread, limit, cursor }: InThread & PageOptions = {}): Promise<Page<ArchivedHistory>> {
    const query = { user_id: this.#user(userId), surface, thread, limit, cursor };
    return this.#call("archivedHistory", { query });
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
    const path = id === undefined ? template : template.replace(/\{\w+\}/, () => encodeURIComponent(id));
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
