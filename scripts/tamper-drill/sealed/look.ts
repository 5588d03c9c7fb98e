import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeHashes } from "@fairtick/domain/node";
import { formatPolicy, parseReceipt, verifyLog, verifyReceipt } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import type { Device, Kept } from "./device.ts";
import type { SealedHouse } from "./house.ts";

/** Who noticed without the house's help, and the sentence they read. */
export interface Notice {
  readonly who: string;
  readonly sentence: string;
}

const VERIFIER = "`fairtick verify --log`";
const EVERY_MS = 2_000;
/** Time until prices and heads of a minute are in the log. */
const NOTICED_MS_MAX = 80_000;

/** Returns every fault that the verifier finds in the public log; with "any", notes as well. */
export async function lookAtLog({ log, policy }: SealedHouse, grade: "fault" | "any" = "fault"): Promise<string[]> {
  const { findings } = await verifyLog(nodeHashes, log, policy, null, BigInt(Date.now()));
  return findings
    .filter((each) => grade === "any" || each.grade === "fault")
    .map(({ check, what }) => `${check}: ${what}`);
}

/** Waits until the verifier finds a new fault; returns nothing if it doesn't in time. */
export async function waitForFault(
  house: SealedHouse,
  known: readonly string[],
  since = performance.now(),
): Promise<Notice[]> {
  for (;;) {
    const found = (await lookAtLog(house)).find((sentence) => !known.includes(sentence));
    if (found !== undefined) return [{ who: VERIFIER, sentence: `fault ${found}` }];
    if (performance.now() - since > NOTICED_MS_MAX) return [];
    await sleep(EVERY_MS);
  }
}

/** Returns what the app and its list of devices say about orders and devices that weren't made on this device. */
export async function lookForStrangers(
  { policy }: SealedHouse,
  device: Device,
  own: readonly Kept[],
): Promise<Notice[]> {
  const notices: Notice[] = [];
  const devices = await listOf(device, "device/list", {});
  for (const { deviceId, label } of devices) {
    if (deviceId === device.deviceId) continue;
    notices.push({
      who: "a member who reads their devices",
      sentence: `device/list shows a device that this member did not add: ${String(label)}`,
    });
  }
  const known = new Set(own.map(({ answer }) => (answer.kind === "accepted" ? answer.order.orderNo : "")));
  for (const order of await listOf(device, "order/positions", { wallet: "practice" })) {
    if (known.has(String(order["orderNo"]))) continue;
    notices.push({
      who: "member's device",
      sentence: await originOf(device, String(order["orderNo"]), policy, devices),
    });
  }
  return notices;
}

/**
 * Applies the app's rule (`order-origins.ts`): an order must be signed by a device that the log knows and the member
 * sees.
 */
async function originOf(
  device: Device,
  orderNo: string,
  policy: SealedHouse["policy"],
  devices: readonly Readonly<Record<string, unknown>>[],
): Promise<string> {
  const parsed = parseReceipt((await device.call("order/receipt", { orderNo })).data);
  if (!parsed.ok) return `an order that this device did not place has no receipt: ${parsed.fault}`;
  if (parsed.receipt.v === 2 && parsed.receipt.seal === null)
    return "an order was placed in the open, and no device of the member signed it";
  const check = verifyReceipt(nodeHashes, parsed.receipt, policy).find(({ id }) => id === "device");
  const signer = check?.state === "ok" ? check.values["device"] : undefined;
  const isShown = devices.some(({ deviceId }) => deviceId === signer);
  return isShown
    ? "an order was signed by another device of the member"
    : `an order was signed by no device that the member is shown (${check?.state ?? "no check"})`;
}

async function listOf(
  device: Device,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { data } = await device.call(path, fields);
  const items = "items" in data ? data["items"] : data;
  return Array.isArray(items) ? items : [];
}

/** Writes the keys that were pinned when the drill began. Returns the file. */
export function keysFile({ product, policy }: SealedHouse): string {
  const file = join(product.folder, "sealed-keys");
  writeFileSync(file, `${formatPolicy(policy).join("\n")}\n`);
  return file;
}

/** Returns what the command says about the member's receipt if it doesn't verify it. */
export async function lookAtReceipt(
  house: SealedHouse,
  device: Device,
  orderNo: string,
  what: "alone" | "beside the log" = "alone",
): Promise<Notice[]> {
  const [keys, file] = [keysFile(house), join(house.product.folder, "sealed-receipt.json")];
  writeFileSync(file, JSON.stringify((await device.call("order/receipt", { orderNo })).data));
  const beside = what === "alone" ? [] : ["--log", `${house.product.base}/log`];
  const { lines, exitCode } = await run(["verify", file, "--keys", keys, ...beside]);
  if (exitCode !== 1) return [];
  return lines
    .filter((line) => line.startsWith("failed"))
    .map((sentence) => ({
      who: what === "alone" ? "`fairtick verify receipt`" : "`fairtick verify receipt --log`",
      sentence,
    }));
}
