// @vitest-environment jsdom
import type { authLogout } from "@fairtick/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endSessionBy, endSession, logOut, sessionToken } from "./session.ts";
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
  ["an end that was asked for", () => endSessionBy(() => Promise.resolve())],
])("%s leaves nothing of the member behind", async (_, end) => {
  await end();
  expect(sessionToken()).toBeNull();
  expect(localStorage.getItem("loginState")).toBeNull();
  expect(localStorage.getItem("fairtickAcceptances")).toBeNull();
  expect(sessionStorage.getItem("fairtickPendingOrder")).toBeNull();
});

it("keeps the unanswered order of a session that only ran out, for the same member to find", () => {
  endSession("the-token");
  expect(sessionToken()).toBeNull();
  expect(sessionStorage.getItem("fairtickPendingOrder")).not.toBeNull();
});

it("goes on where the answer to an older token comes late", () => {
  endSession("an-older-token");
  endSession(null);
  expect(sessionToken()).toBe("the-token");
  expect(localStorage.getItem("loginState")).not.toBeNull();
});

it("goes on where a call of the session before is answered with 401 after a new login", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => promise);
  const late = ask<typeof authLogout>("auth/logout", {});
  localStorage.setItem("exchange2508Token", "a-newer-token");
  resolve(new Response(JSON.stringify({ code: 401, msg: "over", data: { error: "SESSION_EXPIRED" } })));
  await expect(late).rejects.toMatchObject({ kind: "session" });
  expect(sessionToken()).toBe("a-newer-token");
});

it("stays logged in where a logout does not reach the server", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ code: 503, msg: "busy", data: null }))));
  await expect(logOut()).rejects.toMatchObject({ message: "busy" });
  expect(sessionToken()).toBe("the-token");
});
