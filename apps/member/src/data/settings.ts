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

/** Applies theme, text size and price colours to the document. Everything else follows through CSS variables. */
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

/** Returns the current settings, for use outside rendering. */
export function currentSettings(): Settings {
  return settings;
}

/** Undoes a change, except for settings that were changed again since. */
function withoutChange(now: Settings, change: Partial<Settings>, before: Settings): Settings {
  const names = (Object.keys(change) as (keyof Settings)[]).filter((name) => now[name] === change[name]);
  return { ...now, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}

/** Changes settings here at once and, for a member, on the server. */
export function changeSettings(change: Partial<Settings>): void {
  const before = settings;
  set({ ...settings, ...change });
  if (sessionToken() === null) return;
  ask<typeof userSetSettings>("user/setSettings", change).catch((error: unknown) => {
    set(withoutChange(settings, change, before));
    reportFailure(error);
  });
}

/** Loads the member's settings from the server, after a login or at the start. */
export async function loadSettings(): Promise<void> {
  const before = settings;
  const kept = await ask<typeof userSettings>("user/settings", {});
  // Changes made while the answer was on its way are newer than the answer.
  if (settings === before) set({ ...settings, ...kept });
}

/** Vibrates briefly, or in the given pattern of buzzes and pauses in ms, if the member allows it and the phone can. */
export function haptic(pattern: readonly number[] = [10]): void {
  if (settings.haptics && "vibrate" in navigator) navigator.vibrate([...pattern]);
}
