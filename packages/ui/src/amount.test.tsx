// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { AmountInput } from "./amount.tsx";
import { ENGLISH } from "./story-writing.ts";

afterEach(cleanup);

/** The value in the form, which can differ from what the field shows. */
let typed = "";

function Amount() {
  const [value, setValue] = useState("");
  const take = (next: string) => {
    typed = next;
    setValue(next);
  };
  return <AmountInput aria-label="Amount" writing={ENGLISH} value={value} onInput={take} />;
}

const field = () => screen.getByRole<HTMLInputElement>("textbox");

/** Sends an input event as a browser does, with the field's new text, the caret's position and the kind of input. */
function write(value: string, how: InputEventInit, caret = value.length): void {
  const input = field();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, value);
  input.setSelectionRange(caret, caret);
  fireEvent(input, new InputEvent("input", { bubbles: true, ...how }));
}

/** Types a character at the caret. */
function press(key: string): void {
  const { value, selectionStart } = field();
  const at = selectionStart ?? value.length;
  write(value.slice(0, at) + key + value.slice(at), { inputType: "insertText", data: key }, at + 1);
}

function start(): void {
  render(<Amount />);
  field().focus();
}

it("groups thousands during typing, and keeps the caret after the typed digit", () => {
  start();
  for (const key of "1234567.5") press(key);
  expect([field().value, typed]).toEqual(["1,234,567.5", "1234567.5"]);
  field().setSelectionRange(1, 1);
  press("9");
  expect([field().value, typed, field().selectionStart]).toEqual(["19,234,567.5", "19234567.5", 2]);
  press("8");
  expect([field().value, field().selectionStart]).toEqual(["198,234,567.5", 3]);
});

it("removes its own group signs together with the digits they separated", () => {
  start();
  for (const key of "1234") press(key);
  write("1,23", { inputType: "deleteContentBackward" });
  expect([field().value, typed]).toEqual(["123", "123"]);
});

it("never mistakes a typed or pasted sign for one of its own", () => {
  start();
  for (const key of "1234") press(key);
  // The pasted text replaces everything but begins in the same way.
  write("1,50", { inputType: "insertFromPaste", data: "1,50" });
  expect([field().value, typed]).toEqual(["1,50", "1,50"]);
  fireEvent.blur(field());
  expect([field().value, typed]).toEqual(["1.50", "1.50"]);
  write("", { inputType: "deleteContentBackward" });
  for (const key of "12,5") press(key);
  expect([field().value, typed]).toEqual(["12,5", "12,5"]);
});

it("groups an amount again when digits are pasted into it", () => {
  start();
  for (const key of "1234") press(key);
  write("1,99234", { inputType: "insertFromPaste", data: "99" });
  expect([field().value, typed]).toEqual(["199,234", "199234"]);
});

it("leaves text that is not an amount as it was typed", () => {
  start();
  for (const key of "ten") press(key);
  fireEvent.blur(field());
  expect([field().value, typed]).toEqual(["ten", "ten"]);
});

/** Presses Ctrl and a letter. Returns whether the browser's own undo was prevented. */
function control(key: string, held: KeyboardEventInit = {}): boolean {
  return !fireEvent.keyDown(field(), { key, ctrlKey: true, ...held });
}

it("undoes and redoes typing even though thousands were grouped in between", () => {
  start();
  for (const key of "12345") press(key);
  write("99", { inputType: "insertFromPaste", data: "99" });
  for (const key of "00") press(key);
  expect(field().value).toBe("9,900");
  expect(control("z")).toBe(true);
  expect([field().value, typed]).toEqual(["99", "99"]);
  control("z");
  expect([field().value, typed]).toEqual(["12,345", "12345"]);
  control("z");
  control("z");
  expect([field().value, typed]).toEqual(["", ""]);
  control("y");
  control("Z", { shiftKey: true });
  expect(field().value).toBe("99");
  press("1");
  control("y");
  expect(field().value).toBe("991");
});

it("goes through its own history by the browser's menu too, whatever the browser put back", () => {
  start();
  for (const key of "1234") press(key);
  write("99", { inputType: "insertFromPaste", data: "99" });
  // A browser restores the text that it remembers: as the last key left it, before the thousands were grouped.
  write("1,2345", { inputType: "historyUndo" });
  expect([field().value, typed]).toEqual(["1,234", "1234"]);
  write("", { inputType: "historyRedo" });
  expect([field().value, typed]).toEqual(["99", "99"]);
  write("1234", { inputType: "historyUndo" });
  write("12", { inputType: "historyUndo" });
  expect([field().value, typed]).toEqual(["", ""]);
  // Or it restores what the app had written, so that nothing changes at first.
  for (const key of "12345") press(key);
  write("12,345", { inputType: "historyUndo" });
  expect([field().value, typed]).toEqual(["", ""]);
  // There is nothing left to undo.
  write("123", { inputType: "historyUndo" });
  expect([field().value, typed]).toEqual(["", ""]);
});

it("takes back what it wrote itself when the field was left, and leaves other keys to the browser", () => {
  start();
  for (const key of "12,5") press(key);
  fireEvent.blur(field());
  expect(field().value).toBe("12.5");
  control("z");
  expect(field().value).toBe("");
  expect(control("a")).toBe(false);
  expect(control("z", { altKey: true })).toBe(false);
  expect(control("z", { ctrlKey: false })).toBe(false);
});
