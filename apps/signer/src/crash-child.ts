/**
 * A signer that a test lets crash: `node crash-child.ts <entry> <moment>`, with the settings in the environment as for
 * the signer's own process. It dies when it writes its first journal entry of that kind: `before` the entry, with half
 * of it written (`torn`), or `after` it but before anyone receives the answer.
 */
import { writeSync } from "node:fs";
import type { Instant } from "@fairtick/domain";
import { readSettings } from "./settings.ts";
import { startSigner } from "./start-signer.ts";

const [entry = "", moment = ""] = process.argv.slice(2);

function write(file: number, bytes: Uint8Array): number {
  if (!Buffer.from(bytes).includes(`"t":"${entry}"`)) return writeSync(file, bytes);
  if (moment === "torn") writeSync(file, bytes.subarray(0, bytes.length / 2));
  if (moment === "after") writeSync(file, bytes);
  process.kill(process.pid, "SIGKILL");
  return 0;
}

const signer = await startSigner(readSettings(process.env), { now: () => BigInt(Date.now()) as Instant }, write);
process.send?.(signer.url);
process.on("disconnect", () => process.exit(0));
