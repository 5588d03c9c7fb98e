import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import webPush from "web-push";

/** The key by which browsers' push services know this deployment (RFC 8292), base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const stored = v.object({
  publicKey: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{87}$/)),
  privateKey: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)),
});

/** The key in `dataDir/push`, made where there is none. With another key every browser would have to subscribe anew. */
export function openVapidKeys(dataDir: string): VapidKeys {
  const folder = join(dataDir, "push");
  const path = join(folder, "vapid.json");
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const fresh = `${path}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(webPush.generateVAPIDKeys())}\n`, { mode: 0o600 });
    renameSync(fresh, path);
  }
  return v.parse(stored, JSON.parse(readFileSync(path, "utf8")));
}
