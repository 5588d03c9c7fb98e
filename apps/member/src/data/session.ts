import type { authLogin, authLogout, authRegister, Fields, SignedIn } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { readStored, readStoredJson, removeStored, store } from "../shared/storage.ts";
import { dropTerms } from "./kept-terms.ts";
import { dropPending } from "./pending-order.ts";
import { queryClient } from "./queries.ts";
import { dropCodeWait } from "./code-wait.ts";
import { dropRegisterDraft } from "./register-draft.ts";
import { ask, CallError, onUnauthorized } from "./transport.ts";

/** The screen shown after a session ends, as stored in `loginState`. */
export const LOGIN_ADDRESS = "/pages/index/index" as const;

const watchers = new Set<() => void>();
const endWatchers = new Set<() => void>();
const logOutWatchers = new Set<() => void>();

/** The token as this tab knows it. Storage is shared, so another tab may have removed it already. */
let known = sessionToken();
forgetVisitor();
/** Whether a session ended without the member's request and nobody has logged in since. */
let isLost = false;
/** Whether the member is logging out here. The server or another tab may report the end then, which isn't news. */
let isLeaving = false;

function changed() {
  known = sessionToken();
  if (known !== null) isLost = false;
  forgetVisitor();
  for (const watcher of watchers) watcher();
}

/** Clears a visitor's drafts once someone is logged in: the next person to register on this tab may be someone else. */
function forgetVisitor() {
  if (known !== null) {
    dropRegisterDraft();
    dropCodeWait();
  }
}

/** Returns the stored token, or null for a visitor. */
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

/** Calls `watcher` when the session ends without the member's request: expired, revoked or ended elsewhere. */
export function onSessionEnd(watcher: () => void): () => void {
  endWatchers.add(watcher);
  return () => endWatchers.delete(watcher);
}

/** Calls `watcher` after the member has logged out here or ended the session in another way, such as by leaving. */
export function onLogOut(watcher: () => void): void {
  logOutWatchers.add(watcher);
}

/** Stores the answer of a login under the specification's names. */
function begin(signedIn: SignedIn): void {
  queryClient.removeQueries({ queryKey: ["member"] });
  // Store the token last: other tabs treat its arrival as the login and read the rest then.
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

/**
 * Ends the session here and clears the member's own data, because the next member on this device may be someone else.
 */
function leave(): void {
  dropPending();
  dropTerms();
  removeStored("fairtickAcceptances");
  removeStored("fairtickFavourites");
  forget();
  isLost = false;
  for (const watcher of logOutWatchers) watcher();
}

/**
 * Drops an invalid token and tells the app to ask for a new login. A token that is no longer in use is ignored: its
 * answer was late, and someone has logged in since. Null is the token of a call sent without one. It ends the session
 * if this tab had one and the storage has lost it.
 */
export function endSession(token: string | null): void {
  if (isLeaving || token !== sessionToken() || (token === null && known === null)) return;
  forget();
  sessionLost();
}
onUnauthorized(endSession);

// A tab isn't notified when its own storage is cleared, so the next tap anywhere checks.
addEventListener("click", () => endSession(null), { capture: true });

function sessionLost(): void {
  isLost = true;
  for (const watcher of endWatchers) watcher();
}

/**
 * Returns whether the token is gone although there was a session, on this page or according to the storage. Clears
 * what is left of it. False for a visitor and after a logout.
 */
export function hasLostSession(): boolean {
  if (sessionToken() !== null) return false;
  if (known !== null || readStored("loginState") !== null) {
    forget();
    isLost = true;
  }
  return isLost;
}

/** Handles a login or logout in another tab. */
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

/** How long a logout waits for work that must run before it. */
const FAREWELL_MS_MAX = 1_500;
const farewells = new Set<() => Promise<unknown>>();

/**
 * Registers work to run before a logout, while the session is still valid. It has 1.5 s, and its failure stops
 * nothing.
 */
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

/**
 * Ends the session on the server and here. If the server can't end it, it continues here too and the error is thrown.
 */
export function logOut(): Promise<void> {
  return endSessionBy(async () => {
    await sayFarewell();
    try {
      await ask<typeof authLogout>("auth/logout", {});
    } catch (error) {
      // The session is over already, so there is nothing left to end.
      if (!(error instanceof CallError) || error.kind !== "session") throw error;
    }
  });
}

/** Runs `work`, which ends the session on the server, and ends it here once that is done. */
export async function endSessionBy(work: () => Promise<unknown>): Promise<void> {
  isLeaving = true;
  try {
    await work();
    leave();
  } finally {
    isLeaving = false;
  }
}

/** Stores the wallet in view with the login, so that a reload shows the same one. */
export function storeWallet(wallet: "practice" | "real"): void {
  const state = readStoredJson("loginState") as { userInfo?: object } | null;
  if (state?.userInfo === undefined) return;
  store("loginState", JSON.stringify({ ...state, userInfo: { ...state.userInfo, wallet } }));
}

/** Returns the wallet last in view on this page or in another tab. */
export function storedWallet(): "practice" | "real" {
  const state = readStoredJson("loginState") as { userInfo?: { wallet?: unknown } } | null;
  return state?.userInfo?.wallet === "real" ? "real" : "practice";
}
