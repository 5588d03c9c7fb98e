import {
  type ClientId,
  fromHex,
  type Instant,
  type MicroUsd,
  parseMoney,
  parsePrice,
  parseRate,
  type Rate,
} from "@fairtick/domain";
import {
  type Asked,
  checkAcceptance,
  checkRefusal,
  findAcceptanceKey,
  fromBase64,
  portableHashes,
  type SentWish,
  type VerifierPolicy,
  verifySlotHead,
} from "@fairtick/transparency";
import type { Instrument } from "@fairtick/protocol";
import { keys, queryClient } from "../queries.ts";
import { pinnedNow } from "../proof/pinned-now.ts";
import { tellEvidence } from "./evidence.ts";
import {
  changeEvidence,
  type Found,
  type KeptEvidence,
  type KeptHead,
  type KeptWish,
  readEvidence,
} from "./evidence-shelf.ts";
import { isSignedFor, keptKeys } from "./judge-acknowledgement.ts";
import { isTakenBy, keptWitnesses } from "./judge-board-line.ts";
import type { KeptChoice, Posting } from "./shelf.ts";

/**
 * Checks an answer with the pinned keys. If they can't be fetched, checks what needs no key, and the rest at a later
 * call.
 */
export async function checkAnswer(kept: KeptEvidence): Promise<void> {
  const policy = await pinnedNow().catch(() => null);
  const answered = judgeAnswer(kept, policy);
  if (answered === null) return;
  const changed = await changeEvidence(kept.member, kept.clientOrderId, (known) =>
    known === undefined ? undefined : { ...known, answered },
  );
  if (changed !== undefined) tellEvidence(changed);
}

/** Returns `ok`, the name of the fault, or null if it can't be judged without `policy`. */
export function judgeAnswer(kept: KeptEvidence, policy: VerifierPolicy | null): Found {
  const { member, clientOrderId, wishes, answer } = kept;
  if (answer === null) return null;
  const asked: Asked = { member, wishes: wishes.map((wish) => sentWish(wish, clientOrderId)) };
  const held = policy ?? NO_KEYS;
  if (answer.kind === "refused") {
    const { error, refusal } = answer;
    if (refusal !== null && refusal.reason !== error) return "other-reason";
    return withKeys(checkRefusal(portableHashes, held, asked, refusal), policy);
  }
  const fault = withKeys(checkAcceptance(portableHashes, held, asked, answer, answer.acceptance), policy);
  if (fault !== "ok" || policy === null) return fault;
  if (isRefusedToo(kept, policy)) return "both";
  return wishes.every(({ seen }) => isSignedHead(seen, policy)) ? "ok" : "head";
}

/**
 * Returns whether the house signed an acceptance and a refusal of one and the same request. A retry names newer prices
 * and is another request: an honest house may refuse one and accept the other.
 */
function isRefusedToo(
  { member, clientOrderId, wishes, answer, alsoRefused }: KeptEvidence,
  policy: VerifierPolicy,
): boolean {
  if (answer?.kind !== "accepted" || alsoRefused === undefined) return false;
  return wishes.some((wish) => {
    const asked: Asked = { member, wishes: [sentWish(wish, clientOrderId)] };
    return (
      checkAcceptance(portableHashes, policy, asked, answer, answer.acceptance) === null &&
      checkRefusal(portableHashes, policy, asked, alsoRefused.refusal) === null
    );
  });
}

/**
 * Checks how an order was opened: the house's acknowledgement, which proves nothing later unless the house signed it,
 * and the head that the device opened it after. An unsigned head doesn't keep an order closed: a house that sent no
 * other would make it count as lost. Null if there is nothing to check, or no key.
 *
 * @param limitPrice In points
 */
export function judgeReveal(kept: KeptEvidence, limitPrice: bigint | null, policy: VerifierPolicy | null): Found {
  const { answer, reveal, bound } = kept;
  if (answer?.kind !== "accepted" || reveal === null || policy === null) return null;
  const told = judgeAcknowledgement(answer.orderNo, reveal, limitPrice, policy);
  if (told !== null && told !== "ok") return told;
  return bound !== null && !isSignedHead(bound, policy) ? "bound" : told;
}

