// @vitest-environment jsdom
import { SheetFrame } from "@fairtick/ui";
import { waitForReturn } from "@fairtick/ui/sheet-history.ts";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, ShownPlace } from "../../shared/navigation.tsx";
import { AddressesScreen } from "./AddressesScreen.tsx";

const OURS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const METHOD = { chain: "test", name: "Test chain", kind: "evm", currency: "USDT" };
let sent = 0;

beforeEach(async () => {
  sent = 0;
  localStorage.setItem("exchange2508Token", "token");
  await activateAllWords("en");
  vi.stubGlobal("fetch", (url: string) => {
    if (url.includes("withdraw/addAddress")) {
      sent += 1;
      const refusal = { code: 422, msg: "It is ours.", data: { error: "ADDRESS_IS_OURS" } };
      return Promise.resolve(Response.json(refusal, { status: 422 }));
    }
    if (url.includes("withdraw/methods")) return Promise.resolve(Response.json({ code: 200, msg: "", data: [METHOD] }));
    if (url.includes("withdraw/addresses")) return Promise.resolve(Response.json({ code: 200, msg: "", data: [] }));
    return new Promise(() => {});
  });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <SheetFrame value={document.body}>
            <AddressesScreen />
          </SheetFrame>
        </ShownPlace>
      </QueryClientProvider>
    </I18nProvider>,
  );
});
afterEach(async () => {
  cleanup();
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
  await vi.waitUntil(() => !waitForReturn(() => undefined));
});

const field = () => screen.getByLabelText("Wallet address", { selector: "input" });
async function add(address: string) {
  if (screen.queryByLabelText("Wallet address", { selector: "input" }) === null)
    fireEvent.click((await screen.findAllByRole("button", { name: "Add address" }))[0]!);
  await waitFor(() => expect(field()).not.toBeNull());
  fireEvent.change(field(), { target: { value: address } });
  fireEvent.submit(field().closest("form")!);
}

it("names the field of an address that can't be right, without asking the server", async () => {
  await add("0x7099");
  expect(field().getAttribute("aria-invalid")).toBe("true");
  expect(sent).toBe(0);
});

it("names the field of an address that only the server can refuse", async () => {
  await add(OURS);
  await waitFor(() => expect(field().getAttribute("aria-invalid")).toBe("true"));
  expect([sent, screen.queryAllByText("It is ours.").length > 0]).toEqual([1, true]);
});
