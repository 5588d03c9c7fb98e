import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { SignerProblem } from "./key.ts";

const digits = v.pipe(v.string(), v.regex(/^[0-9]{1,78}$/));
const paymentText = v.object({
  id: v.string(),
  chain: digits,
  genesis: v.string(),
  token: v.string(),
  to: v.string(),
  amount: digits,
  expiry: digits,
});

const entry = v.variant("t", [
  /** A payment that may be signed. Until one is signed, a later one for the same withdrawal replaces an earlier one. */
  v.object({
    t: v.literal("authorized"),
    at: v.number(),
    digest: v.string(),
    payment: paymentText,
    how: v.picklist(["automatic", "operators"]),
    keys: v.array(v.string()),
  }),
  /**
   * A payment that was never signed and may no longer be signed. If it is final, its withdrawal has ended and is never
   * authorized again.
   */
  v.object({
    t: v.literal("retracted"),
    at: v.number(),
    id: v.string(),
    digest: v.string(),
    final: v.optional(v.literal(true)),
  }),
  v.object({
    t: v.literal("signed"),
    at: v.number(),
    id: v.string(),
    digest: v.string(),
    genesis: v.string(),
    nonce: v.number(),
    attempt: v.number(),
    maxFee: digits,
    priorityFee: digits,
    hash: v.string(),
    raw: v.string(),
  }),
  v.object({
    t: v.literal("key"),
    at: v.number(),
    keyId: v.string(),
    publicKey: v.string(),
    operator: v.string(),
    by: v.nullable(v.string()),
    signature: v.nullable(v.string()),
  }),
  /** A key that is no longer trusted. `by` is the operator who revoked it, according to the server. */
  v.object({ t: v.literal("revoked"), at: v.number(), keyId: v.string(), by: v.string() }),
  /** A step of a deposit's way to the paying wallet: `gas` sent to its address, or its tokens collected from there. */
  v.object({
    t: v.literal("sweep"),
    at: v.number(),
    id: v.string(),
    step: v.picklist(["gas", "collect"]),
    genesis: v.string(),
    from: v.string(),
    to: v.string(),
    amount: digits,
    nonce: v.number(),
    attempt: v.number(),
    maxFee: digits,
    priorityFee: digits,
    hash: v.string(),
    raw: v.string(),
  }),
  v.object({ t: v.literal("alarm"), at: v.number(), text: v.string() }),
]);
export type JournalEntry = v.InferOutput<typeof entry>;

/** Everything the signer has done, in order. It is the signer's only memory; nothing else counts as having happened. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Returns once the entry is on the disk. */
  append(entry: JournalEntry): void;
  close(): void;
}

/**
 * Opens `journal.jsonl`. A last line that a power cut left incomplete is removed, because the call that it records was
 * never answered. Any other unreadable line stops the signer, which must not forget what it signed. Only one process at
 * a time can open it.
 */
export function openJournal(folder: string, write: (file: number, bytes: Uint8Array) => number = writeSync): Journal {
  const release = lock(folder);
  const file = join(folder, "journal.jsonl");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
  const entries = whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line, place) => {
      try {
        return v.parse(entry, JSON.parse(line));
      } catch {
        release();
        throw new SignerProblem(`${file} cannot be read at line ${place + 1}. Put back the journal as it was.`);
      }
    });
  const descriptor = openSync(file, "a", 0o600);
  let torn = false;
  syncFolder(folder);
  return {
    entries,
    append(added) {
      if (torn) throw new SignerProblem(`${file} has a torn line. Make room on its disk and start the signer again.`);
      const line = Buffer.from(`${JSON.stringify(added)}\n`);
      const { size } = fstatSync(descriptor);
      torn = true;
      try {
        for (let done = 0; done < line.length; done += write(descriptor, line.subarray(done)));
        fsyncSync(descriptor);
      } catch (error) {
        // Nothing may be appended to an incomplete line. The call that it records was never answered.
        ftruncateSync(descriptor, size);
        torn = false;
        throw error;
      }
      torn = false;
      entries.push(added);
    },
    close() {
      closeSync(descriptor);
      release();
    },
  };
}

/** Syncs a folder, which stores the names of its new files. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Locks the folder. Two signers with the same key but separate journals could sign one nonce twice. */
function lock(folder: string): () => void {
  const file = join(folder, "signer.pid");
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const descriptor = openSync(file, "wx", 0o600);
      writeSync(descriptor, String(process.pid));
      closeSync(descriptor);
      return () => {
        unlinkSync(file);
      };
    } catch {
      const pid = Number(readFileSync(file, "utf8"));
      if (isAlive(pid)) throw new SignerProblem(`Another signer (process ${pid}) is using ${folder}. Stop it first.`);
      unlinkSync(file);
    }
  }
  throw new SignerProblem(`${file} cannot be written.`);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // The process id may belong to another program by now.
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("signer");
  } catch {
    return true;
  }
}
