/** The cookie is Strict, so that links and forms of other sites never send it. No other host can set a `__Host-` name. */
const SECURE_NAME = "__Host-operator";
/**
 * The name without https, as in a sandbox on the loopback: browsers refuse the prefix there. The cookie then lacks `Secure` too,
 * and only programs on the same machine could see it. `live` refuses a console without https.
 */
const PLAIN_NAME = "operator-session";

export function cookieName(consoleUrl: string): string {
  return consoleUrl.startsWith("https:") ? SECURE_NAME : PLAIN_NAME;
}

/** Returns the text of the Set-Cookie header. A null token removes the cookie. */
export function cookieOf(consoleUrl: string, token: string | null): string {
  const name = cookieName(consoleUrl);
  const secure = name === SECURE_NAME ? "; Secure" : "";
  const rest = `; Path=/; HttpOnly; SameSite=Strict${secure}`;
  return token === null ? `${name}=; Max-Age=0${rest}` : `${name}=${token}${rest}`;
}

/** Finds the token in a request's cookies; undefined if there is none of the right shape. */
export function tokenOf(header: string | undefined, consoleUrl: string): string | undefined {
  const name = cookieName(consoleUrl);
  for (const part of (header ?? "").split(";")) {
    const [key, value] = part.trim().split("=");
    if (key === name && value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return undefined;
}
