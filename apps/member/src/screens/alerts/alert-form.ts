import { parsePrice } from "@fairtick/domain";
import { decimalProblem, type DecimalProblem, priceNear } from "../../shared/typed-decimal.ts";

export interface TypedAlert {
  /** With the instrument's places, as calls take it. */
  readonly price: string;
  /** Where the price has to go from where it stands. */
  readonly direction: "up" | "down";
}

/** What was typed as an alert; null for no price of this instrument, and for the one that stands now. */
export function readAlert(typed: string, decimals: number, live: string | null, sign: "." | ","): TypedAlert | null {
  const text = priceNear(typed, sign, decimals, live);
  const wanted = text === null ? null : parsePrice(text, decimals);
  const present = live === null ? null : parsePrice(live, decimals);
  if (text === null || wanted === null || wanted <= 0n || present === null || wanted === present) return null;
  return { price: text, direction: wanted > present ? "up" : "down" };
}

/** Why what was typed is no alert. */
export function alertProblem(typed: string, decimals: number, live: string | null, sign: "." | ","): DecimalProblem {
  const unreadable = typed.trim() === "" ? null : decimalProblem(priceNear(typed, sign, decimals, live), decimals, 9);
  return unreadable ?? { message: "alerts.enterPrice" };
}
