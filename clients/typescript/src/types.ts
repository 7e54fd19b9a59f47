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
  /** For team facts only. */
  origin?: Origin;
}

export interface Recalled {
  personal: RecalledItem[];
  global: RecalledItem[];
  /** The block for the prompt, after the cached prefix; empty if nothing was recalled. */
  prompt: string;
  /** Constant text for the cached prefix, from servers that send one. */
  prefix?: string;
}

export interface Remembered {
  id: string;
  outcome: "inserted" | "merged" | "replaced";
}

export interface ExchangeState {
  id: string;
  status: "queued" | "learned" | "parked";
  reason?: string;
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

export interface RecallOptions extends OfUser {
  surface: string;
  k?: number | undefined;
  /** Only team facts by these origins, or none by these. */
  origins?: { only: Origin[] } | { exclude: Origin[] } | undefined;
}

export interface SaidOptions extends OfUser {
  surface: string;
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
