/**
 * What the log may keep of a request that was turned away. Whoever sends one chooses its path and headers, and may put a
 * member's mail address or number there.
 */

const HOST_LENGTH_MAX = 60;
const UNREADABLE = "unreadable";

/** A path as the router will read it. */
export function decodedPath(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** The first two parts of a path, where they are letters; never its query. */
export function shownPath(url: string): string {
  return /^(?:\/+[A-Za-z.-]{1,40}(?=[/?#]|$)){0,2}/.exec(decodedPath(url))?.[0] || "/";
}

/** A Host header, cut to 60 characters; `unreadable` for what is no name. */
export function shownHost(host: string | undefined): string {
  if (host === undefined) return "none";
  return /^[A-Za-z0-9.:[\]-]+$/.test(host) ? host.slice(0, HOST_LENGTH_MAX) : UNREADABLE;
}

/** The host of an Origin header, without what a name or password in it could say. */
export function shownOrigin(origin: string | undefined): string {
  if (origin === undefined) return "cross-site";
  if (origin === "null") return origin;
  return URL.canParse(origin) ? shownHost(new URL(origin).host) : UNREADABLE;
}
