// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { ForgotScreen } from "./ForgotScreen.tsx";

const type = (label: string, value: string) => {
  fireEvent.change(screen.getByLabelText(label, { selector: "input:not([type=radio])" }), { target: { value } });
};

beforeEach(async () => {
  await activateAllWords("en");
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(Response.json({ code: 200, msg: "", data: path.endsWith("region/list") ? [] : {} })),
  );
  navigateTo("/pages/index/ForgetPwd");
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <ForgotScreen />
        </ShownPlace>
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
  type("E-mail", "you@example.com");
  type("Verification code", "135790");
  type("New password", "a quiet harbour");
  type("Confirm password", "a quiet harbour");
  fireEvent.submit(document.querySelector("form")!);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

it("leads to the login once the password is set", async () => {
  await screen.findByText("Successfully updated");
  await vi.waitFor(() => expect(currentPlace().path).toBe("/pages/index/index"));
});

it("leaves a member alone who went to another screen meanwhile", async () => {
  navigateTo("/pages/market/index");
  await screen.findByText("Successfully updated");
  expect(currentPlace().path).toBe("/pages/market/index");
});
