import { useState } from "react";
import { newClientId } from "./pending-order.ts";

export interface Wish {
  /** The client id of what is asked for: other terms are another wish, the same ones sent again after a lost answer are not. */
  readonly idOf: (terms: unknown) => string;
  /** It was granted: the same terms are a wish of their own from here on. */
  readonly granted: () => void;
}

/** Keeps the one id of what a form asks for. */
export function useWish(): Wish {
  return useState(createWish)[0];
}

function createWish(): Wish {
  let kept = { terms: "", clientId: "" };
  return {
    idOf(asked) {
      const terms = JSON.stringify(asked);
      if (kept.terms !== terms) kept = { terms, clientId: newClientId() };
      return kept.clientId;
    },
    granted() {
      kept = { terms: "", clientId: "" };
    },
  };
}
