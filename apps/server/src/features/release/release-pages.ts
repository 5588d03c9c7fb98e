import { RELEASE_PATH, type LogReader } from "@fairtick/transparency";
import type { FastifyInstance } from "fastify";
import type { Context } from "../../platform/context.ts";
import { type LoggedEntry, openLoggedEntries } from "../receipts/index.ts";
import type { Release } from "./read-release.ts";

/**
 * Adds the page `/log/release`: the list of what this build serves, with the log's entry that hashes it and the proof.
 * Answers 404 until a published checkpoint contains the entry.
 */
export function addReleasePage(
  app: FastifyInstance,
  { databases }: Pick<Context, "databases">,
  files: LogReader,
  release: Release,
): void {
  app.get(`/log/${RELEASE_PATH}`, async (_request, reply) => {
    const entries = await openLoggedEntries(databases.reader, files);
    const logged = await entries.findNotAfter("release", BigInt(Number.MAX_SAFE_INTEGER));
    void reply.header("access-control-allow-origin", "*").header("cache-control", "public, max-age=1, must-revalidate");
    if (logged === null || logged.proof === null || !isOf(logged, release)) {
      return reply.code(404).type("text/plain; charset=utf-8").send("not in the log\n");
    }
    return reply.send({ entry: logged.entry, list: release.list, proof: logged.proof });
  });
}

/** Returns whether an entry is about this build. Another build may have been started on another machine since. */
function isOf({ entry }: LoggedEntry, { app, verifier }: Release): boolean {
  const told = JSON.parse(entry) as Pick<Release, "app" | "verifier">;
  return told.app === app && told.verifier === verifier;
}
