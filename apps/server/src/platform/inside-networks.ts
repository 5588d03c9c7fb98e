import { BlockList } from "node:net";

/** Addresses of this machine and of private networks. */
const INSIDE = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  INSIDE.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  INSIDE.addSubnet(net, prefix, "ipv6");

/**
 * Returns whether an address belongs to this machine or a private network. Members must not make the server connect there, and a
 * witness there is the house's own.
 */
export function isInside(address: string, family: 4 | 6): boolean {
  return INSIDE.check(address, family === 6 ? "ipv6" : "ipv4");
}
