import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { largerCheckpoint } from "../checkpoint.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";

/** Age after which the lock file counts as left behind by a run that was killed while writing. */
const ABANDONED_MS = 10_000;
const TURN_MS = 20;

/**
 * Writes the checkpoint to the file unless the file has a larger one. Concurrent runs wait for each other, and readers
 * never see a half-written file. Returns `larger` if the file was left as it is.
 */
export async function keepLarger(path: string, note: string, policy: VerifierPolicy): Promise<"written" | "larger"> {
  const turn = `${path}.turn`;
  await takeTurn(turn);
  try {
    const kept = await readOrNull(path);
    if (largerCheckpoint(kept, note, policy) !== note) return "larger";
    await writeFile(`${path}.new`, note);
    await rename(`${path}.new`, path);
    return "written";
  } finally {
    await rm(turn, { force: true });
  }
}

async function takeTurn(turn: string): Promise<void> {
  for (;;) {
    try {
      await (await open(turn, "wx")).close();
      return;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    const age = await stat(turn).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_MS) await rm(turn, { force: true });
    else await sleep(TURN_MS);
  }
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
