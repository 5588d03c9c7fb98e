// @vitest-environment jsdom
import type { userInfo } from "@fairtick/protocol";
import { Toasts } from "@fairtick/ui";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords } from "../shared/i18n.ts";
import { reportFailure } from "./failures.ts";
import { ask } from "./transport.ts";

beforeEach(() => activateAllWords("en"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ["a code without a message", JSON.stringify({ code: 500, data: null }), "Server Error"],
  ["a code with an empty message", JSON.stringify({ code: 503, msg: "", data: null }), "Server Error"],
  [
    "a code with a message",
    JSON.stringify({ code: 422, msg: "Insufficient balance", data: null }),
    "Insufficient balance",
  ],
  ["no readable answer", "<html>502</html>", "Nerwork Error"],
])("shows the specification's message for %s", async (_, body, said) => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body)));
  render(<Toasts />);
  const failure = await ask<typeof userInfo>("user/info", {}).catch((error: unknown) => error);
  act(() => {
    reportFailure(failure);
  });
  expect(screen.getByRole("status").textContent).toBe(said);
});
