import { isIP } from "node:net";

/** The origin at which browsers offer passkeys, and the host name that the passkeys are bound to. */
export interface PasskeyParty {
  readonly rpId: string;
  readonly origin: string;
}

/**
 * Returns where passkeys work, from the address of the console or the app. Its host is the name. Browsers offer none for a bare
 * IP address, except the loopback, whose server answers as `localhost` too. Null for other IP addresses and for a name without
 * https.
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
