import { equalBytes, type Instant, type MemberId, type OrderId, type Points } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  BOARD_LINES_MAX,
  type BoardReveal,
  hashPosting,
  parseVerifierKey,
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
const PAGE_LENGTH_MAX = 2_000_000;

type Following = Pick<Context, "databases" | "log" | "config"> & { readonly reveals: RevealDesk };

interface Board {
  /** Its witness's key as the settings have it, which names it in `board_readings`. */
  readonly name: string;
  readonly url: string;
  readonly key: VerifierKey;
  /** How many lines were read. A restart reads all of them again, which doesn't change orders that are already revealed. */
  read: number;
}

function boardsOf(witnesses: readonly WitnessSetting[]): Board[] {
  return witnesses.flatMap(({ url, key }): Board[] => {
    const verifier = parseVerifierKey(key);
    return verifier === null ? [] : [{ name: key, url, key: verifier, read: 0 }];
  });
}

/** Returns the boards that are read, as `board_readings` names them. */
export function boardNames(witnesses: readonly WitnessSetting[]): string[] {
  return boardsOf(witnesses).map(({ name }) => name);
}

/**
 * Reads reveals from the boards of all configured witnesses, until stopped. Members post their reveals there if they can't
 * reach the house. A board that doesn't answer doesn't delay the others. Settlement reads in `board_readings` how far each
 * board was read.
 */
export function followBoards(context: Following): Rounds {
  const boards = boardsOf(context.config.witnesses);
  const failed = "a witness's board could not be read";
  return startRounds({ log: context.log, everyMs: EVERY_MS, failed }, async () => {
    const rounds = await Promise.allSettled(boards.map((board) => readBoard(context, board)));
    const broken = rounds.find((round) => round.status === "rejected");
    if (broken !== undefined) throw broken.reason;
  });
}

/** Takes all new lines of a board, and stores how far it was read or that it didn't answer. Rejects if it didn't. */
async function readBoard(context: Following, board: Board): Promise<void> {
  const database = context.databases.orders;
  // Taken before the board is asked: a line that it gets meanwhile may not be in its answer.
  const askedAt = await readNow(database);
  for (;;) {
    const lines = await fetchLines(board).catch(async (error: unknown) => {
      await storeSilent(database, board.name, askedAt);
      throw error;
    });
    // A reveal that can't be stored is the house's own failure: the board isn't read as far as that.
    for (const line of lines) {
      const told = readBoardLine(line, [board.key]);
      if (told !== null) await takeReveal(context, told);
      board.read += 1;
    }
    if (lines.length >= BOARD_LINES_MAX) continue;
    await storeRead(database, board.name, askedAt);
    return;
  }
}

/** Fetches the next lines of a board. Rejects if it doesn't answer. A witness without a board (404) has no lines. */
async function fetchLines({ url, key, read }: Board): Promise<string[]> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const answer = await fetch(`${url}/board/${read}`, { signal, redirect: "error" });
  const text = await answer.text();
  if (answer.status === 404) return [];
  if (!answer.ok || text.length > PAGE_LENGTH_MAX) throw new Error(`${key.name}: HTTP ${answer.status}`);
  return text.split("\n").slice(0, -1);
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
  if (order === undefined || seal === null || !equalBytes(hashPosting(nodeHashes, posting).seal, seal)) return;
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
