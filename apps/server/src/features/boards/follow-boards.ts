import { setImmediate } from "node:timers/promises";
import { equalBytes, type Instant, type MemberId, type OrderId, type Points, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  BOARD_LINES_MAX,
  type BoardReveal,
  fetchBoardPage,
  hashPosting,
  parseVerifierKey,
  type PostedHashes,
  readBoardLine,
  type VerifierKey,
} from "@fairtick/transparency";
import type { Context } from "../../platform/context.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import type { WitnessSetting } from "../../platform/witness-settings.ts";
import type { RevealDesk } from "../orders/index.ts";
import { readNow, storeRead, storeSilent } from "./board-readings.ts";

/** How often boards are read. A verifier accepts a settlement without a reveal for only a minute after it was posted. */
const EVERY_MS = 5_000;
const ANSWER_MS_MAX = 5_000;
/** How much of a board one round reads: a witness that lies could go on for ever. The next round goes on from there. */
const PAGES_MAX = 10;
const ROUND_MS_MAX = 10_000;

type Following = Pick<Context, "databases" | "log" | "config"> & { readonly reveals: RevealDesk };

interface Board {
  /** Its witness's key as the settings have it, which names it in `board_readings`. */
  readonly name: string;
  readonly url: string;
  readonly key: VerifierKey;
  /**
   * Number of the first line that wasn't read. A restart reads all of them again, which doesn't change orders that are already
   * revealed.
   */
  read: number;
  /** Commitments of the orders that its lines opened. An order has one line, so a second one counts for nothing. */
  readonly opened: Set<string>;
}

function boardsOf(witnesses: readonly WitnessSetting[]): Board[] {
  return witnesses.flatMap(({ url, key }): Board[] => {
    const verifier = parseVerifierKey(key);
    return verifier === null ? [] : [{ name: key, url, key: verifier, read: 0, opened: new Set() }];
  });
}

/** Returns the boards that are read, as `board_readings` names them. */
export function boardNames(witnesses: readonly WitnessSetting[]): string[] {
  return boardsOf(witnesses).map(({ name }) => name);
}

/**
 * Reads reveals from the boards of all configured witnesses, until stopped. Members post their reveals there if they can't
 * reach the house. Each board has rounds of its own, so none waits for another. Settlement reads in `board_readings` how far
 * each board was read.
 */
export function followBoards(context: Following): Rounds {
  const failed = "a witness's board could not be read";
  const followed = boardsOf(context.config.witnesses).map((board) =>
    startRounds({ log: context.log, everyMs: EVERY_MS, failed }, () => readBoard(context, board)),
  );
  return {
    async stop() {
      await Promise.all(followed.map((rounds) => rounds.stop()));
    },
  };
}

/**
 * Takes new lines of a board, and stores that all were taken or that it didn't answer. If a round doesn't reach the end,
 * neither is stored, since the missing lines may be reveals. But lines that open no order are no answer. Rejects without an
 * answer.
 */
async function readBoard(context: Following, board: Board): Promise<void> {
  const database = context.databases.orders;
  // Taken before the board is asked: a line that it gets meanwhile may not be in its answer.
  const askedAt = await readNow(database);
  const told = board.opened.size;
  const until = performance.now() + ROUND_MS_MAX;
  let next = board.read;
  for (let pages = 0; pages < PAGES_MAX && performance.now() < until; pages += 1) {
    const lines = await fetchBoardPage(board.url, next, ANSWER_MS_MAX).catch(async (error: unknown) => {
      await storeSilent(database, board.name, askedAt);
      throw error;
    });
    for (const line of lines ?? []) {
      // A reveal that can't be stored is the house's own failure: the board isn't read as far as that.
      await takeLine(context, board, next, line);
      next += 1;
    }
    if (lines === null || lines.length < BOARD_LINES_MAX) return storeRead(database, board.name, askedAt);
  }
  if (board.opened.size > told) return;
  await storeSilent(database, board.name, askedAt);
  throw new Error(`${board.key.name}: lines that open nothing, up to number ${next}`);
}

/** Takes the line with number `n`. Only a line that the witness signed under this number counts as read. */
async function takeLine(context: Following, board: Board, n: number, line: string): Promise<void> {
  // Checking a signature takes a while, and whoever runs the board decides how many there are: let others have a turn.
  await setImmediate();
  const told = readBoardLine(line, [board.key]);
  if (told?.n !== n) return;
  const hashes = hashPosting(nodeHashes, told.posting);
  if (await isOfBatch(context, told, hashes)) {
    await takeReveal(context, told, hashes);
    board.opened.add(toHex(hashes.commitment));
  }
  board.read = n + 1;
}

/**
 * Returns whether a posting leads to the root of the batch that it names. That says as much as a signature over the root,
 * also if the key was rotated meanwhile. A witness that lies could sign any numbers, also some that no order can have.
 */
async function isOfBatch({ databases }: Following, { posting }: BoardReveal, { root }: PostedHashes): Promise<boolean> {
  if (root === null || posting.place >= posting.accepted) return false;
  const [batch] = await databases.orders.query<{ root: Uint8Array }>(
    "SELECT root FROM acceptance_batches WHERE batch_no = $1",
    [posting.batch],
    "boards_find_batch",
  );
  return batch !== undefined && equalBytes(batch.root, root);
}

interface FoundRow {
  readonly order_id: OrderId;
  readonly member_id: MemberId;
  readonly seal: Uint8Array | null;
}

/** Stores a posted reveal if it opens the seal of the unrevealed order at its place in the batch. */
async function takeReveal(
  { databases, reveals, log }: Following,
  { posting, at: postedAt }: BoardReveal,
  hashes: PostedHashes,
): Promise<void> {
  const { acceptedAt, batch, place } = posting;
  const [order] = await databases.orders.query<FoundRow>(
    `SELECT order_id, member_id, seal FROM orders
     WHERE accepted_at = $1 AND batch_no = $2 AND batch_place = $3
       AND NOT EXISTS (SELECT FROM reveals r WHERE r.order_id = orders.order_id)`,
    [acceptedAt, batch, place],
    "boards_find_order",
  );
  const seal = order?.seal ?? null;
  if (order === undefined || seal === null || !equalBytes(hashes.seal, seal)) return;
  const at = await reveals.store({
    orderId: order.order_id,
    memberId: order.member_id,
    nonce: posting.sealNonce,
    direction: posting.direction,
    limitPrice: posting.limitPrice as Points | null,
    postedAt: postedAt as Instant,
  });
  log.info({ batch, place, at: String(at) }, "stored a reveal from a witness's board");
}
