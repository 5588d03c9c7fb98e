import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findPython } from "@fairtick/testkit/python";
import { formatPolicy, type VerifierPolicy } from "@fairtick/transparency";

const PROGRAM = resolve(import.meta.dirname, "../../../../../packages/transparency/independent/fairtick_verify.py");

export interface PythonAnswer {
  readonly exitCode: number | null;
  readonly lines: readonly string[];
}

/** Runs the second verifier, which shares no code with this project. */
export async function runPython(args: readonly string[]): Promise<PythonAnswer> {
  const child = spawn(findPython(), [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const exitCode = await new Promise<number | null>((settle, reject) => {
    child.on("error", reject).on("close", settle);
  });
  return { exitCode, lines: Buffer.concat(chunks).toString().trimEnd().split("\n") };
}

/** What the second verifier says about one receipt; `unread` if it can't be read as a receipt. */
export interface PythonVerdict {
  readonly state: "ok" | "failed" | "pending" | "unread";
  readonly why: string;
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Verifies many receipts in one Python process, each given as its file's text. Returns the verdicts in the same order.
 */
export async function verifyInPython(
  folder: string,
  receipts: readonly string[],
  policy: VerifierPolicy,
): Promise<PythonVerdict[]> {
  const paths = receipts.map((text, place) => {
    const path = join(folder, `receipt-${place}.json`);
    writeFileSync(path, text);
    return path;
  });
  const { lines } = await runPython(["verify-receipt", "--json", "--keys", writeKeys(folder, policy), ...paths]);
  return lines.map((line) => JSON.parse(line) as PythonVerdict);
}

/** Writes a log's files as a copy of the log. Returns the folder. */
export function writeLog(folder: string, files: ReadonlyMap<string, Uint8Array>): string {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

/** Writes the pinned keys in the form that both verifiers read. Returns the file. */
export function writeKeys(folder: string, policy: VerifierPolicy): string {
  const path = join(folder, "fairtick.keys");
  writeFileSync(path, `${formatPolicy(policy).join("\n")}\n`);
  return path;
}
