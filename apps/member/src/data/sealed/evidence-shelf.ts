import type { AnsweredPlace } from "@fairtick/transparency";
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { quiet } from "./quiet-end.ts";
import { ShelfClosed } from "./shelf.ts";

/**
 * The evidence that this device holds against the house: each order request as sent and each answer as received. It is
 * stored by account and survives a logout, because that is when it may be needed; other accounts never see it. It has
 * its own database, so that an older page of the app that is still open can't keep a newer one from placing orders.
 */

/** A signed head as it came with prices. */
export interface KeptHead {
  readonly slot: number;
  /** 32 bytes in hexadecimal. */
  readonly hash: string;
  /** Time of the newest price that came with it, ms. */
  readonly at: number;
  /** In base 64, with the key's id; null if the house didn't sign it. */
  readonly signature: string | null;
  readonly key: string | null;
}

/** An order request as sent: the fields of `order/place` and the head that it names. */
export interface KeptWish {
  readonly wallet: "practice" | "real";
  readonly symbol: string;
  readonly stake: string;
  readonly duration: number;
  readonly payoutRate: string;
  readonly fee: string;
  readonly seal: string;
  readonly deviceId: string;
  readonly signature: string;
  readonly seen: KeptHead;
}

export type KeptAnswer =
  | {
      readonly kind: "accepted";
      readonly orderNo: string;
      readonly configVersion: number;
      readonly acceptedAt: number;
      readonly acceptance: (AnsweredPlace & { readonly acceptedAt: number | null }) | null;
    }
  | {
      readonly kind: "refused";
      /** The refusal's name in the answer. */
      readonly error: string;
      readonly refusal: (AnsweredPlace & { readonly reason: string; readonly at: number }) | null;
    };

/** An answer that refused an order without judging it: the house signed nothing, and no log has it. */
export interface KeptUnsigned {
  /** The refusal's name in the answer. */
  readonly error: string;
  /** By the server's clock, ms. */
  readonly at: number;
  /** Place of the refused request among `wishes`. */
  readonly wish: number;
}

/** The result of a check: `ok` or the name of the fault. Null if not checked yet. */
export type Found = string | null;

export interface KeptEvidence {
  readonly member: string;
  readonly clientOrderId: string;
  /** By the server's clock, ms. */
  readonly sentAt: number;
  /** Each time it was sent, because a retry names newer prices. */
  readonly wishes: readonly KeptWish[];
  readonly answer: KeptAnswer | null;
  /** A signed refusal that came before or after the acceptance in `answer`; left out if there was none. */
  readonly alsoRefused?: Extract<KeptAnswer, { readonly kind: "refused" }>;
  /** Unsigned refusals, oldest first, whether or not the order was answered later; left out if there were none. */
  readonly unsigned?: readonly KeptUnsigned[];
  /** The first signed head after the acceptance that this device received. */
  readonly bound: KeptHead | null;
  /** How the order was opened, and the house's signed acknowledgement. */
  readonly reveal: {
    readonly nonce: string;
    readonly direction: string;
    /** With the instrument's decimals; missing if an older app stored the evidence. */
    readonly limitPrice?: string | null;
    /** Null if there is none: the order was void by then, or the house refused. */
    readonly acknowledged: unknown;
    /**
     * When the house first answered it, whether or not it acknowledged it, ms by the house's clock; missing if an older
     * app stored the evidence.
     */
    readonly at?: number;
    /** The head after which an order that stayed sealed until its end was opened; otherwise left out. */
    readonly head?: KeptHead;
  } | null;
  /**
   * What a refused request had sealed, with which only its member can show what it would have come to. Otherwise left
   * out.
   */
  readonly refused?: { readonly nonce: string; readonly direction: "up" | "down"; readonly limitPrice: string | null };
  /** Lines of the witnesses' boards that took the reveal because the house didn't acknowledge it in time. */
  readonly boards?: readonly string[];
  /** The result of checking the house's acknowledgement and the head after which the order was opened. */
  readonly opened?: Found;
  /** The results at the answer, and against the public log once the order was settled. */
  readonly answered: Found;
  readonly logged: Found;
  /** Whether the member was told about the fault. */
  readonly told: boolean;
}

/** Who placed an order, as far as this device found out. */
export interface KeptOrigin {
  readonly member: string;
  readonly orderNo: string;
  readonly origin: string;
  /** The device that signed it, if any. */
  readonly device: string | null;
  /** Whether it passed every check once it was settled; left out until then. */
  readonly verified?: "ok" | "failed";
}

/** A device that this account's owner was told about. */
export interface KnownDevice {
  readonly member: string;
  readonly publicKey: string;
}

interface Shelf extends DBSchema {
  evidence: { key: [string, string]; value: KeptEvidence };
  origins: { key: [string, string]; value: KeptOrigin };
  knownDevices: { key: [string, string]; value: KnownDevice };
}

let opening: Promise<IDBPDatabase<Shelf>> | null = null;

async function open(): Promise<IDBPDatabase<Shelf>> {
  opening ??= openDB<Shelf>("fairtickEvidence", 1, {
    upgrade(database) {
      database.createObjectStore("evidence", { keyPath: ["member", "clientOrderId"] });
      database.createObjectStore("origins", { keyPath: ["member", "orderNo"] });
      database.createObjectStore("knownDevices", { keyPath: ["member", "publicKey"] });
    },
    // The storage was cleared, or a newer page wants to upgrade it. The next use opens it again.
    terminated: forget,
    blocking() {
      void opening?.then((database) => database.close()).catch(() => undefined);
      forget();
    },
  });
  try {
    return await opening;
  } catch (error) {
    forget();
    throw error;
  }
}

