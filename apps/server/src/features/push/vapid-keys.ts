import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import webPush from "web-push";
import { makeIfMissing } from "../../platform/key-file.ts";

/** The key that identifies this deployment to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const stored = v.object({
  publicKey: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{87}$/)),
  privateKey: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)),
});

/** Opens the key in `dataDir/push`, or creates it. With another key, every browser would have to subscribe again. */
export function openVapidKeys(dataDir: string): VapidKeys {
  const path = join(dataDir, "push", "vapid.json");
  makeIfMissing(path, () => `${JSON.stringify(webPush.generateVAPIDKeys())}\n`);
  return v.parse(stored, JSON.parse(readFileSync(path, "utf8")));
}
