// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from "vitest";
import { refreshAvailableLanguages } from "../data/languages.ts";
import { onAppShow } from "./app-show.ts";

const ENVELOPE = { code: 200, msg: "OK", data: [{ lang: "de_DE", langName: "Deutsch", more: { of: "it" } }] };
const answer = vi.fn<(path: string) => Promise<Response>>();
const kept = () => localStorage.getItem("languageData");
const turn = (state: DocumentVisibilityState) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => {
  localStorage.clear();
  answer.mockReset();
  answer.mockImplementation(() => Promise.resolve(new Response(JSON.stringify(ENVELOPE))));
  vi.stubGlobal("fetch", answer);
});

it("fetches the languages at the start and on each return to the app, and at no other time", async () => {
  onAppShow(() => void refreshAvailableLanguages());
  turn("hidden");
  expect(answer).toHaveBeenCalledTimes(1);
  turn("visible");
  turn("hidden");
  turn("visible");
  expect(answer.mock.calls.map(([path]) => path)).toEqual(
    Array.from({ length: 3 }, () => "/client/multiLang/findAvailableLang"),
  );
  await vi.waitFor(() => {
    expect(JSON.parse(kept() ?? "null")).toEqual(ENVELOPE);
  });
});

it.each([
  ["no answer", () => Promise.reject(new TypeError("offline"))],
  ["an unreadable answer", () => Promise.resolve(new Response("<html>"))],
  ["a refusal", () => Promise.resolve(new Response(JSON.stringify({ code: 500, msg: "", data: null })))],
])("keeps the stored languages after %s", async (_, failing) => {
  localStorage.setItem("languageData", "as it was");
  answer.mockImplementation(failing);
  await expect(refreshAvailableLanguages()).resolves.toBeUndefined();
  expect(kept()).toBe("as it was");
});
