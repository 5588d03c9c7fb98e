import { fromHex, parsePrice } from "@fairtick/domain";
import type { Instrument, Order, PlacedOrder } from "@fairtick/protocol";
import { formatPosting, formatVerifierKey, makePosting, portableHashes, readRotations } from "@fairtick/transparency";
import { readStoredJson, store } from "../../shared/storage.ts";
import { publicLog } from "../proof/log-reader.ts";
import { pinnedNow } from "../proof/pinned-now.ts";
import { keys, queryClient } from "../queries.ts";
import { sentWish } from "./check-evidence.ts";
import type { KeptEvidence } from "./evidence-shelf.ts";
import { changeChoice, type KeptChoice, readChoice } from "./shelf.ts";

/** Number of addresses kept. */
const BOARDS_MAX = 10;
/** How many of them an order may add. A dishonest house could name any number, to push out those that others keep. */
const NEW_BOARDS_MAX = 3;

/**
 * Prepares what is posted to the witnesses' boards if the house doesn't acknowledge the reveal, and what the service
 * worker judges its acknowledgement with. Stores both with the choice, so that nothing has to be fetched from the house
 * by then. Without a valid signed answer there is nothing to post.
 */
export async function keepPosting(
  { member, clientOrderId, wishes }: KeptEvidence,
  order: Order,
  acceptance: PlacedOrder["acceptance"],
): Promise<void> {
  const choice = await readChoice(clientOrderId);
  if (choice === undefined) return;
  const sealed = choiceOf(choice, order.symbol);
  if (sealed !== null) await keepJudging(clientOrderId, sealed.limitPrice).catch(() => undefined);
  if (acceptance === null) return;
  const asked = { member, wishes: wishes.map((wish) => sentWish(wish, clientOrderId)) };
  const posting = sealed && makePosting(portableHashes, asked, order, acceptance, sealed);
  const boards = await readBoards();
  if (posting === null || boards.length === 0) return;
  const body = formatPosting(posting);
  const witnesses = (await pinnedNow()).witnessKeys.map(formatVerifierKey);
  const rotations = await readRotationsText();
  const brought = rotations === null ? {} : { rotations };
  await changeChoice(clientOrderId, (kept) => ({ ...kept, posting: { body, boards, witnesses, ...brought } }));
}

/** Stores the pinned acceptance keys, which the service worker can't read. */
async function keepJudging(clientOrderId: string, limitPrice: bigint | null): Promise<void> {
  const { acceptanceKeys } = await pinnedNow();
  const limitPoints = limitPrice === null ? null : String(limitPrice);
  const judging = { keys: acceptanceKeys.map(formatVerifierKey), limitPoints };
  await changeChoice(clientOrderId, (kept) => ({ ...kept, judging }));
}

/** Returns the choice with its limit price in points; null if it can't be parsed. */
function choiceOf({ direction, limitPrice, nonce }: KeptChoice, symbol: string) {
  const bytes = fromHex(nonce);
  const instruments = queryClient.getQueryData<Instrument[]>(keys.instruments);
  const decimals = instruments?.find((each) => each.symbol === symbol)?.decimals;
  const points = limitPrice === null || decimals === undefined ? null : parsePrice(limitPrice, decimals);
  if (bytes === null || (limitPrice !== null && points === null)) return null;
  return { direction, limitPrice: points, nonce: bytes };
}

/**
 * Returns the addresses of boards that the house names now or named before, since a dishonest house could name none. First come
 * those beside a pinned witness's key, one for each, then those known earlier, then a few new ones.
 */
async function readBoards(): Promise<readonly string[]> {
  const before = addressesOf(readStoredJson("fairtickBoards"));
  try {
    const bytes = await publicLog.read("witnesses");
    const { witnesses = [] } = JSON.parse(new TextDecoder().decode(bytes ?? undefined)) as { witnesses?: Named[] };
    const pinned = (await pinnedNow()).witnessKeys.map(formatVerifierKey);
    const watching = pinned.flatMap((key) => boardsOf(witnesses.filter((each) => each.key === key)).slice(0, 1));
    const known = new Set([...watching, ...before]);
    const fresh = [...new Set(boardsOf(witnesses))].filter((board) => !known.has(board));
    const boards = [...known, ...fresh.slice(0, NEW_BOARDS_MAX)].slice(0, BOARDS_MAX);
    store("fairtickBoards", JSON.stringify(boards));
    return boards;
  } catch {
    return before;
  }
}

/**
 * Returns the log's rotations as text; null if there are none. A witness judges postings by the acceptance key of its start, and
 * learns a later one only from these.
 */
async function readRotationsText(): Promise<string | null> {
  try {
    const rotations = await readRotations(publicLog);
    return rotations.length === 0 ? null : JSON.stringify(rotations);
  } catch {
    return null;
  }
}

/** A witness as the house names it. */
interface Named {
  readonly key?: unknown;
  readonly board?: unknown;
}

function boardsOf(witnesses: readonly Named[]): readonly string[] {
  return addressesOf(witnesses.map(({ board }) => board));
}

function addressesOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.filter((each): each is string => typeof each === "string" && /^https?:\/\//.test(each));
}
