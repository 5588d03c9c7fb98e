/** Which dates a list shows. Days begin at 00:00 UTC, as "today" does everywhere in the app. */
export const SPANS = ["today", "week", "month", "always", "chosen"] as const;
export type SpanName = (typeof SPANS)[number];

export interface DateChoice {
  readonly name: SpanName;
  /** Days such as `2026-11-20`, both included. Only for `chosen`; each may be empty. */
  readonly fromDay: string;
  readonly toDay: string;
}

export const ALWAYS: DateChoice = { name: "always", fromDay: "", toDay: "" };

const DAY_MS = 86_400_000;

/** Returns the instants of a choice, in ms; an open side is left out. */
export function spanOf(choice: DateChoice, now: number): { readonly from?: number; readonly to?: number } {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  switch (choice.name) {
    case "today":
      return { from: midnight };
    case "week":
      return { from: midnight - 6 * DAY_MS };
    case "month":
      return { from: midnight - 29 * DAY_MS };
    case "always":
      return {};
    case "chosen": {
      const from = Date.parse(`${choice.fromDay}T00:00:00Z`);
      const to = Date.parse(`${choice.toDay}T00:00:00Z`) + DAY_MS - 1;
      if (from > to) return { from, to: from + DAY_MS - 1 };
      return { ...(Number.isNaN(from) ? {} : { from }), ...(Number.isNaN(to) ? {} : { to }) };
    }
  }
}
