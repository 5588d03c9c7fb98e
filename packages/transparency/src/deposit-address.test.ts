import { describe, expect, it } from "vitest";
import { toHex } from "@fairtick/domain";
import { toBase64 } from "./base64.ts";
import { type DepositPlace, depositPlaceMessage, verifyDepositPlace } from "./deposit-address.ts";
import { signBytes } from "./keys.ts";
import { pinning, testKey } from "./testing-rotation.ts";

const [house, stranger] = [testKey(1), testKey(2)];
const policy = { ...pinning(house), acceptanceKeys: [house.verifier] };
const place: DepositPlace = {
  member: "mem_0abc",
  chain: "test",
  currency: "USDT",
  address: "0x52908400098527886E0F7030069857D2E4169EE7",
  uri: "ethereum:0x5fbdb2315678afecb367f032d93f642f64180aa3@31337/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7",
};
const signed = (what: DepositPlace, by = house) => ({
  ...what,
  key: toHex(by.verifier.id),
  signature: toBase64(signBytes(by, depositPlaceMessage(what))),
});

describe("a signed deposit address", () => {
  it("is valid as it was signed", () => {
    expect(verifyDepositPlace(policy, signed(place))).toBe(true);
  });

  it.each([
    ["another address", { address: "0x52908400098527886E0F7030069857D2E4169EE8" }],
    ["another letter case", { address: place.address.toLowerCase() }],
    ["another member", { member: "mem_0abd" }],
    ["another chain", { chain: "tron" }],
    ["another currency", { currency: "USDC" }],
    ["another code", { uri: place.uri.replace("31337", "1") }],
    ["no signature", { signature: null }],
    ["no key", { key: null }],
    ["a malformed signature", { signature: "AAAA" }],
    ["a key that isn't pinned", { key: toHex(stranger.verifier.id) }],
  ])("is invalid with %s", (_what, change) => {
    expect(verifyDepositPlace(policy, { ...signed(place), ...change })).toBe(false);
  });

  it("is invalid if someone else signed it, under their own key id or the house's", () => {
    expect(verifyDepositPlace(policy, signed(place, stranger))).toBe(false);
    expect(verifyDepositPlace(policy, { ...signed(place, stranger), key: toHex(house.verifier.id) })).toBe(false);
  });
});
