import { useState } from "react";
import { newClientId } from "./pending-order.ts";

export interface Wish {
  /**
   * Returns the client id for the terms: a new one for new terms, the same one when they are sent again after a lost
   * answer.
   */
  readonly idOf: (terms: unknown) => string;
  /** Records that the request was granted, so that the same terms count as a new request from now on. */
  readonly granted: () => void;
}

/** Keeps the client id of a form's current request. */
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