function forget(): void {
  opening = null;
}

/** Runs `work` on the database. Throws ShelfClosed if the browser doesn't allow it. */
async function withEvidence<Value>(work: (shelf: IDBPDatabase<Shelf>) => Promise<Value>): Promise<Value> {
  try {
    return await work(await open());
  } catch (error) {
    throw new ShelfClosed(error);
  }
}

/**
 * What is compared with an order's receipt: the acceptance and the acknowledgement as answered, and the heads that this
 * device saw.
 */
export interface Held extends Pick<AnsweredPlace, "batchNo" | "place" | "nonce" | "root"> {
  /** When the house signed that it received the reveal, ms; left out without a valid acknowledgement. */
  readonly revealedAt?: number;
  readonly heads?: readonly Pick<KeptHead, "slot" | "hash">[];
  /** The first head by which the entry was decided, and for an order sealed until its end, the exit; null if unknown. */
  readonly decided?: Readonly<Record<"entry" | "exit", Pick<KeptHead, "slot" | "at"> | null>>;
}

/**
 * Returns what to compare; null if the order wasn't accepted, or not here. Its fields are null without a signed
 * acceptance.
 */
export function heldOf(evidence: KeptEvidence | null): Held | null {
  if (evidence?.answer?.kind !== "accepted") return null;
  const { batchNo = null, place = null, nonce = null, root = null } = evidence.answer.acceptance ?? {};
  const heads = [...evidence.wishes.map(({ seen }) => seen), ...(evidence.bound === null ? [] : [evidence.bound])];
  const revealedAt = acknowledgedAt(evidence);
  const decided = { entry: evidence.bound, exit: evidence.reveal?.head ?? null };
  return { batchNo, place, nonce, root, heads, decided, ...(revealedAt !== null && { revealedAt }) };
}

/** Returns the moment in the house's validly signed acknowledgement of the reveal, ms; null without one. */
function acknowledgedAt({ reveal, opened }: KeptEvidence): number | null {
  if (opened !== "ok" && opened !== "bound") return null;
  const { at } = (reveal?.acknowledged ?? {}) as { readonly at?: unknown };
  return typeof at === "number" ? at : null;
}

/** More orders than anyone places in weeks. Evidence of a fault is never deleted. */
const KEPT_MAX = 1_000;

export async function readEvidence(member: string, clientOrderId: string): Promise<KeptEvidence | undefined> {
  return withEvidence((shelf) => quiet(shelf.transaction("evidence")).store.get([member, clientOrderId]));
}

/** Returns all evidence of a member's orders, oldest first. */
export async function readAllEvidence(member: string): Promise<KeptEvidence[]> {
  return withEvidence((shelf) => quiet(shelf.transaction("evidence")).store.getAll(ofMember(member)));
}

/** Returns the evidence of an order; null if it was placed on another device. */
export async function findEvidence(member: string, orderNo: string): Promise<KeptEvidence | null> {
  const all = await readAllEvidence(member);
  return all.find(({ answer }) => answer?.kind === "accepted" && answer.orderNo === orderNo) ?? null;
}

/**
 * Changes one order's evidence in a single transaction, because several parts of the app and other tabs write to it.
 * `change` gets the stored evidence; returning undefined leaves it unchanged.
 */
export async function changeEvidence(
  member: string,
  clientOrderId: string,
  change: (kept: KeptEvidence | undefined) => KeptEvidence | undefined,
): Promise<KeptEvidence | undefined> {
  return withEvidence(async (shelf) => {
    const writing = quiet(shelf.transaction("evidence", "readwrite", { durability: "strict" }));
    const kept = await writing.store.get([member, clientOrderId]);
    const next = change(kept);
    if (next !== undefined) await writing.store.put(next);
    await writing.done;
    return next ?? kept;
  });
}

/** Returns a member's key range in stores whose keys start with the member. */
function ofMember(member: string): IDBKeyRange {
  return IDBKeyRange.bound([member], [member, []]);
}

export async function readOrigins(member: string): Promise<KeptOrigin[]> {
  return withEvidence((shelf) => quiet(shelf.transaction("origins")).store.getAll(ofMember(member)));
}

export async function keepOrigin(origin: KeptOrigin): Promise<void> {
  await withEvidence((shelf) => shelf.put("origins", origin));
}

export async function readKnownDevices(member: string): Promise<KnownDevice[]> {
  return withEvidence((shelf) => quiet(shelf.transaction("knownDevices")).store.getAll(ofMember(member)));
}

export async function keepKnownDevices(devices: readonly KnownDevice[]): Promise<void> {
  await withEvidence(async (shelf) => {
    const writing = quiet(shelf.transaction("knownDevices", "readwrite"));
    await Promise.all(devices.map((device) => writing.store.put(device)));
    await writing.done;
  });
}

/** Deletes the oldest evidence above the limit, but only where every check passed and every answer was signed. */
export async function pruneEvidence(member: string): Promise<void> {
  const all = await readAllEvidence(member);
  const held = all
    .filter(({ answered, logged, unsigned }) => answered === "ok" && logged === "ok" && unsigned === undefined)
    .toSorted((a, b) => a.sentAt - b.sentAt);
  const over = held.slice(0, Math.max(0, all.length - KEPT_MAX));
  if (over.length === 0) return;
  await withEvidence(async (shelf) => {
    const writing = quiet(shelf.transaction("evidence", "readwrite"));
    await Promise.all(over.map(({ clientOrderId }) => writing.store.delete([member, clientOrderId])));
    await writing.done;
  });
}
