// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { refuseSecondClicks } from "./second-clicks.ts";

let pressed: string[];
let clock = 1_000;

/** Replaces what is under the pointer with a button of this name. */
function show(name: string): void {
  document.body.innerHTML = `<button><span>${name}</span></button>`;
  document.querySelector("button")?.addEventListener("click", () => pressed.push(name));
}

function press(pointerType: "mouse" | "touch", afterMs: number, count = 1): void {
  clock += afterMs;
  const event = new PointerEvent("click", { bubbles: true, cancelable: true, detail: count, pointerType });
  Object.defineProperty(event, "timeStamp", { value: clock });
  document.querySelector("span")?.dispatchEvent(event);
}

beforeAll(() => {
  // jsdom has no layout, so the only element counts as being under the pointer.
  document.elementFromPoint = () => document.querySelector("span");
  refuseSecondClicks();
});
beforeEach(() => {
  pressed = [];
  clock += 10_000;
});
afterEach(() => {
  document.body.innerHTML = "";
});

it.each(["mouse", "touch"] as const)("ignores a second click by %s on something new", (pointerType) => {
  show("place");
  press(pointerType, 0);
  show("leave");
  press(pointerType, 120, pointerType === "mouse" ? 2 : 1);
  expect(pressed).toEqual(["place"]);
});

it("accepts every click on something that stays, however quick", () => {
  show("more");
  press("mouse", 0);
  press("mouse", 90, 2);
  press("mouse", 90, 3);
  press("touch", 90);
  expect(pressed).toEqual(["more", "more", "more", "more"]);
});

it("accepts a separate click on something new", () => {
  show("place");
  press("touch", 0);
  show("leave");
  press("touch", 400);
  show("place");
  press("mouse", 100);
  expect(pressed).toEqual(["place", "leave", "place"]);
});

it("accepts clicks by keyboard", () => {
  show("place");
  press("touch", 0);
  show("leave");
  press("touch", 100, 0);
  expect(pressed).toEqual(["place", "leave"]);
});
