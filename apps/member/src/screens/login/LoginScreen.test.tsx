// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { I18nProvider } from "@lingui/react";
import { Toasts } from "@fairtick/ui";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { LoginScreen } from "./LoginScreen.tsx";

/** The fake server's answers by path. */
const answers = new Map<string, unknown>();
const sent: { path: string; body: string }[] = [];

function open() {
  navigateTo("/pages/index/index?next=/pages/order/index");
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <LoginScreen />
        </ShownPlace>
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
  return screen.findByRole("button", { name: "Log in" });
}

beforeEach(async () => {
  await activateAllWords("en");
  answers.set("/client/region/list", { code: 200, msg: "", data: [] });
  vi.stubGlobal("fetch", (input: string, init: RequestInit) => {
    sent.push({ path: input, body: String(init.body as URLSearchParams) });
    return Promise.resolve(new Response(JSON.stringify(answers.get(input) ?? { code: 404, msg: "no", data: null })));
  });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  queryClient.clear();
  sent.length = 0;
});

describe("the login screen", () => {
  it("says Enter username before it asks the server anything", async () => {
    fireEvent.click(await open());
    expect((await screen.findByRole("status")).textContent).toContain("Enter username");
    expect(screen.getByRole("textbox", { name: "E-mail" }).getAttribute("aria-invalid")).toBe("true");
    expect(sent.some(({ path }) => path.endsWith("auth/login"))).toBe(false);
  });

  it("stores the session under the specification's keys and leads to the requested place", async () => {
    const userInfo = { userId: "usr_1", wallet: "practice", access_token: "secret" };
    answers.set("/client/auth/login", { code: 200, msg: "", data: { access_token: "secret", expiresAt: 1, userInfo } });
    const button = await open();
    fireEvent.change(screen.getByRole("textbox", { name: "E-mail" }), { target: { value: " you@example.com " } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "long enough" } });
    fireEvent.click(button);
    await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/order/index"));
    expect(sent.find(({ path }) => path.endsWith("auth/login"))?.body).toBe(
      "account=you%40example.com&password=long+enough",
    );
    expect(localStorage.getItem("exchange2508Token")).toBe("secret");
    expect(JSON.parse(localStorage.getItem("loginState") ?? "")).toEqual({
      userInfo,
      loginAddress: "/pages/index/index",
    });
  });

  it("logs a member in who went to another screen meanwhile, and leaves them there", async () => {
    const userInfo = { userId: "usr_1", wallet: "practice", access_token: "secret" };
    answers.set("/client/auth/login", { code: 200, msg: "", data: { access_token: "secret", expiresAt: 1, userInfo } });
    const button = await open();
    fireEvent.change(screen.getByRole("textbox", { name: "E-mail" }), { target: { value: "you@example.com" } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "long enough" } });
    fireEvent.click(button);
    navigateTo("/pages/market/index");
    await vi.waitFor(() => expect(localStorage.getItem("exchange2508Token")).toBe("secret"));
    await vi.waitFor(() => expect(button).toHaveProperty("disabled", false));
    expect(currentPlace().href).toBe("/pages/market/index");
  });

  it("shows the server's message when it refuses", async () => {
    answers.set("/client/auth/login", { code: 422, msg: "Wrong account or password", data: {} });
    const button = await open();
    fireEvent.change(screen.getByRole("textbox", { name: "E-mail" }), { target: { value: "you@example.com" } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "wrong one" } });
    fireEvent.click(button);
    expect(await screen.findByText("Wrong account or password")).toBeTruthy();
    expect(localStorage.getItem("exchange2508Token")).toBeNull();
  });

  it("asks for a second factor if the server does, and sends the same login again with it", async () => {
    const required = {
      error: "SECOND_FACTOR_REQUIRED",
      params: { means: "totp,recovery" },
    };
    answers.set("/client/auth/login", { code: 422, msg: "Enter a code", data: required });
    const button = await open();
    expect(screen.queryByLabelText("Code from your app or recovery code")).toBeNull();
    fireEvent.change(screen.getByRole("textbox", { name: "E-mail" }), { target: { value: "you@example.com" } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "long enough" } });
    fireEvent.click(button);
    const code = await screen.findByLabelText("Code from your app or recovery code");
    expect(screen.queryByRole("button", { name: "Use a passkey" })).toBeNull();
    const wrong = { ...required, error: "SECOND_FACTOR_WRONG", fields: { secondFactor: "That is not right" } };
    answers.set("/client/auth/login", { code: 422, msg: "That is not right", data: wrong });
    fireEvent.change(code, { target: { value: "123456" } });
    fireEvent.click(button);
    await vi.waitFor(() => expect(code.getAttribute("aria-invalid")).toBe("true"));
    expect(sent.filter(({ path }) => path.endsWith("auth/login")).map(({ body }) => body)).toEqual([
      "account=you%40example.com&password=long+enough",
      "account=you%40example.com&password=long+enough&secondFactor=123456",
    ]);
    expect(localStorage.getItem("exchange2508Token")).toBeNull();
  });
});
