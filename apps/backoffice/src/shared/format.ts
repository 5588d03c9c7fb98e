const GROUPS = /\B(?=(?:\d{3})+(?!\d))/g;

/** Formats an amount: `12500.00` → `12,500.00`. Negative amounts get a minus sign (U+2212), not a hyphen. */
export function money(text: string): string {
  const [whole = "0", part = "00"] = text.replace("-", "").split(".");
  return `${text.startsWith("-") ? "−" : ""}${whole.replace(GROUPS, ",")}.${part}`;
}

/** Formats a count: `1500` → `1,500`. */
export function count(value: number): string {
  return String(value).replace(GROUPS, ",");
}

/** Groups the digits of an amount with its currency: `USD 12000.50` → `USD 12,000.50`. */
export function fiat(text: string): string {
  return text.replace(/[0-9]+(?=\.|$)/, (whole) => whole.replace(GROUPS, ","));
}

/** Formats an amount with its sign: `+12.00`, `−12.00`, `0.00`. */
export function signed(text: string): string {
  return text.startsWith("-") || /^0\.00$/.test(text) ? money(text) : `+${money(text)}`;
}

const pad = (value: number, digits = 2) => String(value).padStart(digits, "0");

/** Formats an instant (milliseconds) in UTC, since operators work in several time zones: `2026-11-21 14:31:40`. */
export function instant(at: number | null): string {
  if (at === null) return "–";
  const date = new Date(at);
  const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  return `${day} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
}

/** Formats an instant for narrow columns: without the year if it is the current one. */
export function shortInstant(at: number | null, now = Date.now()): string {
  const whole = instant(at);
  return whole.slice(0, 4) === instant(now).slice(0, 4) ? whole.slice(5) : whole;
}

/** Formats the time of day of an instant in UTC: `14:31`. */
export function clockTime(at: number): string {
  return instant(at).slice(11, 16);
}

/** Formats a rate as a percentage: `0.85` → `85%`, without a space, as in the app. */
export function percent(rate: string): string {
  const [whole = "0", part = ""] = rate.split(".");
  const digits = `${whole}${part.padEnd(2, "0").slice(0, 2)}`.replace(/^0+(?=\d)/, "");
  const rest = part.slice(2).replace(/0+$/, "");
  return `${digits}${rest === "" ? "" : `.${rest}`}%`;
}

/** Normalizes a typed amount for a call: `1,000.5` → `1000.5`, `−12` → `-12`. */
export function typedAmount(text: string): string {
  return text.trim().replaceAll(",", "").replace("−", "-").replace(/^\+/, "");
}

/** Returns whether two texts mean the same amount, such as `12.5` and `12.50`. */
export function sameAmount(one: string, other: string): boolean {
  const plain = (text: string) =>
    typedAmount(text)
      .replace(/\.(\d*?)0*$/, ".$1")
      .replace(/\.$/, "");
  return plain(one) === plain(other) && plain(one) !== "";
}

/** Reads a date field as UTC: `2026-11-21T14:30` → milliseconds as text; undefined when it is empty. */
export function instantOf(field: string): string | undefined {
  const at = Date.parse(`${field}Z`);
  return Number.isNaN(at) ? undefined : String(at);
}
