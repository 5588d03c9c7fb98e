/**
 * A signer that a test lets die: `node crash-child.ts <entry> <moment>`, the settings in the environment as the signer's own
 * process has them. It dies where it writes its first entry of that kind: `before` it, with half of it (`torn`), or `after` it
 * and before anybody has the answer.
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
