// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Fairness } from "../../data/fairness.ts";
import type { OwnLiability } from "../../data/proof/liability.ts";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { OwnShare } from "./OwnShare.tsx";

const PUBLISHED: NonNullable<Fairness["liabilities"]> = {
  day: "2026-11-21",
  at: 1_763_700_000_000,
  sum: "50000.00",
  members: 5,
  root: "ab".repeat(32),
};

afterEach(cleanup);

it.each<[OwnLiability, RegExp]>([
  [{ state: "ok", amount: "12.00" }, /^Checked on this device: your balance of 12\.00/],
  [{ state: "unwatched" }, /^We couldn’t check your part of the total\. This device has no key of a witness/],
])("says of %o whether this device could check it", async (found, said) => {
  await activateAllWords("en");
  queryClient.setQueryData(["member", "liability", PUBLISHED.day, PUBLISHED.root], found);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <OwnShare published={PUBLISHED} member="usr_1" />
      </QueryClientProvider>
    </I18nProvider>,
  );
  expect(screen.getByTestId("own-share").textContent).toMatch(said);
});
