// @vitest-environment jsdom
import { SheetFrame, Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { SecondFactorScreen } from "./SecondFactorScreen.tsx";

/** What the authenticator does when it is asked for a passkey. */
const authenticator = vi.hoisted(() => ({ make: (): Promise<unknown> => Promise.resolve({}) }));
vi.mock("@simplewebauthn/browser", () => ({ startRegistration: () => authenticator.make() }));

const answers: Record<string, unknown> = {
  "secondFactor/status": { totp: null, passkeys: [], recoveryCodesLeft: 0, passkeyOrigin: location.origin },
  "secondFactor/startPasskey": {},
  "secondFactor/registerPasskey": { recoveryCodes: ["one-code", "another-code"] },
};
const refuse = (name: string, code?: string) => () =>
  Promise.reject(Object.assign(new Error("as the browser words it"), { name, code }));
const sheet = () => screen.queryByRole("dialog");

beforeEach(async () => {
  authenticator.make = () => Promise.resolve({});
  await activateAllWords("en");
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(Response.json({ code: 200, msg: "", data: answers[path.replace("/client/", "")] ?? {} })),
  );
  navigateTo("/pages/auth/SecondFactor");
  const frame = document.createElement("div");
  document.body.append(frame);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <SheetFrame value={frame}>
          <ShownPlace value={currentPlace()}>
            <SecondFactorScreen />
          </ShownPlace>
        </SheetFrame>
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

async function addPasskey(): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name: "Add a passkey" }));
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "Phone" } });
  fireEvent.change(screen.getByLabelText("Login password"), { target: { value: "a quiet harbour" } });
  fireEvent.submit(sheet()!.querySelector("form")!);
}

it.each([
  ["is canceled", refuse("NotAllowedError"), "No passkey was used. Try again"],
  ["isn't possible here", refuse("NotSupportedError"), "This device or browser can’t do that. Try another one"],
  [
    "is there already",
    refuse("InvalidStateError", "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED"),
    "This device already has one of your passkeys",
  ],
])("says so if the passkey %s, and lets the member try again", async (_, make, words) => {
  authenticator.make = make;
  await addPasskey();
  expect(await screen.findByText(words)).not.toBeNull();
  authenticator.make = () => Promise.resolve({});
  fireEvent.submit(sheet()!.querySelector("form")!);
  await codes();
});

const press = (name: string) => {
  fireEvent.click(screen.getByRole("button", { name }));
};
const codes = () => screen.findByRole("list", { name: "Recovery codes" });

it("shows recovery codes that arrive after the sheet was closed", async () => {
  const made = Promise.withResolvers<unknown>();
  authenticator.make = () => made.promise;
  await addPasskey();
  press("Close");
  await vi.waitFor(() => expect(sheet()).toBeNull());
  made.resolve({});
  await codes();
});

it("keeps recovery codes on the sheet until the member has saved them", async () => {
  await addPasskey();
  await codes();
  press("Close");
  expect(await screen.findByText("Save your codes first. We won’t show them again")).not.toBeNull();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  for (const _ of [1, 2]) {
    history.back();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(screen.queryByText("another-code")).not.toBeNull();
    expect(location.hash).toBe("#/pages/auth/SecondFactor");
  }
  press("I’ve saved them");
  await vi.waitFor(() => expect(sheet()).toBeNull());
});