function judgeAcknowledgement(
  orderNo: string,
  reveal: NonNullable<KeptEvidence["reveal"]>,
  limitPrice: bigint | null,
  policy: VerifierPolicy,
): Found {
  // A voided order had nothing to reveal; a refusal shows in the orders' own list.
  if (reveal.acknowledged === null) return null;
  const signed = { ...reveal, orderNo, limitPoints: limitPrice };
  return isSignedFor(policy.acceptanceKeys, signed, reveal.acknowledged) ? "ok" : "acknowledgement";
}

/**
 * Returns whether the house validly signed that it received an order's reveal. Judges by the pinned keys, or by those
 * stored at the acceptance while the house doesn't serve any.
 */
export async function isRevealSigned(
  choice: KeptChoice & { readonly orderNo: string },
  acknowledged: unknown,
): Promise<boolean> {
  const policy = await pinnedNow().catch(() => null);
  const acceptanceKeys = policy?.acceptanceKeys ?? keptKeys(choice);
  const limitPoints = await limitPointsOfChoice(choice);
  if (acceptanceKeys === null || limitPoints === undefined) return false;
  return isSignedFor(acceptanceKeys, { ...choice, limitPoints }, acknowledged);
}

/** Returns whether a pinned witness signed that its board has this posting. */
export async function isTaken(line: string, posting: Posting): Promise<boolean> {
  const policy = await pinnedNow().catch(() => null);
  return isTakenBy([...(policy?.witnessKeys ?? []), ...keptWitnesses(posting)], line, posting);
}

async function limitPointsOfChoice(choice: KeptChoice): Promise<bigint | null | undefined> {
  const { member, clientOrderId, limitPrice, judging } = choice;
  if (limitPrice === null) return null;
  if (judging?.limitPoints) return BigInt(judging.limitPoints);
  const kept = await readEvidence(member, clientOrderId);
  return kept && limitPointsOf({ wishes: kept.wishes, reveal: { ...choice, acknowledged: null } });
}

/** Checks how an order was opened and reports any fault. */
export async function checkReveal(kept: KeptEvidence): Promise<void> {
  const policy = await pinnedNow().catch(() => null);
  const limitPrice = limitPointsOf(kept);
  if (limitPrice === undefined) return;
  const opened = judgeReveal(kept, limitPrice, policy);
  if (opened === null) return;
  const changed = await changeEvidence(kept.member, kept.clientOrderId, (known) => known && { ...known, opened });
  if (changed !== undefined) tellEvidence(changed);
}

/** Returns the revealed limit price in points; undefined while the instrument's decimals aren't known. */
function limitPointsOf({ reveal, wishes }: Pick<KeptEvidence, "reveal" | "wishes">): bigint | null | undefined {
  const limitPrice = reveal?.limitPrice ?? null;
  if (limitPrice === null) return null;
  const instruments = queryClient.getQueryData<Instrument[]>(keys.instruments);
  const decimals = instruments?.find(({ symbol }) => symbol === wishes[0]?.symbol)?.decimals;
  return decimals === undefined ? undefined : (parsePrice(limitPrice, decimals) ?? undefined);
}

const NO_KEYS = { acceptanceKeys: [] } as unknown as VerifierPolicy;

function withKeys(fault: string | null, policy: VerifierPolicy | null): Found {
  return fault === "unknown-key" && policy === null ? null : (fault ?? "ok");
}

/** Returns whether an acceptance key signed this head with its number. */
export function isSignedHead({ slot, hash, signature, key }: KeptHead, policy: VerifierPolicy): boolean {
  const known = key === null ? null : findAcceptanceKey(policy, key);
  const bytes = signature === null ? null : fromBase64(signature);
  const head = fromHex(hash);
  return known !== null && bytes !== null && head !== null && verifySlotHead(known, slot, head, bytes);
}

export function sentWish(wish: KeptWish, clientOrderId: string): SentWish {
  return {
    wallet: wish.wallet,
    symbol: wish.symbol,
    stake: parseMoney(wish.stake) ?? (0n as MicroUsd),
    durationSeconds: wish.duration,
    payoutRate: parseRate(wish.payoutRate) ?? (0n as Rate),
    fee: parseMoney(wish.fee) ?? (0n as MicroUsd),
    clientOrderId: clientOrderId as ClientId,
    seal: fromHex(wish.seal) ?? new Uint8Array(),
    deviceId: wish.deviceId,
    seenSlot: BigInt(wish.seen.slot),
    seenHash: fromHex(wish.seen.hash) ?? new Uint8Array(),
    signature: fromBase64Url(wish.signature),
    seenAt: BigInt(wish.seen.at) as Instant,
  };
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.codePointAt(0) ?? 0);
}
