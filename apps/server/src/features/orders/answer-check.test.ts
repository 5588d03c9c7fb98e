import { type ClientId, formatId, type Instant, type MemberId, type MicroUsd, type Rate } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  type AnsweredAcceptance,
  type AnsweredRefusal,
  checkAcceptance,
  checkRefusal,
  type SentWish,
  type VerifierPolicy,
} from "@fairtick/transparency";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PlaceOrderInput } from "./place-order.ts";
import { addHead, addTestDevice, choose, sealedWish, type TestDevice } from "./test-sealed.ts";
import { createOrderWorld, type OrderWorld, TEST_SIGNER, usd } from "./test-world.ts";

// Runs the checks that a member's app makes on answers of the real server.

let world: OrderWorld;
let member: MemberId;
let device: TestDevice;
let terms: { payoutRate: Rate; fee: MicroUsd };
const policy = { acceptanceKeys: [TEST_SIGNER.verifier] } as unknown as VerifierPolicy;
const OTHER_ROOT = "ab".repeat(32);

beforeAll(async () => {
  world = await createOrderWorld();
  member = (await world.build.createMember()) as MemberId;
  device = await addTestDevice(world.build, member);
  const open = await world.accepted(member);
  terms = { payoutRate: BigInt(Math.round(Number(open.payoutRate) * 1e6)) as Rate, fee: usd(Number(open.fee)) };
});
beforeEach(() => world.tick());
afterAll(() => world.close());

async function seal(change: Parameters<typeof sealedWish>[4] = {}, ageMs = 0): Promise<PlaceOrderInput> {
  return sealedWish(device, choose(), await addHead(world.build, ageMs), terms, change);
}

/** Returns the wish as the device knows it, with a head that was seen a moment before. */
function sent(input: PlaceOrderInput, seenAt = BigInt(Date.now())): SentWish {
  const { wallet, symbol, stake, duration, clientOrderId, payoutRate, fee, seal: sealed, deviceId } = input;
  return {
    wallet,
    symbol,
    stake,
    durationSeconds: duration,
    clientOrderId,
    payoutRate: payoutRate as Rate,
    fee: fee as MicroUsd,
    seal: sealed as Uint8Array,
    deviceId: deviceId as string,
    seenSlot: BigInt(input.seenSlot ?? 0),
    seenHash: input.seenHash as Uint8Array,
    signature: Buffer.from(input.signature ?? "", "base64url"),
    seenAt: seenAt as Instant,
  };
}

interface Accepted {
  readonly wish: SentWish;
  readonly order: { readonly orderNo: string; readonly configVersion: number };
  readonly acceptance: AnsweredAcceptance;
}

async function accepted(input: PlaceOrderInput): Promise<Accepted> {
  const verdict = await world.place(member, input);
  if (!verdict.ok || verdict.value.acceptance === null) throw new Error(`refused: ${JSON.stringify(verdict)}`);
  const { acceptance, ...order } = verdict.value;
  return { wish: sent(input, BigInt(order.acceptedAt)), order, acceptance };
}

function judge({ wish, order, acceptance }: Accepted, who: MemberId = member) {
  return checkAcceptance(nodeHashes, policy, { member: formatId("member", who), wishes: [wish] }, order, acceptance);
}

