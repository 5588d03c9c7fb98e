// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { I18nProvider } from "@lingui/react";
import { i18n } from "@lingui/core";
import { afterEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { ShownPlace } from "../../shared/navigation.tsx";
import { NoticeScreen } from "./NoticeScreen.tsx";

const PLACE = { path: "/pages/notice/nDetail", search: { noticeId: "ann_1" }, href: "" };

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const NOTICE = {
  noticeId: "ann_1",
  kind: "announcement",
  title: "A title",
  body: "The words.",
  publishedAt: 1,
  read: true,
  about: null,
};

const draw = () => {
  i18n.loadAndActivate({ locale: "en", messages: {} });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={PLACE}>
          <NoticeScreen />
        </ShownPlace>
      </QueryClientProvider>
    </I18nProvider>,
  );
};

it.each([
  [{ kind: "deposit", depositNo: "dep_1" }, "/pages/rk/szhz?depositNo=dep_1"],
  [{ kind: "withdrawal", withdrawNo: "wdr_1" }, "/pages/qk/qk?withdrawNo=wdr_1"],
  [{ kind: "identity" }, "/pages/auth/index"],
  [{ kind: "security" }, "/pages/auth/Safe"],
])("links to what it is about: %o", async (about, href) => {
  const answer = () => Promise.resolve(Response.json({ code: 200, msg: "", data: { ...NOTICE, about } }));
  vi.stubGlobal("fetch", vi.fn(answer));
  draw();
  await screen.findByText("The words.");
  expect(screen.getByRole("link").getAttribute("href")).toBe(`#${href}`);
});

it("keeps the shown notice although a later reload fails", async () => {
  const answers = [() => Promise.resolve(Response.json({ code: 200, msg: "", data: NOTICE }))];
  const ask = vi.fn(() => (answers.shift() ?? (() => Promise.reject(new TypeError("no connection"))))());
  vi.stubGlobal("fetch", ask);
  draw();
  expect(await screen.findByText("The words.")).toBeTruthy();
  await queryClient.invalidateQueries();
  await waitFor(() => {
    expect(ask.mock.calls.length).toBeGreaterThan(1);
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .some(({ state }) => state.status === "error"),
    ).toBe(true);
  });
  expect(screen.getByText("The words.")).toBeTruthy();
});
