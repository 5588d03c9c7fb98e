import { readFile } from "node:fs/promises";
import { COSIGNATURE_TYPE, ED25519_TYPE, parseVerifierKey, type VerifierKey } from "../keys.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";

/**
 * Pinned keys in a text file of one line each: `origin <name>`, `log <verifier key>`, `acceptance <verifier key>`,
 * `witness <verifier key>`, `witnesses <number needed>` (all of them where it is left out). Empty lines and lines after
 * `#` count for nothing. Throws an Error that names the line.
 */
export async function readPolicy(path: string): Promise<VerifierPolicy> {
  return parsePolicy(await readFile(path, "utf8"));
}

export function parsePolicy(text: string): VerifierPolicy {
  const keys = { log: [] as VerifierKey[], acceptance: [] as VerifierKey[], witness: [] as VerifierKey[] };
  let origin: string | undefined;
  let needed: number | undefined;
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    const [word, value, ...rest] = line.trim().split(/\s+/);
    if (word === undefined || word === "" || word.startsWith("#")) continue;
    const fail = () => new Error(`line ${place + 1} of the keys is malformed: ${line}`);
    if (value === undefined || rest.length > 0) throw fail();
    if (word === "origin") origin = value;
    else if (word === "witnesses" && /^[0-9]{1,3}$/.test(value)) needed = Number(value);
    else if (word === "log" || word === "acceptance" || word === "witness") {
      const key = parseVerifierKey(value);
      if (key?.type !== (word === "witness" ? COSIGNATURE_TYPE : ED25519_TYPE)) throw fail();
      keys[word].push(key);
    } else throw fail();
  }
  if (origin === undefined || keys.log.length === 0) throw new Error("the keys name no origin or no log key");
  const witnessesNeeded = needed ?? keys.witness.length;
  return { origin, logKeys: keys.log, acceptanceKeys: keys.acceptance, witnessKeys: keys.witness, witnessesNeeded };
}
