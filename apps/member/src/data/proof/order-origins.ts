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

/** A receipt takes a moment to be complete, and a server that was just started hands out none. */
const AGAIN_MS = 60_000;
/** Devices are asked for this often. */
const DEVICES_MS = 5 * 60_000;

const nextTry = new Map<string, number>();
let devices: { readonly member: string; readonly at: number; readonly list: readonly OrderDevice[] } | null = null;

/**
 * Looks at one order of those that the member's lists show, unless it is one of `own`, and at their devices.
 * @throws ShelfClosed where this browser keeps nothing · CallError
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
  // Whoever lets a program trade has many: the first one is told, the others say it themselves.
  if (isFirstOpen) raise({ ...about, fault: "open" });
}

async function originOf(member: string, order: Order): Promise<Omit<KeptOrigin, "member" | "orderNo"> | null> {
  if (!order.sealed) return { origin: "open", device: null };
  const policy = await pinnedNow();
  const parsed = parseReceipt(await ask<typeof orderReceipt>("order/receipt", { orderNo: order.orderNo }));
  const signer = parsed.ok ? await signerOf(parsed.receipt, policy) : "nobody";
  if (signer === "later") return null;
  const isSigner = ({ deviceId }: OrderDevice) => deviceId === signer;
  // A device may have been added since the list was read, and then placed this order.
  const device = (await knownDevices(member)).find(isSigner) ?? (await knownDevices(member, "anew")).find(isSigner);
  // Signed by a device that the member is not shown: to them it is nobody's.
  return device === undefined ? { origin: "noDevice", device: null } : { origin: "device", device: device.label };
}

/**
 * The id of the device whose key, as the log has it, signed the order's wish; `nobody` where none did, `later` where the log does not
 * have it yet.
 */
export async function signerOf(receipt: Receipt, policy: VerifierPolicy): Promise<string> {
  const check = (await examineReceipt(receipt, policy)).find(({ id }) => id === "device");
  const device = check?.values["device"];
  if (check?.state === "pending") return "later";
  return check?.state === "ok" && typeof device === "string" ? device : "nobody";
}

/** Every order that a list or screen of this page was given. */
function shownOrders(): Order[] {
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

/** Asks about each device that was added after this browser first looked, and not by it. */
async function checkDevices(member: string, list: readonly OrderDevice[]): Promise<void> {
  const known = new Set((await readKnownDevices(member)).map(({ publicKey }) => publicKey));
  const own = (await readDevice(member))?.publicKey;
  const isFirst = known.size === 0;
  const fresh = list.filter(({ publicKey }) => !known.has(publicKey));
  const quiet = fresh.filter(({ publicKey, removedAt }) => isFirst || publicKey === own || removedAt !== null);
  if (quiet.length > 0) await keepKnownDevices(quiet.map(({ publicKey }) => ({ member, publicKey })));
  for (const device of fresh.filter((each) => !quiet.includes(each)))
    raise({ kind: "device", key: device.publicKey, device });
}
