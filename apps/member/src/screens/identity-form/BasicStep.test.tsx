// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Identity } from "../../data/identity.ts";
import { keys, queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { BasicStep } from "./BasicStep.tsx";

const person = { familyName: "Silva", givenName: "Ana", gender: "female", birthDate: "2000-01-31", submittedAt: 0 };
const identity = { state: "unverified", legalAge: 18, person } as unknown as Identity;
const onDone = vi.fn<() => void>();

beforeEach(async () => {
  onDone.mockClear();
  await activateAllWords("en");
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      Response.json({ code: 200, msg: "", data: { ...identity, person: { ...person, submittedAt: 1 } } }),
    ),
  );
  navigateTo("/pages/auth/Auth");
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <BasicStep identity={identity} onDone={onDone} />
        </ShownPlace>
      </QueryClientProvider>
    </I18nProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const send = () => {
  fireEvent.submit(document.querySelector("form")!);
};
const isStored = () =>
  vi.waitFor(() => expect(queryClient.getQueryData(keys.identity)).toMatchObject({ person: { submittedAt: 1 } }));

it("leads on to the documents once the person's details are stored", async () => {
  send();
  await isStored();
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
});

it("leads nobody on who went to another screen meanwhile", async () => {
  send();
  navigateTo("/pages/home/index");
  await isStored();
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Continue" })).toHaveProperty("disabled", false));
  expect(onDone).not.toHaveBeenCalled();
});
