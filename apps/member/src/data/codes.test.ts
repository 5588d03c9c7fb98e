// @vitest-environment jsdom
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

it("remembers after a reload when another code may be requested, for that address only", async () => {
  const retryAt = Date.now() + 60_000;
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response(JSON.stringify({ code: 200, msg: "", data: { retryAt } }))),
  );
  const before = await import("./codes.ts");
  await before.sendCode({ channel: "email", to: "a@example.com", region: undefined, purpose: "register" });
  vi.resetModules();
  const { codeWait } = await import("./code-wait.ts");
  expect(codeWait("a@example.com")).toBe(retryAt);
  expect(codeWait("b@example.com")).toBe(0);
});
