import type { AmountWriting } from "./amount.tsx";

/** English notation of amounts, for stories and tests. Apps follow the member's language. */
export const ENGLISH: AmountWriting = {
  groupSign: ",",
  group: (typed) =>
    /^[1-9][0-9]{3,}(?:\.[0-9]*)?$/.test(typed)
      ? typed.replace(/\B(?<!\.[0-9]*)(?=(?:[0-9]{3})+(?![0-9]))/g, ",")
      : typed,
  settle: (typed) => typed.replace(/^([0-9]+),([0-9]{1,2})$/, "$1.$2"),
};
