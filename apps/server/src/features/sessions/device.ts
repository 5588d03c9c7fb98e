import { isIPv4 } from "node:net";
import { clientAddress } from "../../platform/client-address.ts";

/** The network a session came from, without its host: `203.0.113.x`, `2001:db8:0:1::/64`. */
export function describePlace(ip: string): string {
  const address = clientAddress(ip);
  return isIPv4(address) ? address.replace(/\.\d+$/, ".x") : address;
}
