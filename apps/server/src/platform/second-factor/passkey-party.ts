import { isIP } from "node:net";

/** The origin at which browsers give passkeys to us, and the name that these are bound to. */
export interface PasskeyParty {
  readonly rpId: string;
  readonly origin: string;
}

/**
 * Tells where passkeys work from the address of the console or of the app: its host is the name. Browsers give none to a
 * bare address, except for the loopback's one: that server answers as `localhost` too. Null where no browser would give
 * any: another address, or a name without https.
 */
export function passkeyParty(url: string): PasskeyParty | null {
  const { protocol, hostname, port, origin } = new URL(url);
  if (hostname === "localhost") return { rpId: hostname, origin };
  if (isLoopback(hostname)) {
    return { rpId: "localhost", origin: `${protocol}//localhost${port === "" ? "" : `:${port}`}` };
  }
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  return isName && protocol === "https:" ? { rpId: hostname, origin } : null;
}

function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
