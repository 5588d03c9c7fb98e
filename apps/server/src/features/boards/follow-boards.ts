import { equalBytes, type MemberId, type OrderId, type Points } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  BOARD_LINES_MAX,
  hashPosting,
  parseVerifierKey,
  type Posting,
  readBoardLine,
  type VerifierKey,
} from "@fairtick/transparency";
import type { Context } from "../../platform/context.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import type { RevealDesk } from "../orders/index.ts";

/** How often boards are read. A verifier accepts a settlement without a reveal for only a minute after it was posted. */
const EVERY_MS = 5_000;
const ANSWER_MS_MAX = 5_000;
const PAGE_LENGTH_MAX = 2_000_000;

type Following = Pick<Context, "databases" | "log" | "config"> & { readonly reveals: RevealDesk };

interface Board {
  readonly url: string;
  readonly key: VerifierKey;
  /** How many lines were read. A restart reads all of them again, which doesn't change orders that are already revealed. */
  read: number;
}

/**
 * Reads reveals from the boards of all configured witnesses, until stopped. Members post their reveals there if they can't
 * reach the house. A board that doesn't answer doesn't delay the others.
 */
export function followBoards(context: Following): Rounds {
  const boards = context.config.witnesses.flatMap(({ url, key }): Board[] => {
    const verifier = parseVerifierKey(key);
    return verifier === null ? [] : [{ url, key: verifier, read: 0 }];
  });
  const failed = "a witness's board could not be read";
  return startRounds({ log: context.log, everyMs: EVERY_MS, failed }, async () => {
    const rounds = await Promise.allSettled(boards.map((board) => takeNewReveals(context, board)));
    const broken = rounds.find((round) => round.status === "rejected");
    if (broken !== undefined) throw broken.reason;
  });
}

/** Reads the new lines of a board. Rejects if it doesn't answer. A witness without a board (404) has no lines. */
async function takeNewReveals(context: Following, board: Board): Promise<void> {
  for (;;) {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const answer = await fetch(`${board.url}/board/${board.read}`, { signal, redirect: "error" });
    const text = await answer.text();
    if (answer.status === 404) return;
    if (!answer.ok || text.length > PAGE_LENGTH_MAX) throw new Error(`${board.key.name}: HTTP ${answer.status}`);
    const lines = text.split("\n").slice(0, -1);
    for (const line of lines) {
      const told = readBoardLine(line, [board.key]);
      if (told !== null) await takeReveal(context, told.posting);
      board.read += 1;
    }
    if (lines.length < BOARD_LINES_MAX) return;
  }
}

interface FoundRow {
  readonly order_id: OrderId;
  readonly member_id: MemberId;
  readonly seal: Uint8Array | null;
}

/** Stores a posted reveal if it opens the seal of the unrevealed order at its place in the batch. */
async function takeReveal({ databases, reveals, log }: Following, posting: Posting): Promise<void> {
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
  });
  log.info({ batch, place, at: String(at) }, "stored a reveal from a witness's board");
}
