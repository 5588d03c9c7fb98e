// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "../../data/queries.ts";
import { markNoticeRead, noticesSearch } from "../../data/notices.ts";
import { i18n } from "../../shared/i18n.ts";
import { placeOf, ShownPlace } from "../../shared/navigation.tsx";
import { NoticesScreen } from "./NoticesScreen.tsx";

const unread = { notices: 5, messages: 2, support: 1 };
const never = () => new Promise<Response>(() => undefined);
const tabs = () => screen.getAllByRole("tab").map(({ textContent }) => textContent);

beforeEach(() => {
  localStorage.setItem("exchange2508Token", "the-token");
  vi.stubGlobal("fetch", never);
  i18n.loadAndActivate({ locale: "en", messages: {} });
  queryClient.setQueryData(keys.info, { unread });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={placeOf("/pages/notice/index")}>
          <NoticesScreen />
        </ShownPlace>
      </QueryClientProvider>
    </I18nProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it("shows each tab's unread count, and updates it as notices are read", async () => {
  expect(tabs()).toEqual(["notice.announcements (3)", "notice.messages (2)"]);
  for (const kind of ["message", "announcement", "message"] as const)
    await act(async () => void markNoticeRead("one", kind).catch(() => undefined));
  // A query's observers are notified of new data after this turn, not within it.
  await waitFor(() => expect(tabs()).toEqual(["notice.announcements (2)", "notice.messages"]));
});

it.each([
  [undefined, {}],
  [{ notices: 0, messages: 0, support: 3 }, {}],
  [{ notices: 2, messages: 0, support: 0 }, {}],
  [{ notices: 2, messages: 1, support: 0 }, { kind: "message" }],
])("opens on the tab with unread notices: %j", (counts, search) => {
  expect(noticesSearch(counts)).toEqual(search);
});
