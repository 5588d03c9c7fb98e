import { hash } from "node:crypto";
import type { ClientId } from "@fairtick/domain";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the id is one of the app's make, which its key is as it stands. */
function isUuid(id: ClientId): boolean {
  return id.length === 36 && UUID.test(id);
}

/**
 * What a client id is bound by, in the form of a UUID: a UUID by itself, any other id by the first 16 bytes of its SHA-256.
 * The database's `client_key` makes the same.
 */
export function clientKeyOf(id: ClientId): string {
  if (isUuid(id)) return id;
  const hex = hash("sha256", id, "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
