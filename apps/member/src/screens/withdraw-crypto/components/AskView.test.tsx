// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../../data/queries.ts";
import type { WithdrawalMethod } from "../../../data/withdrawals.ts";
import { activateAllWords, i18n } from "../../../shared/i18n.ts";
import { AskView } from "./AskView.tsx";

const WALLET = "0xb3239ace9fbb3f5f7857c2f65bfdf483aaa7e260";
const METHOD = {
  chain: "test",
  name: "Test chain",
  kind: "evm",
  currency: "USDT",
  minimum: "10.00",
  maximum: "50000.00",
  fee: "1.00",
  dayMax: null,
  automaticMax: "500.00",
  dayLeft: null,
  times: null,
  coming: null,
  frozenSince: null,
  restsUntil: null,
  addressHours: 24,
} as unknown as WithdrawalMethod;

function draw(method = METHOD) {
  return render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <AskView method={method} available="950.00" />
      </QueryClientProvider>
    </I18nProvider>,
  );
}
const type = (label: string, words: string) => {
  fireEvent.change(screen.getByLabelText(label, { selector: "input" }), { target: { value: words } });
};
const goOn = () => {
  const button = screen.getByRole("button", { name: "Continue" });
  fireEvent.submit(button.closest("form") ?? document.forms[0]!);
};
const asks = (words: string) => waitFor(() => expect(screen.queryByText(words)).not.toBeNull());

async function toTheLastQuestion() {
  type("Wallet address", WALLET);
  goOn();
  await asks("How much?");
  type("Amount", "20");
  goOn();
  await asks("Transaction password");
}

/** The fake server accepts every address except this one. */
const OURS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
function checked(url: string, body?: BodyInit): Promise<Response> | undefined {
  if (!url.includes("withdraw/checkAddress")) return undefined;
  const isOurs = new URLSearchParams(body as string).get("address") === OURS;
  return Promise.resolve(
    isOurs
      ? Response.json({ code: 422, msg: "It is ours.", data: { error: "ADDRESS_IS_OURS" } }, { status: 422 })
      : Response.json({ code: 200, msg: "", data: answer }),
  );
}
/** What the server answers about accepted addresses. */
let answer: { known: boolean; usableAt: number | null };

beforeEach(async () => {
  answer = { known: true, usableAt: null };
  vi.stubGlobal("fetch", (url: string) => checked(url) ?? new Promise(() => {}));
  await activateAllWords("en");
  history.pushState({ depth: 0 }, "", "#/pages/qk/index");
  history.pushState({ depth: 1 }, "", "#/pages/qk/qk?chain=test");
});
afterEach(async () => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
  // An open question removes its history entry later. Wait for it, so that it doesn't affect the next test.
  await waitFor(() => {
    if (Object.hasOwn(history.state as object, "sheet")) throw new Error("a question's entry is still there");
  });
});

it("goes back question by question with the answers, and leaves the form from the first one", async () => {
  draw();
  await toTheLastQuestion();
  history.back();
  await asks("How much?");
  expect(screen.getByLabelText<HTMLInputElement>("Amount", { selector: "input" }).value).toBe("20");
  history.back();
  await asks("Where to?");
  expect(screen.getByLabelText<HTMLInputElement>("Wallet address", { selector: "input" }).value).toBe(WALLET);
  expect(location.hash).toBe("#/pages/qk/qk?chain=test");
  history.back();
  await waitFor(() => expect(location.hash).toBe("#/pages/qk/index"));
});

it("returns to the last question after the member left it for a forgotten password", async () => {
  const view = draw();
  await toTheLastQuestion();
  type("Transaction password", "111111");
  fireEvent.click(screen.getByRole("link", { name: "Forgot transaction password?" }));
  view.unmount();
  draw();
  await asks("Transaction password");
  expect(screen.queryByText(WALLET)).not.toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Transaction password", { selector: "input" }).value).toBe("");
  cleanup();
  draw();
  await asks("Where to?");
});

