import { useEffectEvent, useLayoutEffect } from "react";
import type { DeskPlace } from "./desk-charts.ts";

/** Commands that keys send to parts of the workspace, with their values. The receiving component carries them out. */
export interface DeskCommands {
  /** Focuses the product search. */
  readonly search: null;
  /** Moves this many rows in the watchlist, from the focused one or the product in view. */
  readonly move: 1 | -1;
  /** Marks the focused row's product, or the one in view, as a favourite. */
  readonly favourite: null;
  readonly indicators: DeskPlace;
  /** Shows all keyboard shortcuts. */
  readonly shortcuts: null;
  /** Focuses the stake, or raises or lowers it by one step. */
  readonly stake: "focus" | 1 | -1;
  /** Chooses a duration by its position in the list, from 1. */
  readonly duration: number;
  /** Opens the confirm step; with `atOnce` it places the order where the member has turned confirmation off. */
  readonly choose: { readonly direction: "up" | "down"; readonly atOnce: boolean };
}

type Taker = (value: never) => void;

const takers = new Map<keyof DeskCommands, Set<Taker>>();

/**
 * Receives a command while the component is mounted. A layout effect, so that a key counts from the moment its button
 * can be seen.
 */
export function useDeskCommand<Name extends keyof DeskCommands>(
  name: Name,
  act: (value: DeskCommands[Name]) => void,
): void {
  const latest = useEffectEvent(act);
  useLayoutEffect(() => {
    const known = takers.get(name) ?? new Set();
    takers.set(name, known);
    const take = (value: DeskCommands[Name]) => {
      latest(value);
    };
    known.add(take);
    return () => {
      known.delete(take);
    };
  }, [name]);
}

/** Sends a command to its receivers; nothing happens if there are none. */
export function sendDeskCommand<Name extends keyof DeskCommands>(name: Name, value: DeskCommands[Name]): void {
  for (const take of takers.get(name) ?? []) take(value as never);
}
