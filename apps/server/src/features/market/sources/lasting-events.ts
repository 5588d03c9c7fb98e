import type { Log } from "../../../platform/log.ts";
import { createEventReader } from "./event-reader.ts";

export interface LastingEventsParts {
  readonly url: string;
  readonly name: string;
  readonly log: Log;
  readonly headers: Readonly<Record<string, string>>;
  readonly onData: (data: string) => void;
  /** Called if the answer isn't an event stream or contains an event that is too long. */
  readonly onMalformed: () => void;
  /** A source without an event for this long counts as gone. Comments that only keep the connection open don't count. */
  readonly silenceMsMax: number;
  /** Only after a connection has lasted this long is the next one quick again; 10 s by default. */
  readonly stableMs?: number | undefined;
}

/** A server may send one event and close. */
const STABLE_MS = 10_000;
const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
const CONNECT_MS_MAX = 10_000;

/**
 * Reads server-sent events over HTTP until stopped. Reconnects after an end, an error, a refusal or a silence, and waits
 * longer each time.
 */
export function openLastingEvents(parts: LastingEventsParts): { stop(): Promise<void> } {
  return new LastingEvents(parts);
}

class LastingEvents {
  readonly #parts: LastingEventsParts;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #failures = 0;

  constructor(parts: LastingEventsParts) {
    this.#parts = parts;
    this.#running = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const current = new AbortController();
      try {
        await this.#listen(current);
      } catch (error) {
        if (!signal.aborted) this.#parts.log.warn({ feed: this.#parts.name, err: error }, "a price source failed");
      } finally {
        current.abort();
      }
      const wait = Math.min(BACKOFF_MS_MIN * 2 ** this.#failures, BACKOFF_MS_MAX);
      this.#failures += 1;
      // Wait up to a quarter longer at random, so that many clients don't all reconnect at once.
      await pause(wait * (1 + Math.random() / 4), signal);
    }
  }

  /** Connects once and reads events until the connection ends. Aborts it if the source goes silent. */
  async #listen(current: AbortController): Promise<void> {
    const { url, name, log, headers, silenceMsMax } = this.#parts;
    let silence = setTimeout(() => current.abort(new Error("it did not answer")), CONNECT_MS_MAX);
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => current.abort(new Error("it went silent")), silenceMsMax);
    };
    try {
      const answer = await fetch(url, {
        headers: { accept: "text/event-stream", ...headers },
        redirect: "error",
        signal: AbortSignal.any([this.#stopping.signal, current.signal]),
      });
      const body = this.#streamOf(answer);
      if (body === null) return;
      log.info({ feed: name }, "connected to a price source");
      heard();
      await this.#readEvents(body, heard);
    } finally {
      clearTimeout(silence);
    }
  }

  /** Returns the answer's event stream. Logs why and returns null if there is none. */
  #streamOf(answer: Response): Response["body"] {
    const { name, log, onMalformed } = this.#parts;
    const { status } = answer;
    if (status === 401 || status === 403) {
      log.error({ feed: name, status }, "the price source refused the API key: PYTH_KEY is missing or wrong");
      return null;
    }
    const type = answer.headers.get("content-type") ?? "";
    if (answer.ok && type.startsWith("text/event-stream") && answer.body !== null) return answer.body;
    log.error({ feed: name, status, type }, "the price source did not answer with an event stream");
    if (answer.ok) onMalformed();
    return null;
  }

  async #readEvents(body: NonNullable<Response["body"]>, heard: () => void): Promise<void> {
    const { onData, onMalformed, stableMs = STABLE_MS } = this.#parts;
    const events = createEventReader();
    const since = performance.now();
    for await (const chunk of body) {
      for (const data of events.read(chunk)) {
        if (performance.now() - since >= stableMs) this.#failures = 0;
        heard();
        onData(data);
      }
      if (events.isTooLong()) {
        onMalformed();
        throw new Error("an event is too long");
      }
    }
  }
}

/** Waits this long, or until the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
