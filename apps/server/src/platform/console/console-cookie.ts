/** Strict: no other site's link or form ever carries it. A `__Host-` name is one that no other host can set or widen. */
const SECURE_NAME = "__Host-operator";
/**
 * Browsers refuse that prefix without https, which a sandbox on the loopback does not have: there the cookie has a plain
 * name and lacks `Secure`, and only programs of the same machine could see it. `live` refuses a console without https.
 */
const PLAIN_NAME = "operator-session";

export function cookieName(consoleUrl: string): string {
  return consoleUrl.startsWith("https:") ? SECURE_NAME : PLAIN_NAME;
}

/** The header's text; a null token takes the cookie away. */
export function cookieOf(consoleUrl: string, token: string | null): string {
  const name = cookieName(consoleUrl);
  const secure = name === SECURE_NAME ? "; Secure" : "";
  const rest = `; Path=/; HttpOnly; SameSite=Strict${secure}`;
  return token === null ? `${name}=; Max-Age=0${rest}` : `${name}=${token}${rest}`;
}

/** The token in a request's cookies; undefined where there is none of the right shape. */
export function tokenOf(header: string | undefined, consoleUrl: string): string | undefined {
  const name = cookieName(consoleUrl);
  for (const part of (header ?? "").split(";")) {
    const [key, value] = part.trim().split("=");
    if (key === name && value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return undefined;
}
