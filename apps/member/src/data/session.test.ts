// @vitest-environment jsdom
import type { authLogout } from "@fairtick/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "./queries.ts";
import { endSessionBy, endSession, hasLostSession, logIn, logOut, onSessionEnd, sessionToken } from "./session.ts";
import { ask } from "./transport.ts";

beforeEach(() => {
  localStorage.setItem("exchange2508Token", "the-token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: "mem_1" } }));
  localStorage.setItem("fairtickAcceptances", "[]");
  sessionStorage.setItem("fairtickPendingOrder", "{}");
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ code: 200, msg: "", data: null }))));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ["a logout", logOut],
  ["a requested end", () => endSessionBy(() => Promise.resolve())],
])("%s leaves no data of the member behind", async (_, end) => {
  await end();
  expect(sessionToken()).toBeNull();
  expect(localStorage.getItem("loginState")).toBeNull();
  expect(localStorage.getItem("fairtickAcceptances")).toBeNull();
  expect(sessionStorage.getItem("fairtickPendingOrder")).toBeNull();
});

it("keeps the unanswered order of a session that merely expired, for the same member to find", () => {
  endSession("the-token");
  expect(sessionToken()).toBeNull();
  expect(sessionStorage.getItem("fairtickPendingOrder")).not.toBeNull();
});

it("stays logged in if the answer to an older token comes late", () => {
  endSession("an-older-token");
  endSession(null);
  expect(sessionToken()).toBe("the-token");
  expect(localStorage.getItem("loginState")).not.toBeNull();
});

it("ends if the storage has lost the token, at the call that is refused for it", () => {
  const ended = vi.fn<() => void>();
  const stop = onSessionEnd(ended);
  localStorage.setItem("exchange2508Token", "another-tab's");
  dispatchEvent(new StorageEvent("storage", { key: "exchange2508Token" }));
  localStorage.removeItem("exchange2508Token");
  endSession(null);
  expect(ended).toHaveBeenCalledTimes(1);
  expect(localStorage.getItem("loginState")).toBeNull();
  expect(hasLostSession()).toBe(true);
  // A visitor's refused call ends nothing.
  endSession(null);
  expect(ended).toHaveBeenCalledTimes(1);
  stop();
});

it("tells a visitor from a member whose token is gone, and clears what was left of them", async () => {
  await logOut();
  expect(hasLostSession()).toBe(false);
  localStorage.setItem("loginState", "{}");
  expect(hasLostSession()).toBe(true);
  expect(localStorage.getItem("loginState")).toBeNull();
});

it("stays logged in if a call of the previous session is answered with 401 after a new login", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => promise);
  const late = ask<typeof authLogout>("auth/logout", {});
  localStorage.setItem("exchange2508Token", "a-newer-token");
  resolve(new Response(JSON.stringify({ code: 401, msg: "over", data: { error: "SESSION_EXPIRED" } })));
  await expect(late).rejects.toMatchObject({ kind: "session" });
  expect(sessionToken()).toBe("a-newer-token");
});

it("stays logged in if a logout doesn't reach the server", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ code: 503, msg: "busy", data: null }))));
  await expect(logOut()).rejects.toMatchObject({ message: "busy" });
  expect(sessionToken()).toBe("the-token");
});

it("shows a second member on the same tab nothing of the first", async () => {
  const signedIn = { access_token: "of the second", userInfo: { userId: "mem_2" } };
  const late = Promise.withResolvers<Response>();
  for (const key of [keys.info, keys.summary("practice"), keys.positions("real"), keys.support, keys.favourites])
    queryClient.setQueryData(key, { of: "the first" });
  queryClient.setQueryData(keys.instruments, []);
  vi.stubGlobal("fetch", () => late.promise);
  const asked = queryClient.fetchQuery({
    queryKey: keys.deposits,
    queryFn: () => ask<typeof authLogout>("auth/logout", {}),
  });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ code: 200, msg: "", data: signedIn }))));
  // The first session expired, so no logout cleaned up after it.
  endSession("the-token");
  await logIn({ account: "second@example.org", password: "a quiet harbour" });
  late.resolve(new Response(JSON.stringify({ code: 200, msg: "", data: { of: "the first" } })));
  await asked.catch(() => undefined);
  expect(sessionToken()).toBe("of the second");
  expect(JSON.parse(localStorage.getItem("loginState") ?? "null")).toMatchObject({ userInfo: { userId: "mem_2" } });
  expect(queryClient.getQueriesData({ queryKey: keys.member })).toEqual([]);
  // Public data stays.
  expect(queryClient.getQueryData(keys.instruments)).toEqual([]);
});
