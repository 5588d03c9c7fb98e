/** The third argument that `JSON.parse` passes to its reviver. For numbers it has their source text. */
interface ReviverContext {
  readonly source?: string;
}

/**
 * Parses JSON but keeps numbers as strings with the exact text that was sent: `{"bid":0.1}` → `{bid: "0.1"}`. No price is
 * ever a float that way. Undefined if the text isn't JSON.
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
