import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { quiet } from "./quiet-end.ts";

/**
 * What this device keeps for sealed orders. It is in IndexedDB because that holds keys which nobody can read out, outlives reloads,
 * logouts and closed apps, and can be read by the service worker.
 */

/** A member's key pair on this device. */
export interface KeptDevice {
  readonly member: string;
  /** Cannot be exported. */
  readonly privateKey: CryptoKey;
  /** SPKI in DER, base64url, as `device/add` takes it. */
  readonly publicKey: string;
  /** `dev_…`; null until the server has added it. */
  readonly deviceId: string | null;
}

/** What a sealed order hides, until the server has been told. */
export interface KeptChoice {
  readonly clientOrderId: string;
  readonly member: string;
  readonly wallet: "practice" | "real";
  readonly direction: "up" | "down";
  /** In the instrument's places; null for any entry price. */
  readonly limitPrice: string | null;
  /** 32 bytes in hexadecimal. */
  readonly nonce: string;
  /** By the server's clock, ms. */
  readonly sentAt: number;
  /** Null until the server has answered. */
  readonly orderNo: string | null;
  /** When the server accepted it, ms; null until it has answered. */
  readonly acceptedAt: number | null;
  /** The member keeps it sealed until its end; left out of an order that is opened as soon as it is bound. */
  readonly untilEnd?: {
    readonly durationSeconds: number;
    /** ms; null until its entry is known. */
    readonly expiresAt: number | null;
  };
  /** What is posted to witnesses' boards, and their addresses, if the server acknowledges nothing. */
  readonly posting?: { readonly body: string; readonly boards: readonly string[] };
}

interface Shelf extends DBSchema {
  devices: { key: string; value: KeptDevice };
  choices: { key: string; value: KeptChoice };
}

/** This browser keeps nothing: storage is off, full, or forbidden. */
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

/** Every choice that is still kept, whoever's it is. */
export function readAllChoices(): Promise<KeptChoice[]> {
  return withShelf((shelf) => quiet(shelf.transaction("choices")).store.getAll());
}

/** Every choice of a member that is still kept. */
export async function readChoices(member: string): Promise<KeptChoice[]> {
  const all = await readAllChoices();
  return all.filter((choice) => choice.member === member);
}

/** Resolves once the choice is on the disk, so that no crash can lose what an order was about. */
export async function keepChoice(choice: KeptChoice): Promise<void> {
  await withShelf(async (shelf) => {
    const writing = quiet(shelf.transaction("choices", "readwrite", { durability: "strict" }));
    await writing.store.put(choice);
    await writing.done;
  });
}

/** Changes a choice in one transaction, if it is still kept: a dropped one never comes back. */
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
