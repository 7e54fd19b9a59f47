/** One request: timeout, retries, errors. */

import { Problem, Unreachable } from "./errors.js";

/** Statuses after which the server asks to try again. */
const RETRIED = [429, 503];
/** Pauses between tries without `Retry-After`: 0.25 s, 0.5 s, 1 s … each a little longer or shorter. */
const FIRST_PAUSE_MS = 250;

export interface Sending {
  body?: unknown;
  headers?: Record<string, string>;
  /** It may be sent again after the connection broke. */
  safe?: boolean;
  signal?: AbortSignal | undefined;
}

export class Http {
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly timeoutMs: number,
    private readonly retries: number,
    private readonly patienceMs: number,
    private readonly fetcher: typeof fetch,
  ) {
    if (!/^https?:\/\/[^/]/.test(url)) throw new TypeError(`the URL must look like https://keepsake.example, not ${url}`);
  }

  /** Sends a request and returns the text of the answer. */
  async send(method: string, path: string, { body, headers = {}, safe = true, signal }: Sending = {}): Promise<string> {
    for (let tried = 0; ; tried++) {
      let pause = FIRST_PAUSE_MS * 2 ** tried * (0.75 + Math.random() / 2);
      let answer: { status: number; text: string; retryAfter: string | null };
      try {
        answer = await this.once(method, path, body, headers, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!safe || tried >= this.retries) throw new Unreachable(`${method} ${path}: ${String(error)}`, { cause: error });
        await waited(pause, signal);
        continue;
      }
      if (answer.status < 300) return answer.text;
      const seconds = answer.retryAfter === null ? Number.NaN : Number(answer.retryAfter);
      const retryAfterS = Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
      pause = retryAfterS === undefined ? pause : retryAfterS * 1000;
      if (!RETRIED.includes(answer.status) || tried >= this.retries || pause > this.patienceMs) {
        throw new Problem(answer.status, object(answer.text), retryAfterS);
      }
      await waited(pause, signal);
    }
  }

  private async once(method: string, path: string, body: unknown, headers: Record<string, string>, outer?: AbortSignal) {
    const own = new AbortController();
    const stop = () => own.abort(outer?.reason);
    outer?.addEventListener("abort", stop);
    const timer = setTimeout(() => own.abort(new Error(`no answer within ${this.timeoutMs} ms`)), this.timeoutMs);
    try {
      outer?.throwIfAborted();
      const response = await this.fetcher(this.url.replace(/\/+$/, "") + path, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        // A redirect could take the key and what was said to another place.
        redirect: "manual",
        signal: own.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status || 502, text: await response.text(), retryAfter: response.headers.get("retry-after") };
    } finally {
      clearTimeout(timer);
      outer?.removeEventListener("abort", stop);
    }
  }
}

function object(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function waited(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
