import { parsePrice } from "@fairtick/domain";
import { decimalProblem, type DecimalProblem, priceNear } from "../../shared/typed-decimal.ts";

export interface TypedAlert {
  /** With the instrument's decimals, as calls expect it. */
  readonly price: string;
  /** The direction in which the price must move from now. */
  readonly direction: "up" | "down";
}

/** Parses a typed alert; null if it isn't a price of this instrument, or is the current one. */
export function readAlert(typed: string, decimals: number, live: string | null, sign: "." | ","): TypedAlert | null {
  const text = priceNear(typed, sign, decimals, live);
  const wanted = text === null ? null : parsePrice(text, decimals);
  const present = live === null ? null : parsePrice(live, decimals);
  if (text === null || wanted === null || wanted <= 0n || present === null || wanted === present) return null;
  return { price: text, direction: wanted > present ? "up" : "down" };
}

/** Returns why a typed alert isn't valid. */
export function alertProblem(typed: string, decimals: number, live: string | null, sign: "." | ","): DecimalProblem {
  const unreadable = typed.trim() === "" ? null : decimalProblem(priceNear(typed, sign, decimals, live), decimals, 9);
  return unreadable ?? { message: "alerts.enterPrice" };
}
