// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Fairness } from "../../data/fairness.ts";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { Owed } from "./Owed.tsx";

const FIGURES: Pick<Fairness, "liabilities" | "reserves"> = {
  liabilities: null,
  reserves: {
    house: "5000000.00",
    chains: [
      { chain: "base", address: "0x52908400098527886E0F7030069857D2E4169EE7", tokens: "1000000.000000", seenAt: 1 },
    ],
  },
};

afterEach(cleanup);

it.each([
  ["en", "1,000,000.000000 USDT", "5,000,000.00"],
  ["de", "1.000.000,000000 USDT", "5.000.000,00"],
] as const)("writes a wallet's tokens in %s as other amounts are written", async (language, tokens, house) => {
  await activateAllWords(language);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Owed figures={FIGURES} />
      </QueryClientProvider>
    </I18nProvider>,
  );
  const figures = screen.getAllByRole("definition").map((figure) => figure.textContent);
  expect(figures).toEqual([house, tokens]);
});
