/** What the server answers, field by field as in its JSON. A server may send more fields. */

export type MemoryKind = "fact" | "preference" | "correction" | "episode";
export type FactKind = "fact" | "howto" | "reference" | "glossary";
export type Origin = "assistant" | "agent" | "user";
export type ErasureScope = "everything" | "contributions";

export interface RecalledItem {
  id: string;
  kind: string;
  content: string;
  importance: number;
  /** distance − importance − recency + confidence; lower is better. */
  score: number;
  parts: Readonly<Record<string, number>>;
  /** The legs that found it: `vector`, `words`, `thread`, `dates`. */
  legs: string[];
  /** When it was said, RFC 3339; for personal memories, from servers that send it. */
  at?: string;
  /** For team facts only. */
  origin?: Origin;
  /** How sure it is, from 0 to 1; for team facts, from servers that send it. */
  confidence?: number;
  /** With `explain`: its place in its store, from 1. */
  rank?: number;
  /** With `explain`: what each leg gave, in standard deviations above the mean. */
  shares?: Readonly<Record<"vector" | "words" | "thread" | "dates", number>>;
}

export interface LeftOut extends RecalledItem {
  /** `below_rank`, `relevance`, `near_duplicate`, `budget`, `kind`, `tags`, `as_of`, `greeting`; for team facts also `origin`, `confidence` */
  reason: string;
  /** The item in the answer that says the same. */
  same_as?: string;
}

export interface Recalled {
  personal: RecalledItem[];
  global: RecalledItem[];
  /** The block for the prompt, after the cached prefix; empty if nothing was recalled. */
  prompt: string;
  /** Constant text for the cached prefix, from servers that send one. */
  prefix?: string;
  /** The estimated number of tokens of `prompt`. */
  prompt_tokens: number;
  /** The filter by origin that was applied to team facts. */
  origins?: { only?: Origin[]; exclude?: Origin[] };
  /** With `explain`: the nearest that is not in the answer. */
  left_out?: LeftOut[];
  /** With `include`: passages of memory blocks. */
  blocks?: { content: string; line: number; parent: { id: string; store_id: string; path: string; description: string; version: number; updated_at: string } }[];
}

export interface Remembered {
  id: string;
  outcome: "inserted" | "merged" | "replaced";
}

/** What the user asked for, which is done only if the user confirms it. */
export interface ToConfirm {
  action: "forget_all" | "forget_some";
  /** What to show the user. */
  phrase: string;
  /** The call that does it. */
  how: string;
  /** With `forget_some`: how many memories are meant, and which. */
  count?: number;
  ids?: string[];
}

export interface ExchangeState {
  id: string;
  status: "queued" | "learned" | "parked";
  reason?: string;
  confirm?: ToConfirm;
}

export interface Memory {
  id: string;
  kind: MemoryKind;
  content: string;
  importance: number;
  surface: string;
  recall_count: number;
  last_recalled_at: string | null;
  created_at: string;
  updated_at: string;
  tags: string[];
  /** `null`: it has no end. */
  expires_at: string | null;
  /** Rises with every change. Name it to change this memory. */
  version: number;
}

export interface MemoryVersion {
  kind: MemoryKind;
  content: string;
  importance: number;
  tags: string[];
  expires_at: string | null;
  at: string;
  how: "created" | "merged" | "corrected" | "edited" | "undone";
}

export interface Kept {
  id: string;
  outcome: "saved" | "known";
}

export interface Note {
  id: string;
  content: string;
  surface: string;
  created_at: string;
  /** When a prompt last had it, to the day. */
  last_used_at: string | null;
}

export interface StaleNote extends Note {
  reason: "never_used" | "long_unused";
}

export interface RedundantNote extends Note {
  /** The older note that says the same. */
  like: string;
}

export interface SuspiciousNote extends Note {
  /** The rules that would refuse it today. */
  rules: string[];
}

export interface NotesReport {
  /** How many notes there are. */
  notes: number;
  stale: StaleNote[];
  redundant: RedundantNote[];
  suspicious: SuspiciousNote[];
}

export interface Preference {
  id: string;
  content: string;
  /** `null`: it holds everywhere. */
  platform: string | null;
  created_at: string;
}

/** A text, a number, true or false, a list, or an object. */
export type ProfileValue = string | number | boolean | unknown[] | Readonly<Record<string, unknown>>;

export interface ProfileField {
  key: string;
  value: ProfileValue;
  updated_at: string;
}

export interface All<T> {
  items: T[];
  /** How many there may be. */
  max: number;
}

export type Role = "user" | "assistant" | "tool";

export interface Turn {
  role: Role;
  content: string;
  at: string;
}

/** A conversation as it was when it was reset. */
export interface ArchivedHistory {
  archived_at: string;
  /** Oldest first. */
  turns: Turn[];
}

