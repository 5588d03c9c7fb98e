import { readFile } from "node:fs/promises";
import { parsePolicy } from "../policy-text.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";

/**
 * Reads pinned keys from a file in the format of `parsePolicy`. Throws an Error if there is no file or a line is wrong.
 */
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
