/** The signer's own process. It holds the paying key and talks only to the server. */
import type { Instant } from "@fairtick/domain";
import { readSettings } from "./settings.ts";
import { startSigner } from "./start-signer.ts";
import { refuseOtherDecimals } from "./token-decimals.ts";

const clock = { now: () => BigInt(Date.now()) as Instant };

/**
 * Reports an enrolled key on the signer's own output, where the server can't write, so that a person can compare it
 * with the owner's browser.
 */
function sayEnrolled(operator: string, keyId: string, isUnvouched: boolean): void {
  const how = isUnvouched ? "without a colleague's signature" : "by a colleague's signature";
  process.stderr.write(`The signer believes the key ${keyId} of ${operator}, ${how}.\n`);
}

function tell(message: object): Promise<boolean> {
  return new Promise((resolve) => {
    if (!process.send) {
      resolve(false);
      return;
    }
    process.send(message, undefined, undefined, (error) => {
      resolve(error === null);
    });
  });
}

try {
  const settings = readSettings(process.env);
  await refuseOtherDecimals(settings.rules);
  const signer = await startSigner(settings, clock, undefined, sayEnrolled);
  const stop = () => {
    void signer.close().then(() => process.exit(0));
  };
  // Ctrl-C in the terminal is handled by the start script, which ends its children in order.
  process.on("SIGTERM", stop);
  process.on("disconnect", stop);
  const where = `${signer.url}, pays from ${signer.address}`;
  if (!process.send) process.stderr.write(`Signer at ${where}\n`);
  await tell({ kind: "ready", places: [{ what: "Signer", where }] });
} catch (error) {
  const sentence = `The signer cannot start. ${error instanceof Error ? error.message : String(error)}`;
  if (!(await tell({ kind: "problem", sentence }))) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
