import { toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { expect, it } from "vitest";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type WorldOptions } from "./testing.ts";
import { verifyReceipt } from "./verify-receipt.ts";

// An order that nobody's device has made is one that the house made.

type Shown = Record<string, unknown> & { readonly seal: { readonly device: Record<string, unknown> } };

async function judge(change: (receipt: Shown) => Record<string, unknown>, options: WorldOptions = {}) {
  const world = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed" }], options);
  const parsed = parseReceipt(change((await world.receipt(0)) as Shown));
  if (!parsed.ok) throw new Error(parsed.fault);
  const checks = verifyReceipt(nodeHashes, parsed.receipt, POLICY);
  const device = checks.find(({ id }) => id === "device");
  return {
    state: device?.state,
    why: device?.why,
    others: checks.filter((each) => each.state === "failed" && each.id !== "device"),
  };
}

const withDevice = (change: Record<string, unknown>) => (receipt: Shown) => ({
  ...receipt,
  seal: { ...receipt.seal, device: { ...receipt.seal.device, ...change } },
});

it("holds for the device that signed the order and stands in the log", async () => {
  expect(await judge((receipt) => receipt)).toEqual({ state: "ok", why: undefined, others: [] });
});

it("another key did not sign it", async () => {
  const key = Buffer.alloc(91, 7).toString("base64");
  expect(await judge(withDevice({ key }))).toMatchObject({
    state: "failed",
    why: "the device did not sign this order",
  });
});

it("another nonce is another device's", async () => {
  const nonce = toHex(new Uint8Array(16));
  expect(await judge(withDevice({ nonce }))).toMatchObject({ state: "failed", why: "the log has another device" });
});

it("a device that stands in no checkpoint yet is waited for, and an hour later is missing", async () => {
  const receipt = (shown: Shown) =>
    withDevice({ logged: { ...(shown.seal.device["logged"] as object), proof: null } })(shown);
  expect(await judge(receipt)).toMatchObject({ state: "failed", why: expect.stringContaining("overdue") });
});

it("a device that came into the log after the order was not there to sign it", async () => {
  const late: WorldOptions = {
    change: (entries) => [
      ...entries.filter(({ kind }) => kind !== "device.add"),
      ...entries.filter(({ kind }) => kind === "device.add"),
    ],
  };
  expect(await judge((receipt) => receipt, late)).toMatchObject({
    state: "failed",
    why: "the device came into the log after the order",
  });
});
