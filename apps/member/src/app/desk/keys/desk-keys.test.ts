import { describe, expect, it } from "vitest";
import { actOfDeskKey, type Pressed } from "./desk-keys.ts";

function press(key: string, more: Partial<Pressed> = {}) {
  const none = { code: "", shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false };
  return actOfDeskKey({ ...none, key, ...more });
}

describe("a key of the workspace", () => {
  it.each([
    ["/", { kind: "search" }],
    ["?", { kind: "shortcuts" }],
    ["ArrowDown", { kind: "move", by: 1 }],
    ["f", { kind: "favourite" }],
    ["1", { kind: "duration", place: 1 }],
    ["7", { kind: "duration", place: 7 }],
    ["s", { kind: "focusStake" }],
    ["+", { kind: "step", by: 1 }],
    ["=", { kind: "step", by: 1 }],
    ["-", { kind: "step", by: -1 }],
    ["i", { kind: "indicators" }],
    ["t", { kind: "draw", tool: "trend" }],
    ["g", { kind: "draw", tool: "fibonacci" }],
    ["Delete", { kind: "remove" }],
    ["F6", { kind: "nextPanel" }],
  ] as const)("%s does one thing", (key, act) => {
    expect(press(key)).toEqual(act);
  });

  it("chooses a direction, at once only with Shift, and once for a held key", () => {
    expect(press("u", { code: "KeyU" })).toEqual({ kind: "choose", direction: "up", atOnce: false });
    expect(press("D", { code: "KeyD", shiftKey: true })).toEqual({ kind: "choose", direction: "down", atOnce: true });
    expect(press("u", { code: "KeyU", repeat: true })).toBeNull();
  });

  it("never places an order by itself: no act does", () => {
    for (const key of "abcdefghijklmnopqrstuvwxyz0123456789/?+-=".split(""))
      for (const shiftKey of [false, true]) expect(press(key, { shiftKey })?.kind).not.toBe("place");
    expect(press("Enter")).toBeNull();
  });

  it("reads a key by its position if the keyboard has other letters", () => {
    // Cyrillic and Hangul letters, and the digits of a French keyboard.
    expect(press("г", { code: "KeyU" })).toMatchObject({ kind: "choose", direction: "up" });
    expect(press("ㅕ", { code: "KeyU" })).toMatchObject({ kind: "choose", direction: "up" });
    expect(press("&", { code: "Digit1" })).toEqual({ kind: "duration", place: 1 });
    // A German slash and a French minus share their keys with digits; the typed character counts.
    expect(press("/", { code: "Digit7", shiftKey: true })).toEqual({ kind: "search" });
    expect(press("-", { code: "Digit6" })).toEqual({ kind: "step", by: -1 });
    expect(press("&", { code: "Digit7", shiftKey: true })).toBeNull();
  });

  it("switches the dock with Alt, undoes with Ctrl or Cmd, and leaves other combinations to the browser", () => {
    expect(press("¡", { code: "Digit1", altKey: true })).toEqual({ kind: "tab", tab: "positions" });
    expect(press("4", { code: "Digit4", altKey: true })).toEqual({ kind: "tab", tab: "log" });
    expect(press("5", { code: "Digit5", altKey: true })).toBeNull();
    expect(press("z", { code: "KeyZ", ctrlKey: true })).toEqual({ kind: "undo" });
    expect(press("Z", { code: "KeyZ", metaKey: true, shiftKey: true })).toEqual({ kind: "redo" });
    expect(press("u", { code: "KeyU", ctrlKey: true })).toBeNull();
    expect(press("d", { code: "KeyD", altKey: true })).toBeNull();
    expect(press("8")).toBeNull();
  });
});