describe("an acceptance from the server", () => {
  it("binds exactly the wish that was sent", async () => {
    expect(judge(await accepted(await seal()))).toBeNull();
  });

  it("binds each of many orders of one batch", async () => {
    const wishes = await Promise.all(Array.from({ length: 9 }, () => seal()));
    const answers = await Promise.all(wishes.map(accepted));
    expect(answers.map((answer) => judge(answer))).toEqual(Array.from({ length: 9 }, () => null));
  });

  it("binds the first of two attempts, and is found among both", async () => {
    const first = await seal();
    const answer = await accepted(first);
    const later = sent(await seal({ clientOrderId: first.clientOrderId }));
    const asked = { member: formatId("member", member), wishes: [later, answer.wish] };
    expect(checkAcceptance(nodeHashes, policy, asked, answer.order, answer.acceptance)).toBeNull();
  });

  it.each<[string, (answer: Accepted) => unknown, string]>([
    ["that is null", (a) => ({ ...a, acceptance: null }), "missing"],
    ["without its signature", (a) => ({ ...a, acceptance: { ...a.acceptance, signature: null } }), "missing"],
    ["without its path", (a) => ({ ...a, acceptance: { ...a.acceptance, path: null } }), "missing"],
    ["without the size of its batch", (a) => ({ ...a, acceptance: { ...a.acceptance, count: null } }), "missing"],
    ["without its time", (a) => ({ ...a, acceptance: { ...a.acceptance, acceptedAt: null } }), "missing"],
    ["of another root", (a) => ({ ...a, acceptance: { ...a.acceptance, root: OTHER_ROOT } }), "path"],
    ["with one more step in its path", (a) => ({ ...a, acceptance: { ...a.acceptance, path: [OTHER_ROOT] } }), "path"],
    ["at another place", (a) => ({ ...a, acceptance: { ...a.acceptance, place: 1, count: 2 } }), "path"],
    ["of another batch", (a) => ({ ...a, acceptance: { ...a.acceptance, batchNo: "999" } }), "path"],
    ["at another time", (a) => ({ ...a, acceptance: { ...a.acceptance, acceptedAt: a.order.configVersion } }), "path"],
    ["with other nonces", (a) => ({ ...a, acceptance: { ...a.acceptance, nonce: OTHER_ROOT } }), "path"],
    ["of half a nonce", (a) => ({ ...a, acceptance: { ...a.acceptance, nonce: "ab".repeat(16) } }), "malformed"],
    ["by nobody known", (a) => ({ ...a, acceptance: { ...a.acceptance, key: "00000000" } }), "unknown-key"],
    [
      "with an altered signature",
      (a) => ({ ...a, acceptance: { ...a.acceptance, signature: Buffer.alloc(64, 7).toString("base64") } }),
      "signature",
    ],
    [
      "of another order number",
      (a) => ({ ...a, order: { ...a.order, orderNo: formatId("order", 12n as never) } }),
      "path",
    ],
    ["under another configuration", (a) => ({ ...a, order: { ...a.order, configVersion: 999 } }), "path"],
    ["of another stake", (a) => ({ ...a, wish: { ...a.wish, stake: 20_000_000n as MicroUsd } }), "path"],
    ["of another seal", (a) => ({ ...a, wish: { ...a.wish, seal: Buffer.alloc(32, 7) } }), "path"],
    ["of another device", (a) => ({ ...a, wish: { ...a.wish, deviceId: formatId("device", 12n as never) } }), "path"],
    ["of other seen prices", (a) => ({ ...a, wish: { ...a.wish, seenSlot: a.wish.seenSlot + 1n } }), "path"],
    ["of another client id", (a) => ({ ...a, wish: { ...a.wish, clientOrderId: "another" as ClientId } }), "path"],
    [
      "more than 3 s after what the device saw",
      (a) => ({ ...a, wish: { ...a.wish, seenAt: a.wish.seenAt - 3_001n } }),
      "late",
    ],
  ])("%s is recognized", async (_, change, fault) => {
    const answer = await accepted(await seal());
    expect(judge(change(answer) as Accepted)).toBe(fault);
  });

  it("isn't accepted for any other wish", async () => {
    const stranger = (await world.build.createMember()) as MemberId;
    expect(judge(await accepted(await seal()), stranger)).toBe("path");
  });
});

describe("a refusal from the server", () => {
  async function refused(): Promise<{ wish: SentWish; refusal: AnsweredRefusal }> {
    const input = await seal({}, 5_000);
    const verdict = await world.ask(member, input);
    if (verdict.ok || verdict.refusal.proof === undefined) throw new Error(`no refusal: ${JSON.stringify(verdict)}`);
    return { wish: sent(input), refusal: verdict.refusal.proof };
  }
  const check = (wish: SentWish, refusal: AnsweredRefusal | null) =>
    checkRefusal(nodeHashes, policy, { member: formatId("member", member), wishes: [wish] }, refusal);

  it("binds exactly the wish and its reason", async () => {
    const { wish, refusal } = await refused();
    expect(refusal.reason).toBe("LATE");
    expect(check(wish, refusal)).toBeNull();
  });

  it("is told apart from one with another reason, for another wish, or without a proof", async () => {
    const { wish, refusal } = await refused();
    expect(check(wish, { ...refusal, reason: "EXPOSURE_LIMIT" })).toBe("path");
    expect(check({ ...wish, seal: Buffer.alloc(32, 7) }, refusal)).toBe("path");
    expect(check(wish, { ...refusal, at: refusal.at + 1 })).toBe("path");
    expect(check(wish, { ...refusal, accepted: (refusal.accepted ?? 0) + 1 })).toBe("path");
    expect(check(wish, null)).toBe("missing");
  });

  it("can't be used as an acceptance, nor an acceptance as a refusal", async () => {
    const { wish, refusal } = await refused();
    const order = { orderNo: formatId("order", 1n as never), configVersion: 1 };
    const asAccepted = { ...refusal, acceptedAt: refusal.at };
    const asked = { member: formatId("member", member), wishes: [wish] };
    expect(checkAcceptance(nodeHashes, policy, asked, order, asAccepted)).toBe("path");
  });
});
