/**
 * These functions decide what the log keeps of a refused request. Its sender chooses path and headers and might put a member's
 * e-mail address or phone number there.
 */

const HOST_LENGTH_MAX = 60;
const UNREADABLE = "unreadable";

/** Decodes a path as the router does. */
export function decodedPath(url: string): string {
  if (!url.includes("%")) return url;
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** Returns the first two parts of a path if they are letters, and never its query. */
export function shownPath(url: string): string {
  return /^(?:\/+[A-Za-z.-]{1,40}(?=[/?#]|$)){0,2}/.exec(decodedPath(url))?.[0] || "/";
}

/** Returns a Host header cut to 60 characters, or `unreadable` if it isn't a name. */
export function shownHost(host: string | undefined): string {
  if (host === undefined) return "none";
  return /^[A-Za-z0-9.:[\]-]+$/.test(host) ? host.slice(0, HOST_LENGTH_MAX) : UNREADABLE;
}

/** Returns the host of an Origin header, without any user name or password in it. */
export function shownOrigin(origin: string | undefined): string {
  if (origin === undefined) return "cross-site";
  if (origin === "null") return origin;
  return URL.canParse(origin) ? shownHost(new URL(origin).host) : UNREADABLE;
}
