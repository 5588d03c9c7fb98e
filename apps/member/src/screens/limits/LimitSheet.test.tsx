// @vitest-environment jsdom
import { SheetFrame, Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LimitName, Limits } from "../../data/limits.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { LimitSheet } from "./LimitSheet.tsx";

const LIMITS = { dailyLoss: null, dailyStake: null, sessionMinutes: null, pending: [] } as unknown as Limits;
const REFUSED = "Enter a valid value";

let sent: Record<string, string>[] = [];

beforeEach(async () => {
  sent = [];
  vi.stubGlobal("fetch", (url: string, { body }: RequestInit) => {
    if (!url.endsWith("user/setLimits")) return new Promise(() => {});
    const fields = Object.fromEntries(new URLSearchParams(body as string));
    sent.push(fields);
    const wrong = Object.fromEntries(Object.keys(fields).map((name) => [name, REFUSED]));
    return Promise.resolve(Response.json({ code: 422, msg: REFUSED, data: { error: "FIELD_INVALID", fields: wrong } }));
  });
  await activateAllWords("en");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ["sessionMinutes", "Minutes", "1,440", "1440"],
  ["dailyLoss", "Limit in USD", "50", "50"],
] as const)(
  "shows at the field why %s is refused, until it is changed",
  async (name: LimitName, label, typed, value) => {
    render(
      <I18nProvider i18n={i18n}>
        <SheetFrame value={document.body}>
          <LimitSheet name={name} limits={LIMITS} onClose={() => {}} />
        </SheetFrame>
        <Toasts />
      </I18nProvider>,
    );
    const field = () => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`), { selector: "input" });
    await waitFor(field);
    fireEvent.change(field(), { target: { value: typed } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sent).toEqual([{ [name]: value }]));
    await waitFor(() => expect(field().getAttribute("aria-invalid")).toBe("true"));
    expect(
      document.getElementById(field().getAttribute("aria-describedby")?.split(" ").at(-1) ?? "")?.textContent,
    ).toBe(REFUSED);
    fireEvent.change(field(), { target: { value: "10" } });
    expect(field().hasAttribute("aria-invalid")).toBe(false);
  },
);
