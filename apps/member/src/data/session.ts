import type { authLogin, authLogout, authRegister, Fields, SignedIn } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { readStored, readStoredJson, removeStored, store } from "../shared/storage.ts";
import { dropPending } from "./pending-order.ts";
import { queryClient } from "./queries.ts";
import { dropCodeWait } from "./code-wait.ts";
import { dropRegisterDraft } from "./register-draft.ts";
import { ask, CallError, onUnauthorized } from "./transport.ts";

/** Where a session that is over leads, as stored in `loginState`. */
export const LOGIN_ADDRESS = "/pages/index/index" as const;

const watchers = new Set<() => void>();
const endWatchers = new Set<() => void>();

/** The token as this tab knows it: storage is shared, and another tab may have dropped it already. */
let known = sessionToken();
forgetVisitor();
/** A session ended without the member's asking, and nobody has logged in since. */
let isLost = false;
/** The member is logging out here: an end that the server or another tab tells of meanwhile is no news. */
let isLeaving = false;

function changed() {
  known = sessionToken();
  if (known !== null) isLost = false;
  forgetVisitor();
  for (const watcher of watchers) watcher();
}

/** Somebody is logged in, here or on another tab: the next one who registers on this tab may be another. */
function forgetVisitor() {
  if (known !== null) {
    dropRegisterDraft();
    dropCodeWait();
  }
}

/** The stored token, or null for a visitor. */
export function sessionToken(): string | null {
  return readStored("exchange2508Token");
}

export function watchSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useLoggedIn(): boolean {
  return useSyncExternalStore(watchSession, () => sessionToken() !== null);
}

/** Called when the session ends without the member's asking: expired, revoked, ended elsewhere. */
export function onSessionEnd(watcher: () => void): () => void {
  endWatchers.add(watcher);
  return () => endWatchers.delete(watcher);
}

/** Keeps what a login answered under the specification's names. */
function begin(signedIn: SignedIn): void {
  queryClient.removeQueries({ queryKey: ["member"] });
  // The token last: other tabs take its coming for the login, and read the rest then.
  store("loginState", JSON.stringify({ userInfo: signedIn.userInfo, loginAddress: LOGIN_ADDRESS }));
  store("exchange2508Token", signedIn.access_token);
  changed();
}

function forget(): void {
  removeStored("exchange2508Token");
  removeStored("loginState");
  queryClient.removeQueries({ queryKey: ["member"] });
  changed();
}

/** Forgets with the session what belongs to the member alone: the next one on this device may be another. */
function leave(): void {
  dropPending();
  removeStored("fairtickAcceptances");
  removeStored("fairtickFavourites");
  forget();
  isLost = false;
}

/**
 * Drops a token that no longer holds and tells the app to ask for a new login. One that is not in use any more ends
 * nothing: its answer was late, and somebody has logged in since. Null is the token of a call that was sent without one:
 * it ends the session where this tab had one and the storage has lost it.
 */
export function endSession(token: string | null): void {
  if (isLeaving || token !== sessionToken() || (token === null && known === null)) return;
  forget();
  sessionLost();
}
onUnauthorized(endSession);

// Nothing tells a tab that its own storage was cleared: the next tap finds out, wherever it falls.
addEventListener("click", () => endSession(null), { capture: true });

function sessionLost(): void {
  isLost = true;
  for (const watcher of endWatchers) watcher();
}

/**
 * Whether there is no token although there was a session, on this page or by what is stored. Its remains are forgotten.
 * False for a visitor, and after a logout.
 */
export function hasLostSession(): boolean {
  if (sessionToken() !== null) return false;
  if (known !== null || readStored("loginState") !== null) {
    forget();
    isLost = true;
  }
  return isLost;
}

/** Another tab logged in or out. */
addEventListener("storage", (event) => {
  if (event.key !== "exchange2508Token" && event.key !== null) return;
  const hasEnded = known !== null && sessionToken() === null && !isLeaving;
  queryClient.removeQueries({ queryKey: ["member"] });
  changed();
  if (hasEnded) sessionLost();
});

export async function logIn(fields: Fields<typeof authLogin>): Promise<void> {
  begin(await ask<typeof authLogin>("auth/login", fields));
}

export async function register(fields: Fields<typeof authRegister>): Promise<void> {
  begin(await ask<typeof authRegister>("auth/register", fields));
}

/** How long a logout waits for what wants to be done before it. */
const FAREWELL_MS_MAX = 1_500;
const farewells = new Set<() => Promise<unknown>>();

/** Called before a logout, while the session still holds. It has a second and a half, and its failure stops nothing. */
export function beforeLogOut(work: () => Promise<unknown>): void {
  farewells.add(work);
}

async function sayFarewell(): Promise<void> {
  const works = [...farewells].map((work) => work());
  const limit = new Promise((resolve) => {
    setTimeout(resolve, FAREWELL_MS_MAX);
  });
  await Promise.race([Promise.allSettled(works), ...(works.length > 0 ? [limit] : [])]);
}

/** Ends the session on the server and here. One that cannot be ended there goes on here too, and the failure says so. */
export function logOut(): Promise<void> {
  return endSessionBy(async () => {
    await sayFarewell();
    try {
      await ask<typeof authLogout>("auth/logout", {});
    } catch (error) {
      // Over already: there is nothing left to end.
      if (!(error instanceof CallError) || error.kind !== "session") throw error;
    }
  });
}

/** Does what ends the session on the server too, and forgets it here once it is done. */
export async function endSessionBy(work: () => Promise<unknown>): Promise<void> {
  isLeaving = true;
  try {
    await work();
    leave();
  } finally {
    isLeaving = false;
  }
}

/** Keeps which wallet is in view with the rest of the login, so that a reload looks at the same one. */
export function storeWallet(wallet: "practice" | "real"): void {
  const state = readStoredJson("loginState") as { userInfo?: object } | null;
  if (state?.userInfo === undefined) return;
  store("loginState", JSON.stringify({ ...state, userInfo: { ...state.userInfo, wallet } }));
}

/** The wallet in view when this page, or another tab, last had one. */
export function storedWallet(): "practice" | "real" {
  const state = readStoredJson("loginState") as { userInfo?: { wallet?: unknown } } | null;
  return state?.userInfo?.wallet === "real" ? "real" : "practice";
}
