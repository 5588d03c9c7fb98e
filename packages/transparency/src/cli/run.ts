import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { nodeHashes } from "@fairtick/domain/node";
import { shortRoot } from "../checkpoint.ts";
import type { LogReport } from "../log-report.ts";
import { parseReceipt } from "../receipt.ts";
import type { ReceiptCheck } from "../receipt-evidence.ts";
import { verifyLog } from "../verify-log.ts";
import { overallState, verifyReceipt } from "../verify-receipt.ts";
import { compareServedApp } from "./app-command.ts";
import { readBoard } from "./board-source.ts";
import { findingLine } from "./finding-line.ts";
import { keepLarger } from "./kept-checkpoint.ts";
import { isServed, openLogSource } from "./log-source.ts";
import { followRotations, readRotations } from "../key-rotation.ts";
import { formatVerifierKey } from "../keys.ts";
import type { LogReader } from "../tile-tree.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";
import { formatPolicy, readServedKeys } from "../policy-text.ts";
import { parseRefusedOpenings } from "../refused-openings.ts";
import { readPolicy } from "./policy-file.ts";
import { statisticsLines } from "./statistics-lines.ts";
import { verifyBesideLog } from "./receipt-beside-log.ts";

export const USAGE = `Usage:
  fairtick keys --log <URL> [--keys <file>]
  fairtick verify <receipt.json> [--keys <file>] [--log <URL or folder>]
  fairtick verify --log <URL or folder> [--keys <file>] [--since <saved checkpoint>] [--save <file>] [--refused <file>]
                  [--board <URL or file>]…
  fairtick app <address> [--keys <file>] [--log <URL or folder>]
  fairtick witness --help

"fairtick" stands for "npx --yes https://host/verifier.tgz", with the house's own address in place of https://host.

Keys are pinned by you, in a text file (docs/verification.md), fairtick.keys unless --keys names another. "keys" prints what a
log says its keys are: keep that once, and compare it with what others have; with --keys it prints those that follow from them
by entries of the log, as "verify" does by itself where it is told the log. --save keeps the checkpoint that was examined; given as
--since the next time, a log that was forked or rolled back since is found out, beside all else: everything is examined again.
--refused names a file with refusals that their members opened (docs/verification.md): what they would have come to stands beside
what the accepted orders came to.
A receipt beside --log is also examined by what only the log tells: whether the device that signed the order had been removed.
--board names a witness's address, or a file with the lines of its board: an order whose reveal stands there in time was revealed.
"app" fetches what is served at the address, compares it with the newest release in its log (<address>/log), and names each file
that differs. It reads the log from that release on, to see that no later one is there.
Ends with 0 when everything holds, 1 when something does not, 2 when something is not in the log yet, 3 when it could
not be examined.
`;

const KEYS_FILE = "fairtick.keys";

/** The command's output and exit code. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 2 | 3;
}

/** Runs the command `fairtick`. Throws for a bad command line, unreadable files and an unreachable log. */
export async function run(args: readonly string[], now: () => number = Date.now): Promise<Outcome> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      log: { type: "string" },
      keys: { type: "string" },
      since: { type: "string" },
      save: { type: "string" },
      refused: { type: "string" },
      board: { type: "string", multiple: true, default: [] },
      help: { type: "boolean" },
    },
  });
  const [verb, file, ...rest] = positionals;
  const { log, keys = KEYS_FILE } = values;
  if (values.help === true) return { lines: [USAGE], exitCode: 0 };
  if (verb === "keys" && file === undefined && log !== undefined) return runKeys(log, values.keys);
  if (verb === "app" && file !== undefined && rest.length === 0)
    return runApp(file.replace(/\/+$/, ""), keys, log, now);
  if (verb !== "verify" || rest.length > 0) return { lines: [USAGE], exitCode: 3 };
  if (file !== undefined) return runReceipt(file, keys, log ?? null);
  if (log !== undefined) return runLog({ ...values, log, keys }, now);
  return { lines: [USAGE], exitCode: 3 };
}

/**
 * Prints a log's keys. `keys`: file of pinned keys to follow rotations from; without it, the keys that the log serves.
 */
async function runKeys(log: string, keys: string | undefined): Promise<Outcome> {
  const source = openLogSource(log);
  const policy = keys === undefined ? await readServedKeys(source) : (await follow(source, keys)).policy;
  return { lines: formatPolicy(policy), exitCode: 0 };
}

/** Returns the pinned keys plus those that they rotated to in the log, and a line of output for each of the latter. */
async function follow(log: LogReader, keys: string): Promise<{ policy: VerifierPolicy; lines: readonly string[] }> {
  const { policy, followed } = followRotations(nodeHashes, await readPolicy(keys), await readRotations(log));
  const lines = followed.map(
    ({ role, key, index }) => `${role} ${formatVerifierKey(key)} follows from ${keys} by entry ${index}: pin it, too`,
  );
  return { policy, lines };
}

