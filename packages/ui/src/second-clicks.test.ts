// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { refuseSecondClicks } from "./second-clicks.ts";

let pressed: string[];
let clock = 1_000;

/** What lies under the pointer from now on: a button of this name. */
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
  // jsdom draws nothing: all there is lies under the pointer.
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

it.each(["mouse", "touch"] as const)("refuses a second click by %s on what came in between", (pointerType) => {
  show("place");
  press(pointerType, 0);
  show("leave");
  press(pointerType, 120, pointerType === "mouse" ? 2 : 1);
  expect(pressed).toEqual(["place"]);
});

it("takes each click on what stays, however quick", () => {
  show("more");
  press("mouse", 0);
  press("mouse", 90, 2);
  press("mouse", 90, 3);
  press("touch", 90);
  expect(pressed).toEqual(["more", "more", "more", "more"]);
});

it("takes a click of its own on what came in between", () => {
  show("place");
  press("touch", 0);
  show("leave");
  press("touch", 400);
  show("place");
  press("mouse", 100);
  expect(pressed).toEqual(["place", "leave", "place"]);
});

it("takes a keyboard's", () => {
  show("place");
  press("touch", 0);
  show("leave");
  press("touch", 100, 0);
  expect(pressed).toEqual(["place", "leave"]);
});
