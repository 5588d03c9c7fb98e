// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigate, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { LanguageScreen } from "./LanguageScreen.tsx";

/** Languages whose messages arrive only when the test says so. */
const slow = vi.hoisted(() => ({
  fr: Promise.withResolvers<undefined>(),
  ydl: Promise.withResolvers<undefined>(),
  xby: Promise.withResolvers<undefined>(),
}));
vi.mock("virtual:fairtick-messages/fr/all", async (original) => {
  await slow.fr.promise;
  return original();
});
vi.mock("virtual:fairtick-messages/ydl/all", async (original) => {
  await slow.ydl.promise;
  return original();
});
vi.mock("virtual:fairtick-messages/xby/all", async (original) => {
  await slow.xby.promise;
  return original();
});

const tap = (name: RegExp) => {
  fireEvent.click(screen.getByRole("button", { name }));
};
const isStored = (code: string) => vi.waitFor(() => expect(localStorage.getItem("lang")).toBe(code));
/** Waits for everything that may still be under way: a step back in the history takes a task of its own. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 200));

beforeEach(async () => {
  await activateAllWords("en");
  for (const path of ["home/index", "market/index", "user/language"] as const) navigate({ to: `/pages/${path}` });
  render(
    <I18nProvider i18n={i18n}>
      <ShownPlace value={currentPlace()}>
        <LanguageScreen />
      </ShownPlace>
      <Toasts />
    </I18nProvider>,
  );
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

it("goes back once, however often a language is tapped", async () => {
  tap(/français/i);
  tap(/français/i);
  slow.fr.resolve(undefined);
  await isStored("fr");
  tap(/français/i);
  await settle();
  expect(currentPlace().path).toBe("/pages/market/index");
});

it("leaves a member alone who has gone elsewhere in the meantime, in the language they chose", async () => {
  tap(/italiano/i);
  navigateTo("/pages/order/index");
  slow.ydl.resolve(undefined);
  await isStored("ydl");
  await settle();
  expect(currentPlace().path).toBe("/pages/order/index");
});

it("takes the language tapped last, though the one before arrives later", async () => {
  tap(/español/i);
  tap(/deutsch/i);
  await isStored("de");
  slow.xby.resolve(undefined);
  await settle();
  expect([localStorage.getItem("lang"), document.documentElement.lang]).toEqual(["de", "de"]);
  expect(currentPlace().path).toBe("/pages/market/index");
});