async function runReceipt(file: string, keys: string, log: string | null): Promise<Outcome> {
  const source = log === null ? null : openLogSource(log);
  const pinned = source === null ? { policy: await readPolicy(keys), lines: [] } : await follow(source, keys);
  const { policy } = pinned;
  const parsed = parseReceipt(JSON.parse(await readFile(file, "utf8")));
  if (!parsed.ok) return { lines: [`This is no receipt: ${parsed.fault}`], exitCode: 3 };
  const { checks, unread } =
    source === null
      ? { checks: verifyReceipt(nodeHashes, parsed.receipt, policy), unread: null }
      : await verifyBesideLog(nodeHashes, parsed.receipt, policy, source);
  const state = overallState(checks);
  const lines = [...pinned.lines, ...checks.map(checkLine)];
  // Without the log, nothing tells whether the device had been removed, so the receipt alone must not pass.
  if (unread !== null && state !== "failed")
    return { lines: [...lines, `not examined: the log's newest checkpoint doesn't count: ${unread}`], exitCode: 3 };
  const verdict = { ok: "VERIFIED", failed: "NOT VERIFIED", pending: "not in the log yet" }[state];
  return { lines: [...lines, verdict], exitCode: exitCodeOf(state) };
}

async function runApp(address: string, keys: string, log: string | undefined, now: () => number): Promise<Outcome> {
  const location = log ?? `${address}/log`;
  const source = openLogSource(location);
  const { policy, lines } = await follow(source, keys);
  const compared = await compareServedApp(address, source, policy, clockFor(location, now));
  return { lines: [...lines, ...compared.lines], exitCode: compared.isSame ? 0 : 1 };
}

/** Returns the reader's clock, ms; null for a copy in a folder, which doesn't grow, so that its age proves nothing. */
function clockFor(location: string, now: () => number): bigint | null {
  return isServed(location) ? BigInt(now()) : null;
}

interface LogWish {
  readonly log: string;
  readonly keys: string;
  /** File with a checkpoint that was saved earlier. */
  readonly since?: string | undefined;
  /** File to save the examined checkpoint in. */
  readonly save?: string | undefined;
  readonly refused?: string | undefined;
  readonly board: readonly string[];
}

async function runLog(wish: LogWish, now: () => number): Promise<Outcome> {
  const { log: location, keys, since, save, refused, board } = wish;
  const source = openLogSource(location);
  const { policy, lines: followed } = await follow(source, keys);
  const before = since === undefined ? null : await readFile(since, "utf8");
  const opened = refused === undefined ? [] : parseRefusedOpenings(await readFile(refused, "utf8"));
  const boards = await Promise.all(board.map((each) => readBoard(each, policy.witnessKeys)));
  const reveals = boards.flatMap((each) => each.reveals);
  const clock = clockFor(location, now);
  const report = await verifyLog(nodeHashes, source, policy, before, clock, { opened, reveals });
  const failed = report.findings.some((finding) => finding.grade === "fault");
  // The next run must not start from a checkpoint that failed verification.
  const kept =
    save !== undefined && !failed && report.note !== null ? await keepLarger(save, report.note, policy) : "written";
  const held = report.waiting > 0 ? "VERIFIED but for the settlements that wait" : "VERIFIED";
  const lines = [
    ...followed,
    ...examinedLines(policy.origin, report),
    ...boards.map(({ line }) => line),
    ...report.findings.map(findingLine),
    ...(kept === "larger"
      ? [`${save} holds a larger checkpoint than this one, and keeps it: compare with it by --since`]
      : []),
    failed ? "NOT VERIFIED" : held,
  ];
  if (failed) return { lines, exitCode: 1 };
  return { lines, exitCode: report.waiting > 0 ? 2 : 0 };
}

/** Formats what was examined, whatever the result. */
function examinedLines(origin: string, report: LogReport): string[] {
  const time = report.cosignedAt === null ? "" : ` at ${new Date(Number(report.cosignedAt)).toISOString()}`;
  const witnesses = report.witnesses.join(", ") || "nobody";
  const root = report.checkpoint === null ? "" : `, root ${shortRoot(report.checkpoint)}`;
  return [
    `${origin}: ${report.checkpoint?.size ?? 0} entries${root}, cosigned by ${witnesses}${time}`,
    `examined ${report.entries} entries: ${report.prices} prices (${report.quotes} with a signed quote), ${report.epochs} epochs, ${report.heads} slot heads, ${report.accepted} acceptances, ${report.refused} refusals`,
    `decided ${report.settled} settlements again; ${report.waiting} wait for prices`,
    ...statisticsLines(report.statistics),
  ];
}

function checkLine(check: ReceiptCheck): string {
  const values = Object.entries(check.values).map(([name, value]) => `${name} ${value}`);
  const why = check.why === undefined ? "" : ` (${check.why})`;
  return `${check.state.padEnd(8)}${check.id}${why}: ${values.join(", ")}`;
}

function exitCodeOf(state: ReceiptCheck["state"]): 0 | 1 | 2 {
  if (state === "ok") return 0;
  return state === "failed" ? 1 : 2;
}
