/** Takes the bytes of a `text/event-stream` as they come, and gives the data of each whole event. */
export interface EventReader {
  read(chunk: Uint8Array): string[];
  /** What was begun is longer than any event: the stream is to be left. */
  isTooLong(): boolean;
}

/** Two hundred prices with their proofs are a tenth of it. */
const EVENT_CHARS_MAX = 2_000_000;

export function createEventReader(): EventReader {
  const decoder = new TextDecoder();
  /** Pieces of the line that has no end yet: joined once, so that a long one costs no more than its length. */
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
