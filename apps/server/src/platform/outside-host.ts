import { isIP } from "node:net";
import { isInside } from "./inside-networks.ts";

/** Returns a URL's host in the one form in which hosts can be compared: without port, brackets or the dot at a name's end. */
export function hostOf(address: string): string {
  const host = plainHost(new URL(address).hostname);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  // An IPv4 address in the form of IPv6 reaches the same machine.
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((by) => (bits >>> by) & 0xff).join(".");
}

/** Returns a host name in the form of `hostOf`. */
export function plainHost(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "");
}

/**
 * Returns whether a host is surely none of the house's: not this machine, its network, one of its own names, or a name above or
 * below one of those. All hosts are in the form of `hostOf`. Which names beside its own the house has can't be told: one
 * provider's customers have names beside each other, too.
 */
export function isOutsideHost(host: string, own: readonly string[]): boolean {
  const family = isIP(host);
  if (family !== 0) return !own.includes(host) && !isInside(host, family === 6 ? 6 : 4);
  // A name without a dot is one of the house's network.
  if (!host.includes(".") || host.endsWith(".localhost")) return false;
  const names = own.map((name) => name.replace(/^www\./, ""));
  return !names.some((name) => name === host || host.endsWith(`.${name}`) || name.endsWith(`.${host}`));
}
