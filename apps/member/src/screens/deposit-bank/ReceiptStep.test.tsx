// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeDeposit, type Deposit } from "../../data/deposits.ts";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { BankDepositScreen } from "./BankDepositScreen.tsx";

const PLACE = "/pages/rk/bankrk?depositNo=dep_1";
const SLIP = "/pages/rk/bankhz?depositNo=dep_1";
const DEPOSIT = {
  depositNo: "dep_1",
  method: "bank",
  state: "processing",
  stage: "announced",
  amount: "100.00",
  reference: "RF18000000000001",
  fiatAmount: "92.15",
  fiatCurrency: "EUR",
  card: { bank: "Test bank", holder: "Fairtick", number: "DE89370400440532013000", note: "", rate: "0.9215" },
  createdAt: 1_795_271_400_000,
  stageAt: 1_795_271_400_000,
} as unknown as Deposit;

let answer: () => Response;
const found = (deposit: Deposit) => () => Response.json({ code: 200, msg: "", data: deposit });

beforeEach(async () => {
  vi.stubGlobal("fetch", (url: string) =>
    url.endsWith("deposit/detail") ? Promise.resolve(answer()) : new Promise(() => {}),
  );
  await activateAllWords("en");
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function open(): void {
  navigateTo(PLACE);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <BankDepositScreen />
        </ShownPlace>
      </QueryClientProvider>
    </I18nProvider>,
  );
}
const instructions = () => screen.queryByText("Send exactly this amount");

describe("what to send for a bank transfer", () => {
  it("is shown while the money is awaited", async () => {
    answer = found(DEPOSIT);
    open();
    await waitFor(() => expect(instructions()).not.toBeNull());
    expect(currentPlace().href).toBe(PLACE);
  });

  it.each(["failed", "deposited"] as const)("gives way to the slip of a deposit that is %s", async (state) => {
    answer = found({ ...DEPOSIT, state });
    open();
    await waitFor(() => expect(currentPlace().href).toBe(SLIP));
    expect(instructions()).toBeNull();
  });

  it("gives way to the slip when the deposit ends while it is shown", async () => {
    answer = found(DEPOSIT);
    open();
    await waitFor(() => expect(instructions()).not.toBeNull());
    act(() => takeDeposit({ ...DEPOSIT, state: "failed", stageAt: DEPOSIT.stageAt + 1 }));
    await waitFor(() => expect(currentPlace().href).toBe(SLIP));
    expect(instructions()).toBeNull();
  });

  it("leads to the deposits if there is none with this number", async () => {
    answer = () => Response.json({ code: 404, msg: "not found", data: { error: "NOT_FOUND" } });
    open();
    await waitFor(() => expect(screen.queryByRole("link", { name: i18n._("deposit.toList") })).not.toBeNull());
    expect(screen.queryByText(i18n._("shell.tapToRetry"))).toBeNull();
  });
});
