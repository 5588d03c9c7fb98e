import { useSyncExternalStore } from "react";
import { serverNow } from "../shared/server-clock.ts";

/** When the connection to the server was lost; null while it is up. */
export interface Connection {
  readonly lostAt: number | null;
}

let connection: Connection = { lostAt: null };
let isStreamUp = true;
let isOnline = true;
const watchers = new Set<() => void>();

function update(): void {
  const isLost = !isStreamUp || !isOnline;
  if (isLost === (connection.lostAt !== null)) return;
  connection = { lostAt: isLost ? serverNow() : null };
  for (const watcher of watchers) watcher();
}

/** Records that the stream connected or disconnected. */
export function setStreamUp(isUp: boolean): void {
  isStreamUp = isUp;
  update();
}

/** Records whether the device reports a network. A socket may survive a short gap. */
export function setOnline(online: boolean): void {
  isOnline = online;
  update();
}

export function watchConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function connectedNow(): boolean {
  return connection.lostAt === null;
}

/** Calls `watcher` each time the server becomes reachable again. Returns a function that stops it. */
export function onReconnected(watcher: () => void): () => void {
  return watchConnection(() => {
    if (connectedNow()) watcher();
  });
}

export function useConnection(): Connection {
  return useSyncExternalStore(watchConnection, () => connection);
}