it("refuses one of the house's own addresses before it asks for the amount", async () => {
  vi.stubGlobal("fetch", (url: string, { body }: { body: BodyInit }) => checked(url, body) ?? new Promise(() => {}));
  draw();
  type("Wallet address", OURS);
  goOn();
  await waitFor(() => expect(screen.queryAllByText("It is ours.").length).toBeGreaterThan(0));
  expect(screen.queryByText("How much?")).toBeNull();
  expect(screen.getByLabelText("Wallet address", { selector: "input" }).getAttribute("aria-invalid")).toBe("true");
  type("Wallet address", WALLET);
  goOn();
  await asks("How much?");
});

it("sends one request under one id, even if the questions were answered again", async () => {
  const ids: (string | null)[] = [];
  vi.stubGlobal("fetch", (url: string, { body }: { body: BodyInit }) => {
    const isChecked = checked(url, body);
    if (isChecked !== undefined) return isChecked;
    if (!url.includes("withdraw/create")) return new Promise(() => {});
    ids.push(new URLSearchParams(body as string).get("clientId"));
    return Promise.resolve(
      Response.json({ code: 422, msg: "No.", data: { error: "TRADE_PASSWORD_WRONG" } }, { status: 422 }),
    );
  });
  draw();
  await toTheLastQuestion();
  const ask = async () => {
    type("Transaction password", "111111");
    const before = ids.length;
    fireEvent.submit(document.forms[0]!);
    await waitFor(() => expect(ids.length).toBeGreaterThan(before));
    await waitFor(() => expect(screen.queryAllByText("No.")).not.toEqual([]));
  };
  await ask();
  history.back();
  await asks("How much?");
  goOn();
  await asks("Transaction password");
  await ask();
  expect(ids[0]).not.toBeNull();
  expect(new Set(ids).size).toBe(1);
  history.back();
  await asks("How much?");
  type("Amount", "30");
  goOn();
  await asks("Transaction password");
  await ask();
  expect(new Set(ids).size).toBe(2);
});

/** Has the fake server answer requests for a withdrawal; returns the client ids that it got. */
function answering(answerTo: () => Promise<Response>): string[] {
  const ids: string[] = [];
  vi.stubGlobal("fetch", (url: string, { body }: { body: BodyInit }) => {
    const isChecked = checked(url, body);
    if (isChecked !== undefined) return isChecked;
    if (!url.includes("withdraw/create")) return new Promise(() => {});
    ids.push(new URLSearchParams(body as string).get("clientId") ?? "");
    return answerTo();
  });
  return ids;
}
async function ask(ids: readonly string[]) {
  const before = ids.length;
  type("Transaction password", "111111");
  fireEvent.submit(document.forms[0]!);
  await waitFor(() => expect(ids.length).toBeGreaterThan(before));
}
/** Waits until the form can be sent again. A call that finds no network is tried twice before. */
const isAnswered = () =>
  waitFor(
    () => expect(screen.getByRole("button", { name: /^Withdraw 20/ }).getAttribute("aria-disabled")).not.toBe("true"),
    {
      timeout: 10_000,
    },
  );
const refused = (name: string) => () =>
  Promise.resolve(Response.json({ code: 422, msg: `No: ${name}`, data: { error: name } }, { status: 422 }));

it("keeps the id of a request whose answer was lost, also after the form was left or the page reloaded", async () => {
  const ids = answering(() => Promise.reject(new TypeError("Failed to fetch")));
  draw();
  await toTheLastQuestion();
  await ask(ids);
  await asks("We haven’t heard back. You can safely try again: this can’t create a second withdrawal.");
  cleanup();
  draw();
  await toTheLastQuestion();
  await ask(ids);
  await isAnswered();
  expect(new Set(ids).size).toBe(1);
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: "mem_other" } }));
  await ask(ids);
  await isAnswered();
  expect(new Set(ids).size).toBe(2);
});

it("takes the same request for a new one once the first was granted", async () => {
  const ids = answering(() => Promise.resolve(Response.json({ code: 200, msg: "", data: { withdrawNo: "wdr_1" } })));
  for (const count of [1, 2]) {
    draw();
    await toTheLastQuestion();
    await ask(ids);
    await waitFor(() => expect(sessionStorage.getItem("fairtickWish.withdrawal")).toBeNull());
    expect(ids).toHaveLength(count);
    cleanup();
  }
  expect(new Set(ids).size).toBe(2);
});

