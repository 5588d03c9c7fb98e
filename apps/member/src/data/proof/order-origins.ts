import { REMOVED_WITHIN_MS } from "@fairtick/domain";
import type { deviceList, Order, OrderDevice, orderReceipt } from "@fairtick/protocol";
import { parseReceipt, type Receipt, type VerifierPolicy } from "@fairtick/transparency";
import { serverNow } from "../../shared/server-clock.ts";
import { storedMemberId } from "../member-id.ts";
import { keys, queryClient } from "../queries.ts";
import {
  keepKnownDevices,
  keepOrigin,
  type KeptOrigin,
  readKnownDevices,
  readOrigins,
} from "../sealed/evidence-shelf.ts";
import { readDevice } from "../sealed/shelf.ts";
import { ask } from "../transport.ts";
import { raise } from "./alarms.ts";
import { examineReceipt } from "./examine-receipt.ts";
import { originsOf, setOrigins } from "./origin-store.ts";
import { pinnedNow } from "./pinned-now.ts";

/** A receipt takes a moment to be complete, and a server that has just started has none yet. */
const AGAIN_MS = 60_000;
/** How often the list of devices is fetched. */
const DEVICES_MS = 5 * 60_000;

const nextTry = new Map<string, number>();
let devices: { readonly member: string; readonly at: number; readonly list: readonly OrderDevice[] } | null = null;

/**
 * Checks one order from the member's lists, unless it is one of `own`, and their devices.
 * @throws ShelfClosed if this browser has no storage · CallError
 */
export async function checkOrigins(member: string, own: ReadonlySet<string>): Promise<void> {
  const origins = originsOf(member) ?? new Map((await readOrigins(member)).map((each) => [each.orderNo, each]));
  setOrigins(member, origins);
  await checkDevices(member, await knownDevices(member));
  const next = shownOrders().find(
    ({ orderNo }) => !own.has(orderNo) && !origins.has(orderNo) && serverNow() > (nextTry.get(orderNo) ?? 0),
  );
  if (next === undefined) return;
  nextTry.set(next.orderNo, serverNow() + AGAIN_MS);
  const found = await originOf(member, next);
  if (found === null || storedMemberId() !== member) return;
  await keep(next, { member, orderNo: next.orderNo, ...found });
}

async function keep({ orderNo, acceptedAt }: Order, origin: KeptOrigin): Promise<void> {
  const origins = originsOf(origin.member) ?? new Map<string, KeptOrigin>();
  const isFirstOpen = origin.origin === "open" && ![...origins.values()].some((each) => each.origin === "open");
  await keepOrigin(origin);
  setOrigins(origin.member, new Map([...origins, [orderNo, origin]]));
  const about = { kind: "order", key: orderNo, orderNo, at: acceptedAt, evidence: null } as const;
  if (origin.origin === "noDevice") raise({ ...about, fault: "noDevice" });
  // Members who trade through a program have many such orders. Only the first raises an alarm; the others are labelled.
  if (isFirstOpen) raise({ ...about, fault: "open" });
}

async function originOf(member: string, order: Order): Promise<Omit<KeptOrigin, "member" | "orderNo"> | null> {
  if (!order.sealed) return { origin: "open", device: null };
  const policy = await pinnedNow();
  const parsed = parseReceipt(await ask<typeof orderReceipt>("order/receipt", { orderNo: order.orderNo }));
  const signer = parsed.ok ? await signerOf(parsed.receipt, policy) : "nobody";
  if (signer === "later") return null;
  const isSigner = ({ deviceId, removedAt }: OrderDevice) =>
    deviceId === signer && (removedAt === null || order.acceptedAt <= removedAt + Number(REMOVED_WITHIN_MS));
  // Since the list was read, a device may have been added and placed this order, or been removed before the order.
  const isOlder = devices !== null && devices.at <= order.acceptedAt;
  const listed = (await knownDevices(member, isOlder ? "anew" : "kept")).find(isSigner);
  const device = listed ?? (await knownDevices(member, "anew")).find(isSigner);
  // A device that isn't in the member's list, or no longer was, counts as no device of theirs.
  return device === undefined ? { origin: "noDevice", device: null } : { origin: "device", device: device.label };
}

/**
 * Returns the id of the device whose logged key signed the order; `nobody` if none did, `later` if the log doesn't
 * have the order yet.
 */
export async function signerOf(receipt: Receipt, policy: VerifierPolicy): Promise<string> {
  const check = (await examineReceipt(receipt, policy)).find(({ id }) => id === "device");
  const device = check?.values["device"];
  if (check?.state === "pending") return "later";
  return check?.state === "ok" && typeof device === "string" ? device : "nobody";
}

/** Returns every order in the cache, from lists and screens. */
export function shownOrders(): Order[] {
  const cached = queryClient.getQueriesData({ queryKey: keys.member });
  const found = new Map<string, Order>();
  for (const [, data] of cached) for (const order of ordersIn(data)) found.set(order.orderNo, order);
  return [...found.values()];
}

function ordersIn(data: unknown): Order[] {
  if (typeof data !== "object" || data === null) return [];
  if ("pages" in data && Array.isArray(data.pages)) return data.pages.flatMap(ordersIn);
  if ("items" in data && Array.isArray(data.items)) return data.items.flatMap(ordersIn);
  return "orderNo" in data && "sealed" in data ? [data as Order] : [];
}

async function knownDevices(member: string, how: "kept" | "anew" = "kept"): Promise<readonly OrderDevice[]> {
  if (how === "anew" || devices?.member !== member || serverNow() - devices.at > DEVICES_MS) {
    devices = { member, at: serverNow(), list: await ask<typeof deviceList>("device/list", {}) };
  }
  return devices.list;
}

/**
 * Raises an alarm for each device that was added after this browser first looked, unless this browser added it. One that was
 * removed since may have placed orders in between.
 */
async function checkDevices(member: string, list: readonly OrderDevice[]): Promise<void> {
  const known = new Set((await readKnownDevices(member)).map(({ publicKey }) => publicKey));
  const own = (await readDevice(member))?.publicKey;
  const isFirst = known.size === 0;
  const fresh = list.filter(({ publicKey }) => !known.has(publicKey));
  const quiet = fresh.filter(({ publicKey }) => isFirst || publicKey === own);
  if (quiet.length > 0) await keepKnownDevices(quiet.map(({ publicKey }) => ({ member, publicKey })));
  for (const device of fresh.filter((each) => !quiet.includes(each)))
    raise({ kind: "device", key: device.publicKey, device });
}
