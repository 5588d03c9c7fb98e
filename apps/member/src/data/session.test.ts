// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endSessionBy, endSession, logOut, sessionToken } from "./session.ts";

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
  endSession();
  expect(sessionToken()).toBeNull();
  expect(sessionStorage.getItem("fairtickPendingOrder")).not.toBeNull();
});