it("says at the amount that the fee has changed", async () => {
  const ids = answering(refused("QUOTE_CHANGED"));
  draw();
  await toTheLastQuestion();
  await ask(ids);
  await asks("How much?");
  expect(screen.getByLabelText("Amount", { selector: "input" }).getAttribute("aria-invalid")).toBe("true");
  await asks("The fee has changed. Check what you receive");
});

it("calls no password wrong where the house refuses for another reason", async () => {
  const ids = answering(refused("RATE_LIMITED"));
  draw();
  await toTheLastQuestion();
  await ask(ids);
  await isAnswered();
  const password = screen.getByLabelText("Transaction password", { selector: "input" });
  expect(password.getAttribute("aria-invalid")).not.toBe("true");
});

it("stays at an address that was changed while the server looked at it", async () => {
  let tell: (answered: Response) => void = () => undefined;
  vi.stubGlobal("fetch", (url: string) =>
    url.includes("withdraw/checkAddress")
      ? new Promise<Response>((resolve) => {
          tell = resolve;
        })
      : new Promise(() => {}),
  );
  draw();
  type("Wallet address", WALLET);
  goOn();
  type("Wallet address", `${WALLET}0`);
  tell(Response.json({ code: 200, msg: "", data: answer }));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Continue" }).getAttribute("aria-disabled")).not.toBe("true"),
  );
  expect(screen.queryByText("How much?")).toBeNull();
});

it("says beside the amount up to which one a withdrawal is paid without a person", async () => {
  draw();
  type("Wallet address", WALLET);
  goOn();
  await asks("How much?");
  expect(
    screen.queryByText("Up to 500.00 USD is usually approved automatically. A person checks larger amounts."),
  ).not.toBeNull();
});

it("says that a withdrawal waits after a reset before the last button", async () => {
  vi.stubGlobal("fetch", (url: string, { body }: { body: BodyInit }) => checked(url, body) ?? new Promise(() => {}));
  draw({ ...METHOD, restsUntil: Date.UTC(2027, 2, 1, 12) });
  await toTheLastQuestion();
  expect(screen.getByText(/waits until .*2027/).textContent).toContain("You can cancel it until then.");
});

it("says before the last button that a new address waits, and until when", async () => {
  answer = { known: false, usableAt: Date.UTC(2027, 2, 1, 12) };
  draw();
  await toTheLastQuestion();
  expect(screen.getByText(/This address is new.*waits until .*2027/).textContent).toContain("You can cancel it");
});

it("explains in a sandbox without that wait what a live service does, and nothing for a known address", async () => {
  answer = { known: false, usableAt: null };
  draw({ ...METHOD, addressHours: 0 });
  await toTheLastQuestion();
  expect(screen.queryByText(/In this sandbox it is paid at once/)).not.toBeNull();
  cleanup();
  answer = { known: true, usableAt: null };
  draw({ ...METHOD, addressHours: 0 });
  await toTheLastQuestion();
  expect(screen.queryByText(/This address is new/)).toBeNull();
});

it("takes an address from the book at one tap", async () => {
  const book = [
    { addressId: "wad_1", chain: "test", address: WALLET, label: "Ledger", addedAt: 1, usableAt: null },
    {
      addressId: "wad_2",
      chain: "tron",
      address: "TFSR9HKDBvBx7nQ5RQ2RaXwzzPCChhneuW",
      label: null,
      addedAt: 1,
      usableAt: null,
    },
  ];
  vi.stubGlobal("fetch", (url: string, { body }: { body: BodyInit }) =>
    url.includes("withdraw/addresses")
      ? Promise.resolve(Response.json({ code: 200, msg: "", data: book }))
      : (checked(url, body) ?? new Promise(() => {})),
  );
  queryClient.removeQueries();
  draw();
  await asks("Ledger");
  expect(screen.queryByText(/TFSR9/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /Ledger/ }));
  expect(screen.getByLabelText<HTMLInputElement>("Wallet address", { selector: "input" }).value).toBe(WALLET);
  goOn();
  await asks("How much?");
});
