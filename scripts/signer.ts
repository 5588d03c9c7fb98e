import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "@fairtick/server";
import type { PayableChain } from "./chain.ts";

export interface PreparedSigner {
  /** All that the signer's process is told. */
  readonly own: Readonly<Record<string, string>>;
  /** Where the server finds it. */
  readonly ofServer: Readonly<Record<string, string>>;
}

/** A sandbox's signer: it pays on the test chain alone, and a new secret with each start is known to these two. */
export async function prepareSigner(config: Config, payable: PayableChain): Promise<PreparedSigner> {
  const port = await freePort();
  const secret = randomBytes(32).toString("hex");
  return {
    own: {
      SIGNER_PORT: String(port),
      SIGNER_SECRET: secret,
      SIGNER_FOLDER: join(config.dataDir, "signer"),
      SIGNER_RULES: JSON.stringify({ chains: [payable], trustFirstKey: true }),
    },
    ofServer: { SIGNER_URL: `http://127.0.0.1:${port}`, SIGNER_SECRET: secret },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  if (address === null || typeof address === "string") throw new Error("no free port for the signer");
  return address.port;
}
