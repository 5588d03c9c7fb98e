import type { AmountWriting } from "@fairtick/ui";
import { decimalSign, groupSign, groupWhole, typedDecimal } from "./format.ts";
import { plainAmount, unmistakableDecimal } from "./typed-decimal.ts";

/** How the member's language formats an amount of money while it is typed. */
export function amountWriting(): AmountWriting {
  return writing((typed) => plainAmount(typed, decimalSign()));
}

/**
 * The same for prices and quantities of coins. With many decimals some figures can be read in two ways; those stay as
 * typed.
 */
export function quantityWriting(): AmountWriting {
  return writing((typed) => unmistakableDecimal(typed, decimalSign()));
}

function writing(read: (typed: string) => string | null): AmountWriting {
  return {
    groupSign: groupSign(),
    group: (typed) => {
      const [, whole, part = ""] = /^([1-9][0-9]*)([.,][0-9]*)?$/.exec(typed) ?? [];
      if (whole === undefined || (part !== "" && !part.startsWith(decimalSign()))) return typed;
      return groupWhole(whole) + part;
    },
    settle: (typed) => {
      const plain = read(typed);
      return plain !== null && /^[0-9]+(?:\.[0-9]+)?$/.test(plain) ? typedDecimal(plain) : typed;
    },
  };
}
