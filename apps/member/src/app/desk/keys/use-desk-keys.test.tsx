// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { ChartController } from "../../../components/chart/chart-controller.ts";
import { useDeskCommand } from "../desk-commands.ts";
import { useDeskKeys } from "./use-desk-keys.ts";

// Read by a module as it loads; jsdom lacks it.
vi.hoisted(() => {
  vi.stubGlobal("matchMedia", () => new EventTarget());
});

const acts: string[] = [];
const controller = {
  state: () => ({ tool: null }),
  draw: (tool: string) => acts.push(`draw ${tool}`),
  undo: () => acts.push("undo"),
  redo: () => acts.push("redo"),
  removeSelected: () => acts.push("remove"),
} as unknown as ChartController;

function Desk({ isFull }: { readonly isFull: boolean }) {
  useDeskKeys({ breakpoint: "desk", instrument: {} as Instrument, place: "main", controller });
  useDeskCommand("choose", ({ direction, atOnce }) => void acts.push(`${direction}${atOnce ? " at once" : ""}`));
  useDeskCommand("stake", (what) => void acts.push(`stake ${what}`));
  useDeskCommand("duration", (place) => void acts.push(`duration ${place}`));
  useDeskCommand("move", (by) => void acts.push(`move ${by}`));
  useDeskCommand("favourite", () => void acts.push("favourite"));
  useDeskCommand("search", () => void acts.push("search"));
  useDeskCommand("indicators", () => void acts.push("indicators"));
  useDeskCommand("shortcuts", () => void acts.push("shortcuts"));
  return <section className="chart-pane" data-full={isFull || undefined} />;
}

const KEYS = ["u", "d", "U", "s", "+", "3", "ArrowDown", "f", "/", "F6", "i", "?", "t", "Delete"];

function press(): void {
  for (const key of KEYS)
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: key === "U", bubbles: true }));
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true }));
}

afterEach(() => {
  cleanup();
  acts.length = 0;
  vi.restoreAllMocks();
});

it("passes every key to its part of the workspace", () => {
  render(<Desk isFull={false} />);
  press();
  expect(acts.slice(0, 9)).toEqual([
    "up",
    "down",
    "up at once",
    "stake focus",
    "stake 1",
    "duration 3",
    "move 1",
    "favourite",
    "search",
  ]);
  expect(acts.slice(9)).toEqual(["indicators", "shortcuts", "draw trend", "remove", "undo"]);
});

it("passes only the chart's keys on while a chart covers the rest", () => {
  render(<Desk isFull />);
  press();
  expect(acts).toEqual(["indicators", "shortcuts", "draw trend", "remove", "undo"]);
});