export interface CardItem {
  kind: "preference" | "note" | "memory";
  id: string;
  content: string;
  /** The path to call with DELETE. */
  delete: string;
}

export interface Card {
  items: CardItem[];
  /** Memories that are not on the card. */
  more: number;
}

export interface Confirm {
  /** What the user must send in the same conversation before `expires_at`. */
  phrase: string;
  count: number;
  expires_at: string;
}

export interface Command {
  /** `false`: the line is no command, and is for the assistant. */
  handled: boolean;
  reply?: string;
  card?: Card;
  confirm?: Confirm;
}

/** The tools, in the form of each provider. */
export interface Tools {
  openai: Record<string, unknown>[];
  anthropic: Record<string, unknown>[];
}

export interface ToolAnswer {
  status: "saved" | "known" | "cap_exceeded" | "forgotten" | "not_found" | "refused" | "invalid";
  id?: string;
  /** For the model. */
  message: string;
}

export interface Fact {
  id: string;
  kind: FactKind;
  content: string;
  importance: number;
  origin: Origin;
  confidence: number;
}

export interface Page<T> {
  items: T[];
  /** `null` on the last page. */
  next_cursor: string | null;
}

export interface Forgotten {
  forgotten: number;
  /** Absent if everything was forgotten. */
  items?: { id: string; content: string }[];
  /** The query means everything, and nothing was deleted. */
  confirm?: ToConfirm;
}

export interface Proposed {
  outcome: "pending" | "merged" | "promoted" | "refused";
  id?: string;
  /** The rules by which it was refused. */
  rules?: string[];
}

export interface ErasurePreview {
  /** The token that orders exactly this erasure. */
  preview: string;
  tables: { name: string; rows: number; result: string }[];
  /** Team facts without another contributor, and the others. */
  facts: { deleted: number; kept: number };
}

/** The user for whom a call is made; not needed if the key was made for one user, or if the client names one. */
export interface OfUser {
  userId?: string | undefined;
}

/** The surface on which something is said; not needed if the key was made for one surface. */
export interface OnSurface extends OfUser {
  surface?: string | undefined;
}

/** One conversation of a surface. */
export interface InThread extends OnSurface {
  thread?: string | undefined;
}

export interface RecallOptions extends OnSurface {
  k?: number | undefined;
  /** Only personal memories of these kinds. */
  kinds?: MemoryKind[] | undefined;
  /** Only personal memories with all of these tags, at least one of those, and none of the last. */
  tags?: { all?: string[]; any?: string[]; none?: string[] } | undefined;
  /** The most tokens that `prompt` may have. */
  budget?: number | undefined;
  /** RFC 3339, not in the future: what was known then, with a whole second at its end. */
  as_of?: string | undefined;
  /** Says why, and what was left out. */
  explain?: boolean | undefined;
  /** `blocks`: also passages of memory blocks. */
  include?: readonly "blocks"[] | undefined;
  /** Only team facts by these origins, or none by these. */
  origins?: { only: Origin[] } | { exclude: Origin[] } | undefined;
}

export interface SaidOptions extends OnSurface {
  /** The conversation on that surface. */
  thread?: string | undefined;
  /** RFC 3339, not in the future; absent: now. */
  at?: string | undefined;
}

export interface ExchangeOptions extends SaidOptions {
  /** An id of your own: sending it again changes nothing, even days later. */
  id?: string | undefined;
}

export interface RememberOptions extends SaidOptions {
  kind?: MemoryKind | undefined;
  importance?: number | undefined;
  tags?: string[] | undefined;
  /** RFC 3339, still to come: from then on it is in no answer, and is deleted. */
  expires_at?: string | undefined;
}

/** What to change; what is absent stays. */
export interface MemoryChanges {
  content?: string | undefined;
  kind?: MemoryKind | undefined;
  importance?: number | undefined;
  /** All tags that it is to have. */
  tags?: string[] | undefined;
  /** `null`: it has no end from then on. */
  expires_at?: string | null | undefined;
}

export interface CommandOptions extends InThread {
  /** Such as `id` or `en-GB`. */
  language?: string | undefined;
}

export interface PromptNotesOptions extends OnSurface {
  /** Absent: all. */
  include?: ("profile" | "notes" | "preferences" | "blocks")[] | undefined;
}

export interface ProposeOptions extends OfUser {
  kind?: FactKind | undefined;
  origin?: Origin | undefined;
  importance?: number | undefined;
  surface?: string | undefined;
}

export interface PageOptions {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface FactFilter {
  origins?: Origin[] | undefined;
  kinds?: FactKind[] | undefined;
  /** Words, each by its beginning. */
  q?: string | undefined;
}
