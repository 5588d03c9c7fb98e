import { useSyncExternalStore } from "react";
import { serverNow } from "../shared/server-clock.ts";

/** Since when nothing comes from the server; null while it does. */
export interface Connection {
  readonly lostAt: number | null;
}

let connection: Connection = { lostAt: null };
const watchers = new Set<() => void>();

function set(lostAt: number | null): void {
  if ((lostAt === null) === (connection.lostAt === null)) return;
  connection = { lostAt };
  for (const watcher of watchers) watcher();
}

/** The stream says that it is up, or that it went down. */
export function setConnected(connected: boolean): void {
  set(connected ? null : serverNow());
}

addEventListener("offline", () => {
  setConnected(false);
});

export function watchConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function connectedNow(): boolean {
  return connection.lostAt === null;
}

export function useConnection(): Connection {
  return useSyncExternalStore(watchConnection, () => connection);
}
