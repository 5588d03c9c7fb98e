// @vitest-environment jsdom
import { nodeHashes } from "@fairtick/domain/node";
import type { Order } from "@fairtick/protocol";
import { formatPolicy } from "@fairtick/transparency";
import { makeWorld, POLICY } from "@fairtick/transparency/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keys, queryClient } from "../queries.ts";
import { currentAlarms, dropAlarms } from "./alarms.ts";
import { originsOf, ownUpTo } from "./origin-store.ts";
import { checkOrigins } from "./order-origins.ts";
import { verifyOneOther } from "./verify-others.ts";
import { forgetPinned } from "./pinned-now.ts";

// Who placed an order that came from elsewhere, determined from a real receipt.

type Json = Record<string, unknown>;
let made = 0;
let member = "";
let receipt: Json;
let devices: object[];
let own: string;

const device = (deviceId: string, publicKey: string) => ({
  deviceId,
  publicKey,
  label: "Chrome on Windows",
  addedAt: 5,
  removedAt: null,
});
const showing = (change: Partial<Order>) => {
  const order = { orderNo: `ord_${made}`, sealed: true, acceptedAt: 7, ...change };
  queryClient.setQueryData(keys.positions("practice"), { items: [order], nextCursor: null });
};

beforeEach(async () => {
  made += 1;
  member = `usr_${made}`;
  localStorage.clear();
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: member } }));
  localStorage.setItem("fairtickKeys", JSON.stringify({ lines: formatPolicy(POLICY), since: 1 }));
  vi.stubEnv("VITE_FAIRTICK_KEYS", formatPolicy(POLICY).join(";"));
  queryClient.clear();
  forgetPinned();
  dropAlarms();
  const world = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed" }]);
  receipt = await world.receipt(0);
  own = (JSON.parse((receipt["own"] as { json: string }).json) as { device: string }).device;
  devices = [device(own, "key-of-theirs")];
  vi.stubGlobal("fetch", async (path: string) => {
    const data = path.endsWith("device/list") ? devices : receipt;
    return path.includes("/log/")
      ? new Response("", { status: 404 })
      : new Response(JSON.stringify({ code: 200, msg: "", data }, (_, value: unknown) => value));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const found = () => originsOf(member)?.get(`ord_${made}`);

it("is a device that was added after the devices were last read", async () => {
  const signer = devices;
  devices = [device("dev_before", "key-of-before")];
  await checkOrigins(member, new Set());
  devices = [...devices, ...signer];
  showing({});
  await checkOrigins(member, new Set());
  expect(found()).toMatchObject({ origin: "device", device: "Chrome on Windows" });
  expect(currentAlarms().filter(({ kind }) => kind === "order")).toEqual([]);
});

it("is another device of the member, by its name", async () => {
  showing({});
  await checkOrigins(member, new Set());
  expect(found()).toMatchObject({ origin: "device", device: "Chrome on Windows" });
  expect(currentAlarms()).toEqual([]);
});

it.each([
  [
    "signed with a key other than the device's in the log",
    () => {
      const seal = receipt["seal"] as { device: Json };
      receipt = {
        ...receipt,
        seal: { ...seal, device: { ...seal.device, key: Buffer.alloc(91, 7).toString("base64") } },
      };
    },
  ],
  [
    "signed by a device that isn't in the member's list",
    () => {
      devices = [];
    },
  ],
  [
    "whose receipt can't be parsed",
    () => {
      receipt = {};
    },
  ],
])("raises an alarm for an order %s, which no device of the member placed", async (_, plant) => {
  plant();
  showing({});
  await checkOrigins(member, new Set());
  expect(found()).toMatchObject({ origin: "noDevice" });
  expect(currentAlarms()).toMatchObject([{ kind: "order", fault: "noDevice", orderNo: `ord_${made}` }]);
});

it.each([
  ["long before the order", "noDevice", 4_000],
  ["while the order was under way", "device", 9_000],
  ["after the order", "device", 20_000],
])("of a device removed %s is %s", async (_, origin, removedAt) => {
  devices = [{ ...device(own, "key-of-theirs"), removedAt }];
  showing({ acceptedAt: 10_000 });
  await checkOrigins(member, new Set());
  expect(found()).toMatchObject({ origin });
  expect(currentAlarms().map(({ kind }) => kind)).toEqual(origin === "device" ? [] : ["order"]);
});

it("isn't taken from a list of devices that is older than the order", async () => {
  await checkOrigins(member, new Set());
  devices = [{ ...device(own, "key-of-theirs"), removedAt: Date.now() + 1_000 }];
  showing({ acceptedAt: Date.now() + 60_000 });
  await checkOrigins(member, new Set());
  expect(found()).toMatchObject({ origin: "noDevice" });
});

it("reports an unsealed order as such, once", async () => {
  showing({ sealed: false });
  await checkOrigins(member, new Set());
  expect(found()).toMatchObject({ origin: "open" });
  expect(currentAlarms()).toMatchObject([{ fault: "open" }]);
  dropAlarms();
  showing({ sealed: false, orderNo: "ord_second" });
  await checkOrigins(member, new Set());
  expect(originsOf(member)?.get("ord_second")).toMatchObject({ origin: "open" });
  expect(currentAlarms()).toEqual([]);
});

it("isn't checked for this device's own orders", async () => {
  showing({});
  await checkOrigins(member, new Set([`ord_${made}`]));
  expect(found()).toBeUndefined();
});

it("reports a device that was added elsewhere until the member says it is theirs", async () => {
  const clock = vi.spyOn(Date, "now");
  await checkOrigins(member, new Set());
  expect(currentAlarms()).toEqual([]);
  const minted = device("dev_minted", "key-of-nobody");
  devices = [...devices, minted];
  clock.mockReturnValue(Date.now() + 10 * 60_000);
  await checkOrigins(member, new Set());
  expect(currentAlarms()).toMatchObject([{ kind: "device", device: { deviceId: "dev_minted" } }]);
  dropAlarms();
  await ownUpTo(minted as never);
  await checkOrigins(member, new Set());
  expect(currentAlarms()).toEqual([]);
  clock.mockRestore();
});

it("raises an alarm for a device that was added and removed again since this browser last looked", async () => {
  await checkOrigins(member, new Set());
  const minted = { ...device("dev_minted", "key-of-minted"), addedAt: 1_000, removedAt: 2_000 };
  devices = [...devices, minted];
  // An order placed since makes the app read the list again.
  showing({ acceptedAt: Date.now() + 60_000 });
  await checkOrigins(member, new Set());
  await checkOrigins(member, new Set());
  expect(currentAlarms()).toMatchObject([{ kind: "device", device: { deviceId: "dev_minted", removedAt: 2_000 } }]);
});

describe("a settled order of another device", () => {
  const settled = (settledAt: number) =>
    showing({ state: "settled", symbol: "EURUSD", acceptedAt: 7, settledAt, outcome: "won" });

  it("is verified once everything about it is public, and reported once if it fails", async () => {
    settled(Date.now() - 660_000);
    await checkOrigins(member, new Set());
    // The log can't be read, and the order on the screen isn't the receipt's.
    await verifyOneOther(member, async () => 6);
    expect(found()).toMatchObject({ verified: "failed" });
    const alarm = { kind: "order", fault: "failed", orderNo: `ord_${made}` };
    expect(currentAlarms()).toMatchObject([alarm]);
    dropAlarms();
    await verifyOneOther(member, async () => 6);
    expect(currentAlarms()).toEqual([]);
  });

  it.each([
    ["before its seed can be public", 600_000],
    ["whose origin isn't known yet", 700_000],
  ])("isn't verified %s", async (name, ago) => {
    settled(Date.now() - ago);
    if (name.startsWith("before")) await checkOrigins(member, new Set());
    await verifyOneOther(member, async () => 6);
    expect(found()?.verified).toBeUndefined();
    expect(currentAlarms()).toEqual([]);
  });
});
