// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changeBankDraft } from "../../data/bank-draft.ts";
import { queryClient } from "../../data/queries.ts";
import { endSession, endSessionBy, logIn } from "../../data/session.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { BankDepositScreen } from "./BankDepositScreen.tsx";

const FORM = "/pages/rk/bankrk";
const METHODS = { bank: [{ currency: "EUR", minimum: "20.00", maximum: "5000.00" }], crypto: [], card: true };
const CARD = { cardId: "crd_1", bank: "Test bank", holder: "Fairtick", number: "DE89370400440532013000", rate: "0.92" };
const DEPOSIT = { depositNo: "dep_1", method: "bank", state: "processing", stageAt: 1, createdAt: 1, amount: "100.00" };

let member = "mem_1";
/** The announced transfers, and how the server answers one. */
let announced: { readonly amount: string | null; readonly clientId: string | null }[] = [];
let answerBank: () => Promise<Response> | Response;
/** How the server answers which methods there are for a region; the member's own is empty. */
let methodsOf: (region: string) => Response;
const ok = (data: unknown) => Response.json({ code: 200, msg: "", data });
const lost = () => Response.json({ code: 503, msg: "no answer", data: null });

function answer(path: string, fields: URLSearchParams): Promise<Response> | Response {
  if (path === "auth/login") return ok({ access_token: `of ${member}`, userInfo: { userId: member } });
  if (path === "user/info") return ok({ userId: member, region: "BR", realWalletOpen: true, unread: {} });
  if (path === "deposit/methods") return methodsOf(fields.get("region") ?? "");
  if (path === "deposit/cards") return ok([CARD]);
  if (path !== "deposit/bank") return new Promise(() => {});
  announced.push({ amount: fields.get("amount"), clientId: fields.get("clientId") });
  return answerBank();
}

async function begin(userId: string): Promise<void> {
  member = userId;
  await act(() => logIn({ account: `${userId}@example.org`, password: "a quiet harbour" }));
}

beforeEach(async () => {
  announced = [];
  answerBank = lost;
  methodsOf = () => ok(METHODS);
  vi.stubGlobal("fetch", (url: string, { body }: RequestInit) =>
    Promise.resolve(answer(url.replace(/^.*\/client\//, ""), new URLSearchParams(body as string))),
  );
  await activateAllWords("en");
  await begin("mem_1");
});
afterEach(async () => {
  cleanup();
  await endSessionBy(() => Promise.resolve());
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function open(): void {
  cleanup();
  navigateTo(FORM);
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
const amount = () => waitFor(() => screen.getByLabelText<HTMLInputElement>(/^Deposit amount/));
async function write(typed: string): Promise<void> {
  fireEvent.change(await amount(), { target: { value: typed } });
}
async function goOn(): Promise<void> {
  const before = announced.length;
  await waitFor(() => screen.getByRole("link", { name: /DE89370400440532013000/ }));
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(announced).toHaveLength(before + 1));
  await waitFor(() =>
    expect(screen.queryByRole<HTMLButtonElement>("button", { name: "Continue" })?.disabled).toBe(false),
  );
}

describe("a bank transfer whose announcement got no answer", () => {
  it("is announced as the same one after the member has looked at another screen", async () => {
    open();
    await write("100");
    await goOn();
    open();
    expect((await amount()).value).toBe("100");
    await goOn();
    await write("150");
    await goOn();
    const [first, second, other] = announced;
    expect(second).toEqual(first);
    expect(other?.clientId).not.toBe(first?.clientId);
  });

  it("is followed by another one for the same amount once it is answered", async () => {
    answerBank = () => ok(DEPOSIT);
    open();
    await write("100");
    await goOn();
    await waitFor(() => expect(currentPlace().href).toBe(`${FORM}?depositNo=dep_1`));
    open();
    expect((await amount()).value).toBe("");
    await write("100");
    await goOn();
    expect(announced[1]?.clientId).not.toBe(announced[0]?.clientId);
  });
});

describe("a transfer that was typed but not announced", () => {
  it.each([
    ["after a logout", () => endSessionBy(() => Promise.resolve())],
    ["after a session that ended", () => Promise.resolve(endSession("of mem_1"))],
  ])("isn't shown to another member %s", async (_, end) => {
    open();
    await write("100");
    cleanup();
    await end();
    await begin("mem_2");
    open();
    expect((await amount()).value).toBe("");
  });

  it("is kept for the member whose session ended", async () => {
    open();
    await write("100");
    cleanup();
    endSession("of mem_1");
    await begin("mem_1");
    open();
    expect((await amount()).value).toBe("100");
  });
});

describe("a region that money can't be sent from", () => {
  const regionField = () => screen.queryByRole("link", { name: /Vietnam$/ });

  it.each([
    ["has no receiving card", () => ok({ ...METHODS, bank: [] }), "No deposit method is available right now"],
    ["couldn't be asked about", lost, "We couldn’t load the deposit methods. Your balance is unaffected."],
  ])("can be exchanged for another one if it %s", async (_, answerMethods, words) => {
    methodsOf = (region) => (region === "VN" ? answerMethods() : ok(METHODS));
    open();
    await amount();
    act(() => changeBankDraft({ region: "VN" }));
    await waitFor(() => expect(screen.queryByText(words)).not.toBeNull());
    expect(regionField()?.getAttribute("href")).toBe("#/pages/index/SelectRegion?for=bank");
    act(() => changeBankDraft({ region: "BR" }));
    await amount();
  });

  it.each(["REGION_PRACTICE_ONLY", "IDENTITY_REQUIRED"])(
    "isn't asked for if the rule is about the member: %s",
    async (error) => {
      methodsOf = () => Response.json({ code: 403, msg: "refused", data: { error } });
      open();
      await waitFor(() => expect(document.querySelector(".state")).not.toBeNull());
      expect(screen.queryByRole("link", { name: /^Country or region/ })).toBeNull();
    },
  );
});
