import { canonicalJson, type Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { Release } from "./read-release.ts";

/**
 * Writes this build into the log if the newest release there is a different one. Does so even if no app was built,
 * because verifiers require incidents only after the log's first release.
 */
export async function logRelease(database: Queryable, release: Release, now: Instant): Promise<void> {
  const { app, files, verifier } = release;
  const [newest] = await database.query<{ entry: string }>(
    `SELECT o.entry FROM log_entries l JOIN outbox o USING (outbox_id)
     WHERE l.kind = 'release' AND l.about = '' ORDER BY l.number DESC LIMIT 1`,
  );
  const known = newest === undefined ? null : (JSON.parse(newest.entry) as Pick<Release, "app" | "verifier">);
  if (known?.app === app && known.verifier === verifier) return;
  await database.query("INSERT INTO outbox (kind, entry) VALUES ('release', $1)", [
    canonicalJson({ app, at: now, files, kind: "release", v: 1, verifier }),
  ]);
}
