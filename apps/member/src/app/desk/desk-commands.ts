import { useEffect, useRef } from "react";
import type { DeskPlace } from "./desk-charts.ts";

/** What a key asks of other parts of the workspace, and what each is told. Whoever takes it does it themselves. */
export interface DeskCommands {
  /** The product search takes the focus. */
  readonly search: null;
  /** By so many rows in the watchlist, from the focused one or the product in view. */
  readonly move: 1 | -1;
  /** Marks the focused row's product, or the one in view. */
  readonly favourite: null;
  readonly indicators: DeskPlace;
  /** Shows all keys. */
  readonly shortcuts: null;
  /** The stake takes the focus, or goes one step up or down. */
  readonly stake: "focus" | 1 | -1;
  /** By its place among those offered, from 1. */
  readonly duration: number;
  /** Opens the confirm step; with `atOnce` it places the order where the member has turned confirmation off. */
  readonly choose: { readonly direction: "up" | "down"; readonly atOnce: boolean };
}

type Taker = (value: never) => void;

const takers = new Map<keyof DeskCommands, Set<Taker>>();

/** Takes a command as long as the component lives. */
export function useDeskCommand<Name extends keyof DeskCommands>(
  name: Name,
  act: (value: DeskCommands[Name]) => void,
): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  }, [act]);
  useEffect(() => {
    const known = takers.get(name) ?? new Set();
    takers.set(name, known);
    const take = (value: DeskCommands[Name]) => {
      latest.current(value);
    };
    known.add(take);
    return () => {
      known.delete(take);
    };
  }, [name]);
}

/** Sends a command to whoever takes it; nothing happens where nobody does. */
export function sendDeskCommand<Name extends keyof DeskCommands>(name: Name, value: DeskCommands[Name]): void {
  for (const take of takers.get(name) ?? []) take(value as never);
}
