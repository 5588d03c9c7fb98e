import type { Output, userSetSettings, userSettings } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { currentLanguage, risesInRed } from "../shared/i18n.ts";

import { readStoredJson, store } from "../shared/storage.ts";
import { reportFailure } from "./failures.ts";
import { sessionToken } from "./session.ts";
import { ask } from "./transport.ts";

export type Settings = Output<typeof userSettings>;

const DEFAULTS: Settings = {
  theme: "system",
  textSize: "100",
  priceColours: "auto",
  sounds: false,
  haptics: true,
  confirmOrders: true,
  sealUntilEnd: false,
  notifications: false,
};

function readSettings(): Settings {
  const stored = readStoredJson("fairtickSettings");
  return typeof stored === "object" && stored !== null ? { ...DEFAULTS, ...stored } : DEFAULTS;
}

let settings = readSettings();
const watchers = new Set<() => void>();

/** Puts theme, text size and price colours on the document; everything else follows by tokens. */
export function applySettings(): void {
  const root = document.documentElement;
  if (settings.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = settings.theme;
  root.style.setProperty("--text-scale", String(Number(settings.textSize) / 100));
  const red = settings.priceColours === "auto" ? risesInRed(currentLanguage().code) : settings.priceColours === "redUp";
  root.dataset["rise"] = red ? "red" : "green";
}

function set(next: Settings): void {
  settings = next;
  store("fairtickSettings", JSON.stringify(next));
  applySettings();
  for (const watcher of watchers) watcher();
}

export function useSettings(): Settings {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => settings,
  );
}

/** The settings in force, read outside of drawing. */
export function currentSettings(): Settings {
  return settings;
}

/** Takes a change back, but for what was changed again since. */
function withoutChange(now: Settings, change: Partial<Settings>, before: Settings): Settings {
  const names = (Object.keys(change) as (keyof Settings)[]).filter((name) => now[name] === change[name]);
  return { ...now, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}

/** Changes settings here at once, and for a member on the server too. */
export function changeSettings(change: Partial<Settings>): void {
  const before = settings;
  set({ ...settings, ...change });
  if (sessionToken() === null) return;
  ask<typeof userSetSettings>("user/setSettings", change).catch((error: unknown) => {
    set(withoutChange(settings, change, before));
    reportFailure(error);
  });
}

/** Takes over what the server keeps for the member, after a login or at the start. */
export async function loadSettings(): Promise<void> {
  const before = settings;
  const kept = await ask<typeof userSettings>("user/settings", {});
  // What was changed while the answer was on its way is newer than the answer.
  if (settings === before) set({ ...settings, ...kept });
}

/** A short tick in the hand, or buzzes and pauses in milliseconds, where the member has not switched it off and the phone has one. */
export function haptic(pattern: readonly number[] = [10]): void {
  if (settings.haptics && "vibrate" in navigator) navigator.vibrate([...pattern]);
}
