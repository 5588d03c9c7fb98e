import { COSIGNATURE_TYPE, ED25519_TYPE, formatVerifierKey, parseVerifierKey, type VerifierKey } from "./keys.ts";
import type { LogReader } from "./tile-tree.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

/**
 * Reads the keys that a log serves at `/log/keys`: first its own, named like its origin; then the acceptance keys,
 * whose names begin with it; then its witnesses' keys, and how many of them must cosign. Meant for the first contact
 * only, after which the keys are pinned. Throws if there are none, or if they need more witnesses than they name.
 */
export async function readServedKeys(log: LogReader): Promise<VerifierPolicy> {
  const bytes = await log.read("keys");
  const lines = bytes === null ? [] : new TextDecoder().decode(bytes).split("\n");
  const keys = lines.flatMap((line) => parseVerifierKey(line.trim()) ?? []);
  const origin = keys[0]?.name;
  if (origin === undefined) throw new Error("the log names no keys");
  const signing = keys.filter((key) => key.type === ED25519_TYPE);
  const witnessKeys = keys.filter((key) => key.type === COSIGNATURE_TYPE);
  const witnessesNeeded = readNeeded(lines) ?? witnessKeys.length;
  // Once pinned, no checkpoint would ever count.
  if (witnessesNeeded > witnessKeys.length) throw new Error("the log's keys need more witnesses than they name");
  return {
    origin,
    logKeys: signing.filter((key) => key.name === origin),
    acceptanceKeys: signing.filter((key) => key.name !== origin),
    witnessKeys,
    witnessesNeeded,
  };
}

/** Reads the number in the line `witnesses <number>`, which is only there if not all witnesses must cosign. */
function readNeeded(lines: readonly string[]): number | undefined {
  const [number] = lines.flatMap((line) => /^witnesses ([1-9][0-9]{0,2})$/.exec(line.trim())?.[1] ?? []);
  return number === undefined ? undefined : Number(number);
}

/** Formats a policy as the lines of a file that `parsePolicy` reads. */
export function formatPolicy(policy: VerifierPolicy): string[] {
  const lines = (word: string, keys: readonly VerifierKey[]) => keys.map((key) => `${word} ${formatVerifierKey(key)}`);
  return [
    `origin ${policy.origin}`,
    ...lines("log", policy.logKeys),
    ...lines("acceptance", policy.acceptanceKeys),
    ...lines("witness", policy.witnessKeys),
    ...(policy.witnessesNeeded === policy.witnessKeys.length ? [] : [`witnesses ${policy.witnessesNeeded}`]),
  ];
}

/**
 * Parses pinned keys from lines: `origin <name>`, `log <verifier key>`, `acceptance <verifier key>`, `witness <verifier
 * key>`, `witnesses <number needed>` (all of them if left out). Empty lines and lines that start with `#` are ignored.
 * Throws an Error that names a malformed line, or what contradicts itself.
 */
export function parsePolicy(text: string): VerifierPolicy {
  const read: PolicyLines = { origin: [], needed: [], log: [], acceptance: [], witness: [] };
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    const [word, value, ...rest] = line.trim().split(/\s+/);
    if (word === undefined || word === "" || word.startsWith("#")) continue;
    if (value === undefined || rest.length > 0 || !takeLine(read, word, value))
      throw new Error(`line ${place + 1} of the keys is malformed: ${line}`);
  }
  const { log: logKeys, acceptance: acceptanceKeys, witness: witnessKeys } = read;
  const [origin, secondOrigin] = read.origin;
  const [witnessesNeeded = witnessKeys.length, secondNumber] = read.needed;
  if (origin === undefined || logKeys.length === 0) throw new Error("the keys name no origin or no log key");
  if (secondOrigin !== undefined) throw new Error("the keys name two origins");
  if (secondNumber !== undefined) throw new Error("the keys say twice how many witnesses are needed");
  if (witnessesNeeded > witnessKeys.length) throw new Error("the keys need more witnesses than they name");
  return { origin, logKeys, acceptanceKeys, witnessKeys, witnessesNeeded };
}

interface PolicyLines {
  readonly origin: string[];
  /** How many witnesses must cosign. */
  readonly needed: number[];
  readonly log: VerifierKey[];
  readonly acceptance: VerifierKey[];
  readonly witness: VerifierKey[];
}

/** Adds a line's value to `read`. Returns false if the word is unknown or the value malformed. */
function takeLine(read: PolicyLines, word: string, value: string): boolean {
  if (word === "origin") read.origin.push(value);
  else if (word === "witnesses" && /^(?:0|[1-9][0-9]{0,2})$/.test(value)) read.needed.push(Number(value));
  else if (word === "log" || word === "acceptance" || word === "witness") {
    const key = parseVerifierKey(value);
    if (key?.type !== (word === "witness" ? COSIGNATURE_TYPE : ED25519_TYPE)) return false;
    read[word].push(key);
  } else return false;
  return true;
}
