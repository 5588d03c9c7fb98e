import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { quiet } from "./quiet-end.ts";

/**
 * What this device stores for sealed orders. It uses IndexedDB because that holds keys that can't be exported,
 * survives reloads, logouts and closed apps, and can be read by the service worker.
 */

/** A member's key pair on this device. */
export interface KeptDevice {
  readonly member: string;
  /** Can't be exported. */
  readonly privateKey: CryptoKey;
  /** SPKI in DER, base64url, as `device/add` takes it. */
  readonly publicKey: string;
  /** `dev_…`; null until the server has added it. */
  readonly deviceId: string | null;
}

/** What is posted to the witnesses' boards if the server doesn't acknowledge a reveal. */
export interface Posting {
  readonly body: string;
  /** Their addresses. */
  readonly boards: readonly string[];
  /** The witnesses' keys as pinned then, one a line; missing in what an older version stored. */
  readonly witnesses?: readonly string[];
  /** The log's rotations as it served them then, for a board that doesn't know the acceptance key; missing if it had none. */
  readonly rotations?: string;
}

/** What a sealed order hides until it is revealed to the server. */
export interface KeptChoice {
  readonly clientOrderId: string;
  readonly member: string;
  readonly wallet: "practice" | "real";
  /** Missing in what an older version stored. */
  readonly symbol?: string | undefined;
  readonly direction: "up" | "down";
  /** With the instrument's decimals; null for any entry price. */
  readonly limitPrice: string | null;
  /** 32 bytes in hexadecimal. */
  readonly nonce: string;
  /** By the server's clock, ms. */
  readonly sentAt: number;
  /** By this device's own clock, ms. Missing in what an older version stored. */
  readonly placedAt?: number | undefined;
  /** Null until the server has answered. */
  readonly orderNo: string | null;
  /** When the server accepted it, ms; null until it has answered. */
  readonly acceptedAt: number | null;
  /** Present if the member keeps the order sealed until its end; otherwise it is opened as soon as it is bound. */
  readonly untilEnd?: {
    readonly durationSeconds: number;
    /** ms; null until its entry is known. */
    readonly expiresAt: number | null;
  };
  readonly posting?: Posting;
  /**
   * What the service worker judges the acknowledgement with: the house's acceptance keys as pinned at the acceptance, one
   * a line, and the limit price in points. Missing until the page has stored it.
   */
  readonly judging?: { readonly keys: readonly string[]; readonly limitPoints: string | null } | undefined;
}

interface Shelf extends DBSchema {
  devices: { key: string; value: KeptDevice };
  choices: { key: string; value: KeptChoice };
}

/** Thrown if this browser stores nothing: storage is off, full or forbidden. */
export class ShelfClosed extends Error {
  constructor(cause: unknown) {
    super("this browser keeps nothing for sealed orders", { cause });
    this.name = "ShelfClosed";
  }
}

let opening: Promise<IDBPDatabase<Shelf>> | null = null;

async function open(): Promise<IDBPDatabase<Shelf>> {
  opening ??= openDB<Shelf>("fairtickSealed", 1, {
    upgrade(database) {
      database.createObjectStore("devices", { keyPath: "member" });
      database.createObjectStore("choices", { keyPath: "clientOrderId" });
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
async function withShelf<Value>(work: (shelf: IDBPDatabase<Shelf>) => Promise<Value>): Promise<Value> {
  try {
    return await work(await open());
  } catch (error) {
    throw new ShelfClosed(error);
  }
}

export function readDevice(member: string): Promise<KeptDevice | undefined> {
  return withShelf((shelf) => quiet(shelf.transaction("devices")).store.get(member));
}

export async function keepDevice(device: KeptDevice): Promise<void> {
  await withShelf((shelf) => shelf.put("devices", device));
}

export async function dropDevice(member: string): Promise<void> {
  await withShelf((shelf) => shelf.delete("devices", member));
}

export function readChoice(clientOrderId: string): Promise<KeptChoice | undefined> {
  return withShelf((shelf) => quiet(shelf.transaction("choices")).store.get(clientOrderId));
}

/** Returns every stored choice, of any member. */
export function readAllChoices(): Promise<KeptChoice[]> {
  return withShelf((shelf) => quiet(shelf.transaction("choices")).store.getAll());
}

/** Returns every stored choice of a member. */
export async function readChoices(member: string): Promise<KeptChoice[]> {
  const all = await readAllChoices();
  return all.filter((choice) => choice.member === member);
}

/** Stores a choice. Resolves once it is on disk, so that no crash can lose what an order was about. */
export async function keepChoice(choice: KeptChoice): Promise<void> {
  await withShelf(async (shelf) => {
    const writing = quiet(shelf.transaction("choices", "readwrite", { durability: "strict" }));
    await writing.store.put(choice);
    await writing.done;
  });
}

/** Changes a choice in one transaction if it is still stored: a dropped one never comes back. */
export async function changeChoice(clientOrderId: string, change: (kept: KeptChoice) => KeptChoice): Promise<void> {
  await withShelf(async (shelf) => {
    const writing = quiet(shelf.transaction("choices", "readwrite"));
    const kept = await writing.store.get(clientOrderId);
    if (kept !== undefined) await writing.store.put(change(kept));
    await writing.done;
  });
}

export async function dropChoice(clientOrderId: string): Promise<void> {
  await withShelf((shelf) => shelf.delete("choices", clientOrderId));
}
