import { hash } from "node:crypto";
import type { ClientId } from "@fairtick/domain";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether the id is a UUID, as our app makes them. Such an id is its own key. */
function isUuid(id: ClientId): boolean {
  return id.length === 36 && UUID.test(id);
}

/**
 * Returns the UUID under which a client id is stored: the id itself if it is a UUID, otherwise the first 16 bytes of its
 * SHA-256. The database function `client_key` does the same.
 */
export function clientKeyOf(id: ClientId): string {
  if (isUuid(id)) return id;
  const hex = hash("sha256", id, "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
