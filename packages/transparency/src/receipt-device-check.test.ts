import { toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { expect, it } from "vitest";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type WorldOptions } from "./testing.ts";
import { verifyReceipt } from "./verify-receipt.ts";

// The house could invent an order if the receipt didn't prove that a device of the member signed it.

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

it("passes for the device that signed the order and is in the log", async () => {
  expect(await judge((receipt) => receipt)).toEqual({ state: "ok", why: undefined, others: [] });
});

it("fails with another key", async () => {
  const key = Buffer.alloc(91, 7).toString("base64");
  expect(await judge(withDevice({ key }))).toMatchObject({
    state: "failed",
    why: "the device did not sign this order",
  });
});

it("fails with another nonce, since that makes another device's hash", async () => {
  const nonce = toHex(new Uint8Array(16));
  expect(await judge(withDevice({ nonce }))).toMatchObject({ state: "failed", why: "the log has another device" });
});

it("fails as overdue if the device is in no checkpoint long after it was added", async () => {
  const receipt = (shown: Shown) =>
    withDevice({ logged: { ...(shown.seal.device["logged"] as object), proof: null } })(shown);
  expect(await judge(receipt)).toMatchObject({ state: "failed", why: expect.stringContaining("overdue") });
});

it("fails if the device came into the log after the order", async () => {
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
