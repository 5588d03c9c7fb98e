import type { Instrument } from "@fairtick/protocol";
import { useEffectEvent, useLayoutEffect } from "react";
import type { ChartController } from "../../../components/chart/chart-controller.ts";
import type { DeskPlace } from "../desk-charts.ts";
import { sendDeskCommand } from "../desk-commands.ts";
import { openDock } from "../dock/dock-open.ts";
import { changeLayout, type Breakpoint } from "../layout-store.ts";
import { actOfDeskKey, type DeskAct } from "./desk-keys.ts";

/** What the keys of a workspace act on. */
export interface KeyScope {
  readonly breakpoint: Breakpoint;
  readonly instrument: Instrument;
  /** The chart that the ticket follows. */
  readonly place: DeskPlace;
  readonly controller: ChartController;
}

/** What keys can do to a chart that covers everything else: a change that nobody sees must not follow from a key. */
const CHART_ACTS: ReadonlySet<DeskAct["kind"]> = new Set(["indicators", "shortcuts", "draw", "undo", "redo", "remove"]);

/**
 * Handles keys while the workspace is open, except under a sheet and, but for F6, in text fields. Over a chart in full
 * screen only the chart's own keys act.
 */
export function useDeskKeys(scope: KeyScope): void {
  const onAct = useEffectEvent((act: DeskAct) => {
    perform(act, scope);
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isTyping(event) || isCovered()) return;
      const act = actOfDeskKey(event);
      if (act === null || !fits(act, event.target) || (isFull() && !CHART_ACTS.has(act.kind))) return;
      event.preventDefault();
      onAct(act);
    };
    addEventListener("keydown", press);
    return () => {
      removeEventListener("keydown", press);
    };
  }, []);
}

/** Returns whether a key belongs to the text field it was pressed in. F6 leads out of one: it types nothing. */
function isTyping({ key, target }: KeyboardEvent): boolean {
  return key !== "F6" && isTypedInto(target);
}

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "radio" && target.type !== "checkbox";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

function isCovered(): boolean {
  return document.querySelector('[role="dialog"]:not([data-ending-style])') !== null;
}

function isFull(): boolean {
  return document.querySelector(".chart-pane[data-full]") !== null;
}

/** Arrow keys belong to the focused element. They move in the watchlist only if nothing is focused. */
function fits(act: DeskAct, target: EventTarget | null): boolean {
  return act.kind !== "move" || target === document.body || target === document.querySelector("main");
}

// oxlint-disable-next-line complexity -- a plain list, one line for each act
function perform(act: DeskAct, { breakpoint, place, controller }: KeyScope): void {
  switch (act.kind) {
    case "search":
    case "favourite":
    case "shortcuts":
      sendDeskCommand(act.kind, null);
      return;
    case "indicators":
      sendDeskCommand("indicators", place);
      return;
    case "focusStake":
      sendDeskCommand("stake", "focus");
      return;
    case "step":
      sendDeskCommand("stake", act.by);
      return;
    case "move":
      sendDeskCommand("move", act.by);
      return;
    case "duration":
      sendDeskCommand("duration", act.place);
      return;
    case "choose":
      sendDeskCommand("choose", { direction: act.direction, atOnce: act.atOnce });
      return;
    case "draw":
      controller.draw(controller.state().tool === act.tool ? null : act.tool);
      return;
    case "undo":
      controller.undo();
      return;
    case "redo":
      controller.redo();
      return;
    case "remove":
      controller.removeSelected();
      return;
    case "tab":
      changeLayout(breakpoint, { tab: act.tab });
      openDock(breakpoint, true);
      return;
    case "nextPanel":
      focusPanel(1);
      return;
    case "previousPanel":
      focusPanel(-1);
  }
}

/** Focuses the first control of the next panel, continuing with the first panel after the last. */
function focusPanel(step: 1 | -1): void {
  const panels = [...document.querySelectorAll<HTMLElement>(".workspace .panel")];
  const here = panels.findIndex((panel) => panel.contains(document.activeElement));
  const first = step === 1 ? 0 : panels.length - 1;
  const next = panels[here < 0 ? first : (here + step + panels.length) % panels.length];
  next?.querySelector<HTMLElement>('a[href], button:not(:disabled), input, select, [tabindex="0"]')?.focus();
}
