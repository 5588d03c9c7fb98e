import { readFile } from "node:fs/promises";
import { parsePolicy } from "../policy-text.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";

/** Pinned keys in a file, as `parsePolicy` reads them. Throws an Error that names the line. */
export async function readPolicy(path: string): Promise<VerifierPolicy> {
  try {
    return parsePolicy(await readFile(path, "utf8"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    throw new Error(
      `no keys are pinned in ${path}: "npx --yes https://host/verifier.tgz keys --log https://host/log > ${path}" takes those of a log`,
      {
        cause: error,
      },
    );
  }
}
