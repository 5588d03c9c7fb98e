// @vitest-environment jsdom
import { SheetFrame } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo } from "../../shared/navigation.tsx";
import { JumpTo } from "./JumpTo.tsx";

const onClose = vi.fn<() => void>();

beforeEach(async () => {
  await activateAllWords("en");
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  navigateTo("/pages/trade/index");
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <SheetFrame value={document.body}>
          <JumpTo open onClose={onClose} />
        </SheetFrame>
      </QueryClientProvider>
    </I18nProvider>,
  );
  await screen.findByRole("combobox");
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

const field = () => screen.getByRole("combobox", { name: "Jump to…" });
const options = () => screen.queryAllByRole("option");
/** The names of the options that are said to be chosen: as selected, and as the one that the field's keys are on. */
function chosen(): readonly (string | undefined)[] {
  const selected = options().filter((option) => option.getAttribute("aria-selected") === "true");
  expect(selected).toHaveLength(1);
  const active = document.getElementById(field().getAttribute("aria-activedescendant") ?? "");
  return [selected[0], active].map((option) => option?.querySelector("span")?.textContent);
}

it("is a field that names its list and the option that the arrow keys are on", () => {
  expect(field().getAttribute("aria-expanded")).toBe("true");
  expect(screen.getByRole("listbox").id).toBe(field().getAttribute("aria-controls"));
  expect(options()).toHaveLength(9);
  expect(chosen()).toEqual(["Home", "Home"]);
  fireEvent.keyDown(field(), { key: "ArrowDown" });
  fireEvent.keyDown(field(), { key: "ArrowDown" });
  expect(chosen()).toEqual(["Trade", "Trade"]);
  fireEvent.keyDown(field(), { key: "ArrowUp" });
  expect(chosen()).toEqual(["Market", "Market"]);
  fireEvent.change(field(), { target: { value: "not" } });
  expect(chosen()).toEqual(["Notices", "Notices"]);
  fireEvent.keyDown(field(), { key: "Enter" });
  expect(onClose).toHaveBeenCalledOnce();
  expect(currentPlace().path).toBe("/pages/notice/index");
});

it("has no option and is closed if nothing matches", () => {
  fireEvent.change(field(), { target: { value: "no such place" } });
  expect(options()).toHaveLength(0);
  expect(field().getAttribute("aria-expanded")).toBe("false");
  expect(field().hasAttribute("aria-activedescendant")).toBe(false);
  fireEvent.keyDown(field(), { key: "Enter" });
  expect(onClose).not.toHaveBeenCalled();
});

it("finds what is typed without accents or with full-width letters", async () => {
  fireEvent.change(field(), { target: { value: "ｎｏｔ" } });
  expect(chosen()).toEqual(["Notices", "Notices"]);
  fireEvent.change(field(), { target: { value: "thi truong" } });
  expect(options()).toHaveLength(0);
  await act(() => activateAllWords("yue"));
  expect(options().map((option) => option.getAttribute("href"))).toEqual(["#/pages/market/index"]);
});

it("goes where an option is clicked", () => {
  const option = screen.getByRole("option", { name: /^Market/ });
  expect(option.getAttribute("href")).toBe("#/pages/market/index");
  fireEvent.click(option);
  expect(onClose).toHaveBeenCalledOnce();
});
