/** Parses a `text/event-stream` as its bytes arrive, and gives the data of each complete event. */
export interface EventReader {
  read(chunk: Uint8Array): string[];
  /** Whether the unfinished event is longer than any real one. Then the stream has to be closed. */
  isTooLong(): boolean;
}

/** Ten times as long as two hundred prices with their proofs. */
const EVENT_CHARS_MAX = 2_000_000;

export function createEventReader(): EventReader {
  const decoder = new TextDecoder();
  /** Pieces of the unfinished line. They are joined only once, so that a long line costs no more than its length. */
  let pieces: string[] = [];
  let data: string[] = [];
  let held = 0;

  function endLine(line: string): string | null {
    if (line === "") {
      const event = data.length > 0 ? data.join("\n") : null;
      data = [];
      held = 0;
      return event;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") data.push(value);
    return null;
  }

  return {
    read(chunk) {
      const events: string[] = [];
      const lines = decoder.decode(chunk, { stream: true }).split("\n");
      for (const [place, part] of lines.entries()) {
        held += part.length;
        pieces.push(part);
        if (place === lines.length - 1) break;
        const line = pieces.join("").replace(/\r$/, "");
        pieces = [];
        const event = endLine(line);
        if (event !== null) events.push(event);
      }
      return events;
    },
    isTooLong: () => held > EVENT_CHARS_MAX,
  };
}
