import { expect, it } from "vitest";
import { nodeHashes } from "../log/node-hashes.ts";
import type { ClientId } from "../base/ids.ts";
import { toHex } from "../log/bytes.ts";
import { canonicalJson } from "../log/canonical-json.ts";
import type { Points } from "../market/price.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { opensSeal, sealOf, wishText, type Choice, type SealedWish } from "./seal.ts";

const nonce = new Uint8Array(32).fill(0x11);
const up: Choice = { direction: "up", limitPrice: null };

it("is the SHA-256 of prefix, nonce, direction and limit price", () => {
  const made = (text: string) =>
    toHex(nodeHashes.sha256(Buffer.concat([Buffer.from("FT/seal/1\0"), nonce, Buffer.from(text)])));
  expect(toHex(sealOf(nodeHashes, nonce, up))).toBe(made("up\0"));
  expect(toHex(sealOf(nodeHashes, nonce, { direction: "down", limitPrice: 1_085_000n as Points }))).toBe(
    made("down\x001085000"),
  );
  // The test vector of docs/verification.md.
  expect(toHex(sealOf(nodeHashes, nonce, up))).toBe(VECTOR);
});
const VECTOR = "6560b893978cf52c999b05a57688a7e79234795a0c6cd2f6e620000d5c7adbb1";

it("opens only with the choice that was sealed and its own nonce", () => {
  const seal = sealOf(nodeHashes, nonce, up);
  expect(opensSeal(nodeHashes, seal, nonce, up)).toBe(true);
  expect(opensSeal(nodeHashes, seal, nonce, { ...up, direction: "down" })).toBe(false);
  expect(opensSeal(nodeHashes, seal, nonce, { ...up, limitPrice: 1n as Points })).toBe(false);
  expect(opensSeal(nodeHashes, seal, new Uint8Array(32).fill(0x12), up)).toBe(false);
  expect(opensSeal(nodeHashes, seal, nonce.subarray(1), up)).toBe(false);
  expect(() => sealOf(nodeHashes, nonce.subarray(1), up)).toThrow(RangeError);
});

it("is signed together with every other field sent to the house, in one form", () => {
  const wish: SealedWish = {
    wallet: "practice",
    symbol: "EURUSD",
    stake: 10_000_000n as MicroUsd,
    durationSeconds: 60,
    payoutRate: 850_000n as Rate,
    fee: 100_000n as MicroUsd,
    clientOrderId: "client-1" as ClientId,
    seal: nonce,
    deviceId: "dev_0000000000003",
    seenSlot: 77n,
    seenHash: nonce,
  };
  const text = wishText(wish);
  expect(text).toBe(
    `{"clientOrderId":"client-1","deviceId":"dev_0000000000003","duration":"60","fee":"0.10","payoutRate":"0.85",` +
      `"seal":"${"11".repeat(32)}","seenHash":"${"11".repeat(32)}","seenSlot":"77","stake":"10.00","symbol":"EURUSD","wallet":"practice"}`,
  );
  expect(canonicalJson(JSON.parse(text))).toBe(text);
  const odd = wishText({ ...wish, symbol: 'a"\\\n\u2028ü', clientOrderId: 'b"' as ClientId, deviceId: "c\t" });
  expect(JSON.parse(odd)).toMatchObject({ symbol: 'a"\\\n\u2028ü', clientOrderId: 'b"', deviceId: "c\t" });
  expect(canonicalJson(JSON.parse(odd))).toBe(odd);
});
