import { lookup } from "node:dns";
import { Agent } from "node:https";
import type { LookupFunction } from "node:net";
import { isInside } from "../../platform/inside-networks.ts";

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
