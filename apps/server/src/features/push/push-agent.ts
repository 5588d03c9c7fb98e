import { lookup } from "node:dns";
import { Agent } from "node:https";
import { BlockList, type LookupFunction } from "node:net";

/**
 * Addresses of this machine and of private networks. Without this block, members could make the server connect to
 * internal hosts.
 */
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

export function isInside(address: string, family: 4 | 6): boolean {
  return INSIDE.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Looks a name up while connecting, and refuses internal addresses. */
const lookupOutside: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (fault, addresses) => {
    if (fault) return done(fault, "", 4);
    const outside = addresses.filter(({ address, family }) => !isInside(address, family === 6 ? 6 : 4));
    const [first] = outside;
    if (first === undefined) return done(new Error(`${hostname} leads to no address outside`), "", 4);
    if (options.all) return done(null, outside);
    return done(null, first.address, first.family);
  });
};

/** Opens the connections to push services. */
export function openPushAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 20, lookup: lookupOutside });
}
