import { isIP } from "node:net";

/** Decides whether a Host header names this server. `localAddress` is the address that the connection came in on. */
export type OwnHosts = (host: string | undefined, localAddress: string | undefined) => boolean;

/**
 * Decides which names this server answers to: the hosts of its own addresses, the names in ALLOWED_HOSTS, `localhost`
 * and the loopback's addresses, and the bare address that the connection itself came in on. This protects against a
 * page of another name whose DNS record was pointed at this machine (DNS rebinding). Ports aren't compared, because the
 * operator may forward one.
 */
export function ownHosts(ownAddresses: readonly (string | null)[], allowedHosts: readonly string[]): OwnHosts {
  const names = new Set([
    "localhost",
    "127.0.0.1",
    "[::1]",
    ...allowedHosts.map((name) => name.toLowerCase()),
    ...ownAddresses.flatMap((address) => (address === null ? [] : [new URL(address).hostname.toLowerCase()])),
  ]);
  return (host, localAddress) => {
    // Nearly every request names the house as it is written here. Parsing an address takes longer than all other guards.
    if (host !== undefined && names.has(host.replace(/:\d{1,5}$/, ""))) return true;
    const name = hostname(host);
    if (name === null) return false;
    if (names.has(name)) return true;
    const bare = name.replace(/^\[|\]$/g, "");
    return isIP(bare) !== 0 && (isLoopback(bare) || bare === plainAddress(localAddress ?? ""));
  };
}

/** Returns the name in a Host header in lower case and without its port; null if it isn't a host. */
function hostname(host: string | undefined): string | null {
  if (host === undefined || !/^[A-Za-z0-9.[\]:_-]{1,255}$/.test(host)) return null;
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** Whether an address is a loopback address, in either IP version. */
export function isLoopback(address: string | undefined): boolean {
  const plain = plainAddress(address ?? "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** Converts an IPv4 address that arrived over an IPv6 socket (`::ffff:10.0.0.1`) to IPv4. */
function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
}
