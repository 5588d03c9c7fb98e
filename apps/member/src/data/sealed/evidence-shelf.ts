import type { AnsweredPlace } from "@fairtick/transparency";
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { quiet } from "./quiet-end.ts";
import { ShelfClosed } from "./shelf.ts";

/**
 * What this device holds against the house: each wish as it was sent, and each answer as it came. It is kept by account and outlives
 * a logout, because that is when it may be needed; nobody is shown another account's. It has a database of its own, so that
 * an older page of this app which is still open never keeps a newer one from placing orders.
 */

/** A signed head of prices as it came with them. */
export interface KeptHead {
  readonly slot: number;
  /** 32 bytes in hexadecimal. */
  readonly hash: string;
  /** Time of the newest price that came with it, ms. */
  readonly at: number;
  /** Base 64 and the key's id; null where the house signed nothing. */
  readonly signature: string | null;
  readonly key: string | null;
}

/** A wish as it was sent: the fields of `order/place` and the head that it names. */
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

/** What a check found: `ok`, or what was wrong. Null: not checked yet. */
export type Found = string | null;

export interface KeptEvidence {
  readonly member: string;
  readonly clientOrderId: string;
  /** By the server's clock, ms. */
  readonly sentAt: number;
  /** Each time that it was sent: a retry names newer prices. */
  readonly wishes: readonly KeptWish[];
  readonly answer: KeptAnswer | null;
  /** The first signed head after the acceptance that this device held. */
  readonly bound: KeptHead | null;
  /** How the order was opened, and the house's signed word that it knows. */
  readonly reveal: {
    readonly nonce: string;
    readonly direction: string;
    /** In the instrument's places; left out by an app from before it was kept. */
    readonly limitPrice?: string | null;
    /** Null where it has none: the order was void by then, or the house refused. */
    readonly acknowledged: unknown;
  } | null;
  /** What a refused wish had sealed: its member alone can show what it would have come to. Left out of any other. */
  readonly refused?: { readonly nonce: string; readonly direction: "up" | "down"; readonly limitPrice: string | null };
  /** Lines of witnesses' boards that took the reveal, where the house acknowledged none in time. */
  readonly boards?: readonly string[];
  /** What was found of the house's acknowledgement. */
  readonly opened?: Found;
  /** What was found at the answer, and against the public log once the order was settled. */
  readonly answered: Found;
  readonly logged: Found;
  /** The member was told of what is wrong. */
  readonly told: boolean;
}

/** What this device learned of who made an order. */
export interface KeptOrigin {
  readonly member: string;
  readonly orderNo: string;
  readonly origin: string;
  /** The device that signed it, where one did. */
  readonly device: string | null;
}

/** A device that this account's owner was told of. */
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
    // Its storage was cleared, or a newer page wants to change it: the next use opens it again.
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

/** Runs `work` on the database. Throws ShelfClosed where the browser does not let it. */
async function withEvidence<Value>(work: (shelf: IDBPDatabase<Shelf>) => Promise<Value>): Promise<Value> {
  try {
    return await work(await open());
  } catch (error) {
    throw new ShelfClosed(error);
  }
}

/** What is compared with an order's receipt: the acceptance that was answered, and the heads that this device was shown. */
export interface Held extends Pick<AnsweredPlace, "batchNo" | "place" | "nonce" | "root"> {
  readonly heads?: readonly Pick<KeptHead, "slot" | "hash">[];
}

/** Null of an order that was not accepted, or not here. An acceptance that was never answered is none of anything. */
export function heldOf(evidence: KeptEvidence | null): Held | null {
  if (evidence?.answer?.kind !== "accepted") return null;
  const { batchNo = null, place = null, nonce = null, root = null } = evidence.answer.acceptance ?? {};
  const heads = [...evidence.wishes.map(({ seen }) => seen), ...(evidence.bound === null ? [] : [evidence.bound])];
  return { batchNo, place, nonce, root, heads };
}

/** More than anybody trades in weeks. What is wrong is never thrown away. */
const KEPT_MAX = 1_000;

export async function readEvidence(member: string, clientOrderId: string): Promise<KeptEvidence | undefined> {
  return withEvidence((shelf) => quiet(shelf.transaction("evidence")).store.get([member, clientOrderId]));
}

/** Everything that is kept of a member's orders, oldest first. */
export async function readAllEvidence(member: string): Promise<KeptEvidence[]> {
  return withEvidence((shelf) => quiet(shelf.transaction("evidence")).store.getAll(ofMember(member)));
}

/** Null for an order that was placed on another device. */
export async function findEvidence(member: string, orderNo: string): Promise<KeptEvidence | null> {
  const all = await readAllEvidence(member);
  return all.find(({ answer }) => answer?.kind === "accepted" && answer.orderNo === orderNo) ?? null;
}

/**
 * Changes one order's evidence, read and written in one transaction, since several parts of the app and other tabs add to it.
 * `change` gets what is kept; undefined leaves it.
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

/** A member's key range in stores that begin with the member. */
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

/** Makes room: of those that held in every way, the oldest go. */
export async function pruneEvidence(member: string): Promise<void> {
  const all = await readAllEvidence(member);
  const held = all
    .filter(({ answered, logged }) => answered === "ok" && logged === "ok")
    .toSorted((a, b) => a.sentAt - b.sentAt);
  const over = held.slice(0, Math.max(0, all.length - KEPT_MAX));
  if (over.length === 0) return;
  await withEvidence(async (shelf) => {
    const writing = quiet(shelf.transaction("evidence", "readwrite"));
    await Promise.all(over.map(({ clientOrderId }) => writing.store.delete([member, clientOrderId])));
    await writing.done;
  });
}
