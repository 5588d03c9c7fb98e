// @vitest-environment jsdom
import { SheetFrame, Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type ReactNode, useSyncExternalStore } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keys, queryClient } from "../data/queries.ts";
import { chooseRegion } from "../data/regions.ts";
import type { WithdrawalMethod } from "../data/withdrawals.ts";
import { activateAllWords, i18n } from "../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace, watchPlace } from "../shared/navigation.tsx";
import { ForgotScreen } from "./forgot/ForgotScreen.tsx";
import { DocumentStep } from "./identity-form/DocumentStep.tsx";
import { LeaveSheet } from "./leave/LeaveSheet.tsx";
import { LoginPasswordScreen } from "./passwords/LoginPasswordScreen.tsx";
import { TradePasswordScreen } from "./passwords/TradePasswordScreen.tsx";
import { RegisterScreen } from "./register/RegisterScreen.tsx";
import { AskView } from "./withdraw-crypto/components/AskView.tsx";

const MEMBER = { userId: "mem_1", account: "ana@example.com", tradePasswordSet: true };
const SUMMARY = { available: "0.00", totalAssets: "0.00", openPositions: 0, serverTime: 1 };
const REGIONS = [{ iso2: "BR", dialCode: "55", policy: "full", legalAge: 18 }];
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
  restsUntil: null,
} as unknown as WithdrawalMethod;
const PERSON = {
  familyName: "Silva",
  givenName: "Ana",
  gender: "female",
  birthDate: "1990-05-17",
  submittedAt: 1,
} as const;

/** Calls that get no answer; the others are answered at once. */
let silent: string[] = [];
const asked: string[] = [];

function serve(url: string, { signal }: RequestInit): Promise<Response> {
  const call = url.replace(/^.*\/client\//, "");
  asked.push(call);
  const data = call === "auth/sendCode" ? { retryAt: Date.now() + 60_000 } : null;
  if (!silent.includes(call)) return Promise.resolve(Response.json({ code: 200, msg: "", data }));
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new Error("aborted")));
  });
}

/** A fake upload that accepts every file at once. */
class Upload extends EventTarget {
  readonly upload = new EventTarget();
  responseText = "";
  open() {}
  setRequestHeader() {}
  abort() {}
  send() {
    this.responseText = JSON.stringify({ code: 200, msg: "", data: { fileId: "fil_1" } });
    queueMicrotask(() => act(() => void this.dispatchEvent(new Event("load"))));
  }
}

beforeEach(async () => {
  await activateAllWords("en");
  silent = [];
  asked.length = 0;
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: MEMBER }));
  vi.stubGlobal("fetch", serve);
  vi.stubGlobal("XMLHttpRequest", Upload);
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
  queryClient.setQueryData(keys.info, MEMBER);
  queryClient.setQueryData(keys.regions, REGIONS);
  for (const wallet of ["real", "practice"]) queryClient.setQueryData(keys.summary(wallet), { ...SUMMARY, wallet });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** Renders the element at the current address. */
function Shown({ element }: { readonly element: ReactNode }) {
  return <ShownPlace value={useSyncExternalStore(watchPlace, currentPlace)}>{element}</ShownPlace>;
}

function open(element: ReactNode, place = "/pages/auth/Safe"): void {
  navigateTo(place);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Shown element={<SheetFrame value={document.body}>{element}</SheetFrame>} />
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

const fields = "input:not([type=radio])";
function type(typed: Readonly<Record<string, string>>): void {
  for (const [label, value] of Object.entries(typed))
    fireEvent.change(screen.getByLabelText(label, { selector: fields }), { target: { value } });
}
function submit(): void {
  fireEvent.submit(document.querySelector("form:has(button[type=submit]), form")!);
}
const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000 });
const shown = (words: string) => soon(() => expect(screen.queryAllByText(words)).not.toEqual([]));

/** Sends the form to a server that doesn't answer, and returns the message after a minute. */
async function afterAMinute(call: string, send: () => void): Promise<string | null> {
  silent = [call];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  send();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(asked).toContain(call);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  return document.querySelector(".toasts")?.textContent ?? null;
}

const NEW_PASSWORD = { "New password": "granite-willow-9063", "Confirm password": "granite-willow-9063" };
const NEW_PIN = { "New password": "904172", "Confirm password": "904172" };

