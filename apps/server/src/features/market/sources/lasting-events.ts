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
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
const CONNECT_MS_MAX = 10_000;

/**
 * Reads server-sent events over HTTP until stopped. Reconnects after an end, an error, a refusal or a silence, and waits
 * longer each time.
 */
export function openLastingEvents(parts: LastingEventsParts): { stop(): Promise<void> } {
  const { url, name, log } = parts;
  const stopping = new AbortController();
  let failures = 0;

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const current = new AbortController();
      try {
        await listen(current);
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ feed: name, err: error }, "a price source failed");
      } finally {
        current.abort();
      }
      const wait = Math.min(BACKOFF_MS_MIN * 2 ** failures, BACKOFF_MS_MAX);
      failures += 1;
      // Wait up to a quarter longer at random, so that many clients don't all reconnect at once.
      await pause(wait * (1 + Math.random() / 4));
    }
  }

  async function listen(current: AbortController): Promise<void> {
    let silence = setTimeout(() => current.abort(new Error("it did not answer")), CONNECT_MS_MAX);
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => current.abort(new Error("it went silent")), parts.silenceMsMax);
    };
    try {
      const answer = await fetch(url, {
        headers: { accept: "text/event-stream", ...parts.headers },
        redirect: "error",
        signal: AbortSignal.any([stopping.signal, current.signal]),
      });
      if (answer.status === 401 || answer.status === 403) {
        log.error(
          { feed: name, status: answer.status },
          "the price source refused the API key: PYTH_KEY is missing or wrong",
        );
        return;
      }
      const type = answer.headers.get("content-type") ?? "";
      if (!answer.ok || answer.body === null || !type.startsWith("text/event-stream")) {
        log.error({ feed: name, status: answer.status, type }, "the price source did not answer with an event stream");
        if (answer.ok) parts.onMalformed();
        return;
      }
      log.info({ feed: name }, "connected to a price source");
      heard();
      const events = createEventReader();
      for await (const chunk of answer.body) {
        for (const data of events.read(chunk)) {
          failures = 0;
          heard();
          parts.onData(data);
        }
        if (events.isTooLong()) {
          parts.onMalformed();
          throw new Error("an event is too long");
        }
      }
    } finally {
      clearTimeout(silence);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        stopping.signal.removeEventListener("abort", done);
        resolve();
      }
      stopping.signal.addEventListener("abort", done);
      if (stopping.signal.aborted) done();
    });
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
