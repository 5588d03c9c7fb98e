import type { DrawingTool } from "../../../components/chart/drawing-list.ts";
import { DOCK_TABS, type DockTab } from "../layout-store.ts";

/** The relevant part of a KeyboardEvent. */
export interface Pressed {
  readonly key: string;
  /** The key's position on the keyboard, whatever its label: "KeyU", "Digit1". */
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether the key is held down. */
  readonly repeat: boolean;
}

/** What a key does in the workspace. */
export type DeskAct =
  | { readonly kind: "search" | "favourite" | "indicators" | "focusStake" | "shortcuts" | "nextPanel" }
  | { readonly kind: "undo" | "redo" | "remove" | "previousPanel" }
  | { readonly kind: "move" | "step"; readonly by: 1 | -1 }
  | { readonly kind: "duration"; readonly place: number }
  | { readonly kind: "choose"; readonly direction: "up" | "down"; readonly atOnce: boolean }
  | { readonly kind: "draw"; readonly tool: Exclude<DrawingTool, "text"> }
  | { readonly kind: "tab"; readonly tab: DockTab };

const NAMED: Readonly<Record<string, DeskAct>> = {
  "/": { kind: "search" },
  "?": { kind: "shortcuts" },
  "+": { kind: "step", by: 1 },
  "=": { kind: "step", by: 1 },
  "-": { kind: "step", by: -1 },
  "−": { kind: "step", by: -1 },
  ArrowUp: { kind: "move", by: -1 },
  ArrowDown: { kind: "move", by: 1 },
  Delete: { kind: "remove" },
  Backspace: { kind: "remove" },
};

const LETTERS: Readonly<Record<string, DeskAct>> = {
  f: { kind: "favourite" },
  s: { kind: "focusStake" },
  i: { kind: "indicators" },
  t: { kind: "draw", tool: "trend" },
  h: { kind: "draw", tool: "horizontal" },
  v: { kind: "draw", tool: "vertical" },
  r: { kind: "draw", tool: "rectangle" },
  g: { kind: "draw", tool: "fibonacci" },
  m: { kind: "draw", tool: "measure" },
};

const DIRECTIONS = { u: "up", d: "down" } as const;
const DURATIONS_MAX = 7;

/**
 * Returns what a key press does outside text fields; null for nothing. If the keyboard lacks a key or has another
 * character on it, the key's position counts: Cyrillic or Hangul letters, and the digits of a French keyboard. No act
 * places an order by itself: `choose` opens the confirm step, and `atOnce` counts only if the member has turned that
 * off.
 */
export function actOfDeskKey(pressed: Pressed): DeskAct | null {
  const { key, shiftKey, altKey } = pressed;
  if (pressed.ctrlKey || pressed.metaKey) return altKey ? null : controlAct(pressed);
  if (altKey) return tabAct(pressed);
  if (key === "F6") return { kind: shiftKey ? "previousPanel" : "nextPanel" };
  const named = NAMED[key];
  if (named !== undefined) return named;
  const letter = letterOf(pressed);
  if (letter !== null) return letterAct(letter, pressed);
  const digit = digitOf(pressed);
  return digit !== null && digit <= DURATIONS_MAX ? { kind: "duration", place: digit } : null;
}

function letterAct(letter: string, { shiftKey, repeat }: Pressed): DeskAct | null {
  if (letter === "u" || letter === "d") {
    // A held key would choose again and again.
    return repeat ? null : { kind: "choose", direction: DIRECTIONS[letter], atOnce: shiftKey };
  }
  return shiftKey ? null : (LETTERS[letter] ?? null);
}

function controlAct(pressed: Pressed): DeskAct | null {
  const letter = letterOf(pressed);
  if (letter === "z") return { kind: pressed.shiftKey ? "redo" : "undo" };
  return letter === "y" && !pressed.shiftKey ? { kind: "redo" } : null;
}

/** With Alt, a digit key may produce another character, so its position counts. */
function tabAct(pressed: Pressed): DeskAct | null {
  const digit = /^Digit([1-9])$/.exec(pressed.code)?.[1];
  const tab = digit === undefined || pressed.shiftKey ? undefined : DOCK_TABS[Number(digit) - 1];
  return tab === undefined ? null : { kind: "tab", tab };
}

/** Returns a key's Latin letter: the typed one, or by its position if the keyboard has other letters. */
function letterOf({ key, code }: Pressed): string | null {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const isOther = key.length === 1 && key > "\u007F";
  return (isOther || key === "Process" ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined) ?? null;
}

function digitOf({ key, code, shiftKey }: Pressed): number | null {
  if (/^[1-9]$/.test(key)) return Number(key);
  const placed = /^Digit([1-9])$/.exec(code)?.[1];
  return placed === undefined || shiftKey ? null : Number(placed);
}
