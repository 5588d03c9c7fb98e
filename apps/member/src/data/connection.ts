import { useSyncExternalStore } from "react";
import { serverNow } from "../shared/server-clock.ts";

/** Since when nothing comes from the server; null while it does. */
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

/** The stream says that it is up, or that it went down. */
export function setStreamUp(isUp: boolean): void {
  isStreamUp = isUp;
  update();
}

/** The phone says whether it has a network at all; a socket may outlive a short gap. */
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

/** Called each time that the server can be reached again. */
export function onReconnected(watcher: () => void): () => void {
  return watchConnection(() => {
    if (connectedNow()) watcher();
  });
}

export function useConnection(): Connection {
  return useSyncExternalStore(watchConnection, () => connection);
}
