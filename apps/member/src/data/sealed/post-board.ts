import { changeEvidence } from "./evidence-shelf.ts";
import { type KeptChoice, type Posting, readChoice } from "./shelf.ts";

/**
 * Posts reveals to witnesses when the house doesn't acknowledge them, so that it can't claim later that they never
 * came. Used by page and service worker.
 */

/** How long to wait for an acknowledgement. */
const ACKNOWLEDGED_MS_MAX = 3_000;
/** Time until boards that didn't take a reveal are tried again. */
export const POST_AGAIN_MS = 60_000;
const ANSWER_MS_MAX = 10_000;
const LINE_LENGTH_MAX = 20_000;

/** When an order was first tried, and when its boards may be asked, by this page's clock. */
const firstTry = new Map<string, number>();
const nextPost = new Map<string, number>();
/** The line of each board that took an order's reveal. */
const takenBy = new Map<string, Map<string, string>>();

/** Returns whether a board's line proves that the board has a posting. */
export type IsTaken = (line: string, posting: Posting) => boolean | Promise<boolean>;

/** How many boards have taken a reveal, and how many are still to be asked. */
export interface Posted {
  readonly taken: number;
  readonly left: number;
}

/** Refusals that say that a reveal can't open its order. An honest house gives none in time. */
const REFUSED_REVEAL: ReadonlySet<string> = new Set(["REVEAL_LATE", "REVEAL_WRONG", "NOT_FOUND"]);

export function isRefusedReveal(error: string | null): boolean {
  return error !== null && REFUSED_REVEAL.has(error);
}

/**
 * Sends a reveal, and posts it to the boards as well if nothing ended the matter within 3 s, counted over all tries.
 *
 * @param send Rejects if there was no answer
 * @param isEnd Returns whether an answer acknowledges the reveal, or says that there is nothing to reveal
 */
export async function sendOrPost<Answer>(
  choice: KeptChoice,
  isTaken: IsTaken,
  send: () => Promise<Answer>,
  isEnd: (answer: Answer) => boolean | Promise<boolean>,
): Promise<{ readonly answer: Answer; readonly isOver: boolean }> {
  const { clientOrderId } = choice;
  const began = firstTry.get(clientOrderId) ?? performance.now();
  firstTry.set(clientOrderId, began);
  const leftMs = () => Math.max(0, began + ACKNOWLEDGED_MS_MAX - performance.now());
  const post = () => void postToBoards(choice, isTaken).catch(() => undefined);
  const timer = setTimeout(post, leftMs());
  try {
    const answer = await send();
    // The house may take its time to serve the keys, but an honest one that has answered isn't late.
    clearTimeout(timer);
    const isOver = await isEnd(answer);
    if (!isOver && leftMs() === 0) post();
    return { answer, isOver };
  } catch (error) {
    if (leftMs() === 0) post();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Posts to every known board that hasn't taken the reveal yet, and stores the returned lines with the evidence. A
 * board that has taken it isn't asked again. The others are, whatever they answered: the one that took it may be the
 * house's own.
 */
export async function postToBoards(choice: KeptChoice, isTaken: IsTaken): Promise<Posted> {
  const { member, clientOrderId } = choice;
  // It may have been prepared since the choice was read.
  const { posting } = (await readChoice(clientOrderId)) ?? choice;
  if (posting === undefined) return { taken: 0, left: 0 };
  const known = takenBy.get(clientOrderId) ?? new Map<string, string>();
  takenBy.set(clientOrderId, known);
  const untaken = () => posting.boards.filter((board) => !known.has(board));
  if (performance.now() >= (nextPost.get(clientOrderId) ?? 0) && untaken().length > 0) {
    nextPost.set(clientOrderId, performance.now() + POST_AGAIN_MS);
    const lines = await Promise.all(untaken().map((board) => tryBoard(board, posting, isTaken)));
    const fresh = lines.filter((each) => each !== null);
    for (const { board, line } of fresh) known.set(board, line);
    if (fresh.length > 0) await keepLines(member, clientOrderId, [...known.values()]);
  }
  return { taken: known.size, left: untaken().length };
}

/** Adds to the lines that an earlier page may have stored. */
async function keepLines(member: string, clientOrderId: string, lines: readonly string[]): Promise<void> {
  await changeEvidence(
    member,
    clientOrderId,
    (kept) => kept && { ...kept, boards: [...new Set([...(kept.boards ?? []), ...lines])] },
  );
}

/** Posts to one board. Returns its line; null if it didn't take the posting. */
async function tryBoard(
  board: string,
  posting: Posting,
  isTaken: IsTaken,
): Promise<{ board: string; line: string } | null> {
  try {
    let answer = await post(board, "reveal", posting.body);
    // A witness that doesn't know the acceptance key refuses it like a posting that opens nothing.
    if (answer.status === 403 && posting.rotations !== undefined) {
      await post(board, "rotations", posting.rotations);
      answer = await post(board, "reveal", posting.body);
    }
    const line = answer.status === 200 && answer.text.length < LINE_LENGTH_MAX ? answer.text : null;
    return line !== null && (await isTaken(line, posting)) ? { board, line } : null;
  } catch {
    return null;
  }
}

interface BoardAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a text to a page of a board. For a posting, the answer is its line, which nobody has judged yet. */
async function post(board: string, page: "reveal" | "rotations", body: string): Promise<BoardAnswer> {
  const answer = await fetch(`${board}/${page}`, {
    method: "POST",
    body,
    credentials: "omit",
    redirect: "error",
    cache: "no-store",
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  return { status: answer.status, text: (await answer.text()).trim() };
}
