import { isIPv4, isIPv6 } from "node:net";

/** The subject for unreadable addresses: a proxy may write `unknown` or another name. */
const UNKNOWN = "unknown";

/**
 * Returns the customer behind an address, which is the subject of every limit by address: an IPv4 address as it is,
 * IPv6 by its /64, since a single customer is given all of it. An IPv4-mapped address counts as IPv4. Ports, brackets
 * and zones are ignored. Anything that isn't an address is `unknown`.
 */
export function clientAddress(written: string): string {
  const text = withoutPort(written.trim());
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return UNKNOWN;
  const groups = groupsOf(text);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** Removes brackets, port and zone: `[::1]:443`, `203.0.113.7:443`, `fe80::1%eth0`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  const address = bracketed ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return address.split("%")[0] ?? address;
}

/** Returns the eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(address)?.[0];
  const hex = dotted === undefined ? address : address.slice(0, -dotted.length) + hexOf(dotted);
  const [head = "", tail] = hex.split("::");
  const front = numbersOf(head);
  const back = numbersOf(tail ?? "");
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  return [...front, ...Array.from({ length: zeros }, () => 0), ...back];
}

function numbersOf(groups: string): number[] {
  return groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));
}

function hexOf(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function bytesOf(group: number): [number, number] {
  return [group >> 8, group & 0xff];
}
