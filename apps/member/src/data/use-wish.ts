import { useState } from "react";
import { storedMemberId } from "./member-id.ts";
import { serverNow } from "../shared/server-clock.ts";
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

/** A request of this tab that wasn't granted, as far as it knows. */
interface Asked {
  readonly member: string;
  /** As JSON. */
  readonly terms: string;
  readonly clientId: string;
  /** When it was first sent, ms by the server's clock. */
  readonly at: number;
}

/**
 * A form that opens later than this makes a new request of the same terms: by then the member has seen in the list whether
 * the first was granted, and wants another.
 */
const TAKEN_UP_MS_MAX = 3_600_000;

type WishForm = "withdrawal" | "claim" | "bankDeposit" | "alert";

/** Keeps the client id of a form's current request. */
export function useWish(form: WishForm): Wish {
  return useState(() => createWish(form))[0];
}

/**
 * Creates a form's wish. Its id outlives the form and a reload, like a sent order (`pending-order.ts`): the server may have
 * granted a request whose answer was lost, and the same terms under another id would be a second one.
 */
export function createWish(form: WishForm): Wish {
  const key = `fairtickWish.${form}`;
  let kept = readAsked(key);
  return {
    idOf(asked) {
      const [member, terms] = [storedMemberId(), JSON.stringify(asked)];
      if (kept?.terms !== terms || kept.member !== member) {
        kept = { member, terms, clientId: newClientId(), at: Math.floor(serverNow()) };
        storeAsked(key, kept);
      }
      return kept.clientId;
    },
    granted() {
      kept = null;
      storeAsked(key, null);
    },
  };
}

function readAsked(key: string): Asked | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return isAsked(stored) && serverNow() - stored.at <= TAKEN_UP_MS_MAX ? stored : null;
  } catch {
    return null;
  }
}

function isAsked(value: unknown): value is Asked {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string, type: string) => typeof Reflect.get(value, name) === type;
  return ["member", "terms", "clientId"].every((name) => has(name, "string")) && has("at", "number");
}

function storeAsked(key: string, asked: Asked | null): void {
  try {
    if (asked === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(asked));
  } catch {
    // Without storage the id lasts as long as the form.
  }
}
