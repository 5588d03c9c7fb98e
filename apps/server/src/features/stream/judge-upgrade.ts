import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isReserved } from "../../platform/http/limit-connections.ts";
import { ownHosts } from "../../platform/http/own-hosts.ts";
import { shownHost, shownOrigin, shownPath } from "../../platform/http/shown-names.ts";
import type { About, SecurityEvent } from "../../platform/security-events.ts";
import type { StreamOptions } from "./stream-server.ts";

export const STREAM_PATH = "/client/stream";

interface Declined {
  /** Status line of the answer. */
  readonly status: string;
  /** Left out if the client did nothing wrong. */
  readonly event?: SecurityEvent;
  readonly about?: About;
}

/** Returns a function that says why a socket may not be opened; null when it may. */
export function createUpgradeJudge({
  publicUrl,
  allowedHosts = [],
}: Pick<StreamOptions, "publicUrl" | "allowedHosts">) {
  const hosts = ownHosts([publicUrl], allowedHosts);
  return (
    request: IncomingMessage,
    { isClosing, isFull }: { readonly isClosing: boolean; readonly isFull: () => boolean },
  ): Declined | null => {
    const { host, origin } = request.headers;
    const turnedAway = (status: string, about: About): Declined => ({ status, event: "request_turned_away", about });
    if (isReserved(request.socket)) return { status: "503 Service Unavailable" };
    if (!hosts(host, request.socket.localAddress))
      return turnedAway("421 Misdirected Request", { reason: "host", what: shownHost(host) });
    if (request.url?.split("?")[0] !== STREAM_PATH)
      return { status: "404 Not Found", event: "path_unknown", about: { path: shownPath(request.url ?? "") } };
    if (!isOwnOrigin(request, publicUrl))
      return turnedAway("403 Forbidden", { reason: "origin", what: shownOrigin(origin) });
    if (isClosing) return { status: "503 Service Unavailable" };
    if (isFull()) return { status: "429 Too Many Requests", event: "limit_hit", about: { path: "stream" } };
    return null;
  };
}

/**
 * Whether a socket is opened by our own page or by a client that isn't a browser. Browsers name the page. Ours is served under
 * the request's own host or, behind a proxy, under the public address.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  return origin.origin === new URL(publicUrl).origin || origin.host === headers.host;
}

/** Refuses a socket with a status line. */
export function decline(stream: Duplex, status: string): void {
  stream.on("error", () => undefined);
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  if (stream instanceof Object && "setTimeout" in stream) (stream as Socket).setTimeout(1_000, () => stream.destroy());
}
