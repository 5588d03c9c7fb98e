// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endWelcome, goOnWelcoming } from "../../data/welcome.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { FirstHints } from "./FirstHints.tsx";

const open = vi.hoisted(() => ({ data: undefined as { items: unknown[] } | undefined }));
vi.mock("../../data/orders.ts", () => ({ usePositions: () => open }));

const hints = () => (
  <I18nProvider i18n={i18n}>
    <FirstHints />
  </I18nProvider>
);
const step = () => screen.queryByTestId("first-hint")?.textContent.match(/\d/)?.[0];

beforeEach(async () => {
  await activateAllWords("en");
  open.data = { items: [] };
  goOnWelcoming("choose");
});
afterEach(() => {
  cleanup();
  endWelcome();
});

it("ends once the first order has run, and doesn't begin again on its result", () => {
  const { rerender } = render(hints());
  expect(step()).toBe("1");
  open.data = { items: [{}] };
  rerender(hints());
  expect(step()).toBe("3");
  open.data = { items: [] };
  rerender(hints());
  expect(step()).toBeUndefined();
  cleanup();
  render(hints());
  expect(step()).toBeUndefined();
});

it("keeps the hint about a running order across a reload, until the open orders are known", () => {
  goOnWelcoming("running");
  open.data = undefined;
  render(hints());
  expect(step()).toBe("3");
});
