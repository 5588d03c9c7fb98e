/** What the reviver of `JSON.parse` gets beside key and value, for numbers: their text in the source. */
interface ReviverContext {
  readonly source?: string;
}

/**
 * JSON whose numbers stay the very text that was sent, as strings: `{"bid":0.1}` → `{bid: "0.1"}`, so that no price
 * ever is a float. Undefined for what is no JSON.
 */
export function parseJsonKeepingNumbers(text: string): unknown {
  const keepText = (_key: string, value: unknown, context: ReviverContext) =>
    typeof value === "number" ? context.source : value;
  try {
    return (JSON.parse as (text: string, reviver: typeof keepText) => unknown)(text, keepText);
  } catch {
    return undefined;
  }
}
