import { BOARD_LINES_MAX } from "./board.ts";

/** What a witness that keeps no board says with its 404. Any other 404 comes from somebody else, or from another path. */
export const NO_BOARD = "no board is kept here";

/** Length of an answer; 200 lines of the longest postings have about 1.6 MB. */
const PAGE_BYTES_MAX = 4_000_000;

/**
 * Fetches up to BOARD_LINES_MAX lines of a board, starting with number `from`. Returns null if the witness says that it
 * keeps no board. Rejects if there is no answer within `msMax` or it is no page of a board.
 *
 * @param address The witness's address, without a slash at its end
 */
export async function fetchBoardPage(address: string, from: number, msMax: number): Promise<string[] | null> {
  const url = `${address}/board/${from}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(msMax), redirect: "error" });
  const text = await readText(answer, url);
  if (answer.status === 404 && text.trim() === NO_BOARD) return null;
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
  const lines = text.split("\n").slice(0, -1);
  if (lines.length > BOARD_LINES_MAX) throw new Error(`${url} has more than ${BOARD_LINES_MAX} lines`);
  return lines;
}

/** Reads an answer's text, and stops as soon as it is too long: whoever answers could go on for ever. */
async function readText(answer: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > PAGE_BYTES_MAX) throw new Error(`${url} is too long`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
