import { changeEvidence } from "./evidence-shelf.ts";
import { type KeptChoice, readChoice } from "./shelf.ts";

/**
 * Posts reveals to witnesses when the house doesn't acknowledge them, so that it can't claim later that they never
 * came. Used by page and service worker.
 */

/** How long to wait for an acknowledgement. */
const ACKNOWLEDGED_MS_MAX = 3_000;
/** Time until boards that took nothing are tried again. */
const AGAIN_MS = 60_000;
const ANSWER_MS_MAX = 10_000;
const LINE_LENGTH_MAX = 20_000;

/** When an order was first tried, and when its boards may be asked, by this page's clock. */
const firstTry = new Map<string, number>();
const nextPost = new Map<string, number>();

/**
 * Sends a reveal, and posts it to the boards as well if no answer came within 3 s, counted over all tries.
 *
 * @param send Rejects, or returns something for which `isFailed` is true, if nothing was acknowledged
 */
export async function sendOrPost<Answer>(
  choice: KeptChoice,
  send: () => Promise<Answer>,
  isFailed: (answer: Answer) => boolean = () => false,
): Promise<Answer> {
  const { clientOrderId } = choice;
  const began = firstTry.get(clientOrderId) ?? performance.now();
  firstTry.set(clientOrderId, began);
  const leftMs = () => Math.max(0, began + ACKNOWLEDGED_MS_MAX - performance.now());
  const post = () => void postToBoards(choice).catch(() => undefined);
  const timer = setTimeout(post, leftMs());
  try {
    const answer = await send();
    if (isFailed(answer) && leftMs() === 0) post();
    return answer;
  } catch (error) {
    if (leftMs() === 0) post();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Posts to every known board and stores the returned lines with the evidence. Once one board has taken the reveal,
 * none is asked again.
 *
 * @returns How many have taken it
 */
export async function postToBoards(choice: KeptChoice): Promise<number> {
  const { member, clientOrderId } = choice;
  // It may have been prepared since the choice was read.
  const { posting } = (await readChoice(clientOrderId)) ?? choice;
  if (posting === undefined || performance.now() < (nextPost.get(clientOrderId) ?? 0)) return 0;
  nextPost.set(clientOrderId, performance.now() + AGAIN_MS);
  const lines = await Promise.all(posting.boards.map((board) => post(board, posting.body).catch(() => null)));
  const taken = lines.filter((line) => line !== null);
  if (taken.length === 0) return 0;
  nextPost.set(clientOrderId, Infinity);
  await changeEvidence(member, clientOrderId, (kept) => kept && { ...kept, boards: taken });
  return taken.length;
}

/** Posts to one board. Returns its line; null if it didn't take the posting. */
async function post(board: string, body: string): Promise<string | null> {
  const answer = await fetch(`${board}/reveal`, {
    method: "POST",
    body,
    credentials: "omit",
    redirect: "error",
    cache: "no-store",
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const line = (await answer.text()).trim();
  return answer.ok && line.length < LINE_LENGTH_MAX ? line : null;
}
