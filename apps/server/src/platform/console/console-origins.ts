import { isIP } from "node:net";

/** The origin at which browsers give passkeys to the console, and the name that these are bound to. */
export interface PasskeyParty {
  readonly rpId: string;
  readonly origin: string;
}

/**
 * Follows from CONSOLE_URL: its host is the name. Browsers give none to a bare address, but for the loopback's one:
 * that console answers as `localhost` too. Null where no browser would give any: another address, or a name without https.
 */
export function passkeyParty(consoleUrl: string): PasskeyParty | null {
  const { protocol, hostname, port, origin } = new URL(consoleUrl);
  if (hostname === "localhost") return { rpId: hostname, origin };
  if (isLoopback(hostname)) {
    return { rpId: "localhost", origin: `${protocol}//localhost${port === "" ? "" : `:${port}`}` };
  }
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  return isName && protocol === "https:" ? { rpId: hostname, origin } : null;
}

/** Origins of the console's own pages. */
export function ownOrigins(consoleUrl: string): readonly string[] {
  const { origin } = new URL(consoleUrl);
  const party = passkeyParty(consoleUrl);
  return party === null || party.origin === origin ? [origin] : [origin, party.origin];
}

function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