describe("a minute without an answer is reported with what to do next, for", () => {
  it("changing the login password", async () => {
    open(<LoginPasswordScreen />);
    type({ "Current password": "slate-harbour-7421", ...NEW_PASSWORD });
    expect(await afterAMinute("user/changeLoginPassword", submit)).toBe(
      "Connection timed out. Try again. If your current password is refused, the new one already applies",
    );
  });

  it.each([
    [
      "setting",
      false,
      "",
      { "Transaction password": "904172", "Confirm password": "904172", "Login password": "slate-harbour-7421" },
      "user/setTradePassword",
      "Connection timed out. Try again. If we ask for your current password, this one is already set",
    ],
    [
      "changing",
      true,
      "",
      { "Current password": "482915", ...NEW_PIN },
      "user/setTradePassword",
      "Connection timed out. Try again. If your current password is refused, the new one already applies",
    ],
    [
      "resetting",
      true,
      "?forgot=1",
      {
        "E-mail": "ana@example.com",
        "Verification code": "123456",
        "Login password": "slate-harbour-7421",
        ...NEW_PIN,
      },
      "user/resetTradePassword",
      "Connection timed out. Try the new password first. If it’s refused, ask for another code and reset it again",
    ],
  ])("%s the transaction password", async (_, tradePasswordSet, search, typed, call, words) => {
    queryClient.setQueryData(keys.info, { ...MEMBER, tradePasswordSet });
    open(<TradePasswordScreen />, `/pages/auth/SetTradePwd${search}`);
    type(typed);
    expect(await afterAMinute(call, submit)).toBe(words);
  });

  it("resetting a forgotten login password", async () => {
    open(<ForgotScreen />, "/pages/index/ForgetPwd");
    type({ "E-mail": "ana@example.com", "Verification code": "123456", ...NEW_PASSWORD });
    expect(await afterAMinute("auth/resetPassword", submit)).toBe(
      "Connection timed out. Try the new password first. If it’s refused, ask for another code and reset it again",
    );
  });

  it("submitting documents", async () => {
    open(<DocumentStep person={PERSON} />, "/pages/auth/Auth");
    type({ "ID number": "AB1234567" });
    for (const input of document.querySelectorAll("input[type=file]"))
      fireEvent.change(input, { target: { files: [new File(["a"], "photo.png", { type: "image/png" })] } });
    await soon(() => expect(screen.queryAllByText("Uploaded")).toHaveLength(2));
    expect(await afterAMinute("identity/submitDocuments", submit)).toBe(
      "Connection timed out. Go back and check whether your documents have arrived before you send them again",
    );
  });

  it.each([
    ["consent", "user/withdrawConsent"],
    ["close", "user/close"],
  ] as const)("leaving (%s)", async (kind, call) => {
    open(<LeaveSheet kind={kind} onClose={() => {}} />, "/pages/user/data");
    await shown("I understand that this can’t be undone.");
    type({ "Login password": "slate-harbour-7421" });
    fireEvent.click(screen.getByRole("checkbox"));
    expect(await afterAMinute(call, submit)).toBe(
      "Connection timed out. Try again. If you’re asked to log in, it has already gone through",
    );
  });

  it("registering", async () => {
    localStorage.clear();
    open(<RegisterScreen />, "/pages/index/Register");
    act(() => chooseRegion("BR"));
    const password = { Password: "a quiet harbour", "Confirm password": "a quiet harbour" };
    type({ "E-mail": "you@example.com" });
    submit();
    await soon(() => screen.getByLabelText("Verification code"));
    type({ "Verification code": "135790", ...password });
    fireEvent.click(screen.getByRole("checkbox"));
    expect(await afterAMinute("auth/register", submit)).toBe(
      "Connection timed out. Try again, or log in if your account already exists",
    );
  });

  it("withdrawing", async () => {
    open(<AskView method={METHOD} available="950.00" />, "/pages/qk/qk?chain=test");
    type({ "Wallet address": "0xb3239ace9fbb3f5f7857c2f65bfdf483aaa7e260" });
    submit();
    await shown("How much?");
    type({ Amount: "20" });
    submit();
    await soon(() => screen.getByLabelText("Transaction password", { selector: "input" }));
    type({ "Transaction password": "482915" });
    expect(await afterAMinute("withdraw/create", submit)).toBe(
      "We haven’t heard back. You can safely try again: this can’t create a second withdrawal.",
    );
  });
});
