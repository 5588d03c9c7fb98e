// @vitest-environment jsdom
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { I18nProvider } from "@lingui/react";
import { Stepper } from "@fairtick/ui";
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { amountWriting } from "../shared/amount-writing.ts";
import { activateAllWords, i18n } from "../shared/i18n.ts";
import { CodeField } from "./CodeField.tsx";
import { PasswordInput } from "./PasswordInput.tsx";

const SOURCE = join(import.meta.dirname, "..");

/** Returns the opening tags of components in all screens, each with its file. */
function tagsOf(names: readonly string[]): { readonly file: string; readonly tag: string }[] {
  return globSync("**/*.tsx", { cwd: SOURCE })
    .filter((file) => !/\.(test|stories)\./.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(SOURCE, file), "utf8");
      return [...text.matchAll(new RegExp(`<(?:${names.join("|")})\\b`, "g"))].map(({ index }) => ({
        file,
        tag: tagAt(text, index),
      }));
    });
}

/** Returns a tag up to its closing `>`; one inside braces is an arrow or a comparison. */
function tagAt(text: string, start: number): string {
  let depth = 0;
  for (let place = start; place < text.length; place += 1) {
    const sign = text[place];
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    if (sign === ">" && depth === 0) return text.slice(start, place + 1);
  }
  throw new Error("a tag without an end");
}

describe("the input fields of the screens", () => {
  it("use the one field for amounts for every amount, price and quantity, and the numeric keyboard for minutes", () => {
    const names = (tags: ReturnType<typeof tagsOf>) =>
      [...new Set(tags.map(({ file }) => file.replace(/.*\//, "")))].toSorted();
    expect(names(tagsOf(["AmountField", "AmountInput"]))).toEqual([
      "AlertForm.tsx",
      "AskSteps.tsx",
      "BankDepositScreen.tsx",
      "CardRow.tsx",
      "ClaimScreen.tsx",
      "LimitField.tsx",
      "LimitRow.tsx",
      "LimitSheet.tsx",
    ]);
    const others = tagsOf(["Field", "input"]).filter(({ tag }) =>
      /(?:label|aria-label)=\{[^]*?t\([^)]*"[a-zA-Z.]*(?:amount|quantity|price|minutes|limitPrice)"/i.test(
        tag.split(/\b(?:wrong|hint|after|value)=/)[0] ?? "",
      ),
    );
    expect(names(others.filter(({ tag }) => !tag.includes("<AmountInput")))).toEqual(["LimitSheet.tsx"]);
    expect(others.filter(({ tag }) => !/inputMode="numeric"|<AmountInput/.test(tag))).toEqual([]);
  });

  it("ask for six digits for the transaction password, and nowhere else", () => {
    const asked = tagsOf(["PasswordInput"]).map(({ file, tag }) => ({
      file: file.replace(/.*\//, ""),
      digits: /\bdigits\b/.test(tag),
      fresh: /\bfresh\b/.test(tag),
    }));
    const count = (file: string) => asked.filter((one) => one.file === file);
    const old = { digits: false, fresh: false };
    const fresh = { digits: false, fresh: true };
    const plain = (file: string) => count(file).map(({ digits, fresh: isNew }) => ({ digits, fresh: isNew }));
    expect(plain("LoginScreen.tsx")).toEqual([old]);
    expect(plain("SecretStep.tsx")).toEqual([fresh, fresh]);
    expect(plain("ForgotScreen.tsx")).toEqual([fresh, fresh]);
    expect(plain("LoginPasswordScreen.tsx")).toEqual([old, fresh, fresh]);
    expect(plain("LeaveSheet.tsx")).toEqual([old]);
    expect(plain("AskView.tsx")).toEqual([{ digits: true, fresh: false }]);
    expect(plain("AllowDevice.tsx")).toEqual([{ digits: true, fresh: false }]);
    expect(plain("TradePasswordScreen.tsx")).toEqual([
      { digits: true, fresh: false },
      old,
      { digits: true, fresh: true },
      { digits: true, fresh: true },
      old,
    ]);
    expect(plain("ExportForm.tsx")).toEqual([old]);
    expect(plain("FreezeRow.tsx")).toEqual([old]);
    expect(plain("use-proof.tsx")).toEqual([old]);
    // A screen that asks for one more has its line above.
    expect(new Set(asked.map(({ file }) => file)).size).toBe(11);
  });
});

describe("a field", () => {
  const shown = (part: ReactNode) => render(<I18nProvider i18n={i18n}>{part}</I18nProvider>);
  const nothing = () => undefined;
  beforeEach(() => activateAllWords("en"));
  afterEach(cleanup);

  it.each([
    ["the login password", {}, "current-password", ""],
    ["a new password", { fresh: true }, "new-password", ""],
    ["the transaction password", { digits: true }, "off", "numeric"],
    ["a new transaction password", { digits: true, fresh: true }, "off", "numeric"],
  ])("of %s has the right autofill and keyboard", (_what, kind, autofill, keyboard) => {
    shown(<PasswordInput label="Secret" value="" onChange={nothing} wrong={undefined} {...kind} />);
    const input = screen.getByLabelText<HTMLInputElement>("Secret");
    expect([input.type, input.getAttribute("autocomplete"), input.getAttribute("inputmode") ?? ""]).toEqual([
      "password",
      autofill,
      keyboard,
    ]);
  });

  it("of a verification code offers the code from the message that brought it", () => {
    shown(
      <CodeField
        purpose="reset"
        channel="email"
        to="a@example.com"
        recipient={() => "a@example.com"}
        value=""
        onChange={nothing}
        wrong={undefined}
      />,
    );
    const input = screen.getByRole("textbox", { name: "Verification code" });
    expect(input.getAttribute("autocomplete")).toBe("one-time-code");
    expect(input.getAttribute("inputmode")).toBe("numeric");
  });

  it("of an order's amount has the numeric keyboard", () => {
    shown(
      <Stepper
        label="Amount"
        writing={amountWriting()}
        lessLabel="Less"
        moreLabel="More"
        value="10.00"
        usual={[]}
        onInput={nothing}
        onStep={nothing}
      />,
    );
    const input = screen.getByRole("textbox", { name: "Amount" });
    expect(input.getAttribute("inputmode")).toBe("decimal");
    expect(input.getAttribute("autocomplete")).toBe("off");
  });
});
