import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatId, type Instant, type MemberId, type MicroUsd, parseId, type Rate } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  COSIGNATURE_TYPE,
  ED25519_TYPE,
  formatPosting,
  formatVerifierKey,
  makePosting,
  type Posting,
  signerKey,
} from "@fairtick/transparency";
import { type RunningWitness, startWitness } from "@fairtick/transparency/cli";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addHead, addTestDevice, choose, sealedWish, type TestDevice } from "../orders/test-sealed.ts";
import { createOrderWorld, type OrderWorld, TEST_SIGNER, usd } from "../orders/test-world.ts";
import { followBoards } from "./follow-boards.ts";

// A member whose reveals don't reach the house posts them to a witness, whose board the house reads.

const LOG_KEY = signerKey("house.example/log", ED25519_TYPE, new Uint8Array(32).fill(9));
const STRANGER = signerKey("witness", COSIGNATURE_TYPE, new Uint8Array(32).fill(8));
let world: OrderWorld;
let member: MemberId;
let device: TestDevice;
let terms: { payoutRate: Rate; fee: MicroUsd };
let folder: string;
let witness: RunningWitness;
beforeAll(async () => {
  world = await createOrderWorld();
  member = (await world.build.createMember()) as MemberId;
  device = await addTestDevice(world.build, member);
  // On a busy machine the world's first price may be too old by now.
  await world.tick();
  const open = await world.accepted(member);
  terms = { payoutRate: BigInt(Math.round(Number(open.payoutRate) * 1e6)) as Rate, fee: usd(Number(open.fee)) };
  folder = mkdtempSync(join(tmpdir(), "boards-"));
  const acceptance = ["--acceptance", formatVerifierKey(TEST_SIGNER.verifier)];
  const started = await startWitness(["--folder", folder, "--log", formatVerifierKey(LOG_KEY.verifier), ...acceptance]);
  if (started === null) throw new Error("not started");
  witness = started;
});
beforeEach(() => world.tick());
afterAll(async () => {
  await witness.close();
  rmSync(folder, { recursive: true });
  await world.close();
});

/** Places a sealed order that isn't revealed. Returns it with what its device would post. */
async function sealedOrder(): Promise<{ orderNo: string; posting: Posting }> {
  const choice = choose("down");
  const input = sealedWish(device, choice, await addHead(world.build), terms);
  const verdict = await world.place(member, input);
  if (!verdict.ok || verdict.value.acceptance === null) throw new Error("refused");
  const { acceptance, orderNo, configVersion } = verdict.value;
  const wish = {
    wallet: input.wallet,
    symbol: input.symbol,
    stake: input.stake,
    ...terms,
    durationSeconds: input.duration,
    clientOrderId: input.clientOrderId,
    seal: input.seal as Uint8Array,
    deviceId: input.deviceId as string,
    seenSlot: BigInt(input.seenSlot ?? 0),
    seenHash: input.seenHash as Uint8Array,
    signature: Buffer.from(input.signature ?? "", "base64url"),
    seenAt: BigInt(Date.now()) as Instant,
  };
  const asked = { member: formatId("member", member), wishes: [wish] };
  const posting = makePosting(nodeHashes, asked, { orderNo, configVersion }, acceptance, choice);
  if (posting === null) throw new Error("nothing to post");
  return { orderNo, posting };
}

const post = async (posting: Posting) => {
  const answer = await fetch(`${witness.url}/reveal`, { method: "POST", body: formatPosting(posting) });
  return answer.status;
};

/** Reads all boards once. */
async function follow(url = witness.url): Promise<void> {
  const config = { ...world.context.config, witnesses: [{ url, key: witness.key }] };
  const following = followBoards({ ...world.context, reveals: world.placing.reveals, config });
  await following.stop();
}

async function revealOf(orderNo: string) {
  const { rows } = await world.build.client.query<{ direction: string }>(
    "SELECT direction FROM reveals r WHERE order_id = $1",
    [parseId("order", orderNo)],
  );
  return rows.map(({ direction }) => direction);
}

it("a reveal on a board counts once", async () => {
  const { orderNo, posting } = await sealedOrder();
  expect(await post(posting)).toBe(200);
  expect(await revealOf(orderNo)).toEqual([]);
  await follow();
  expect(await revealOf(orderNo)).toEqual(["down"]);
  await follow();
  expect(await revealOf(orderNo)).toEqual(["down"]);
});

it("a posting that opens no order's seal is refused by the witness, and an unreachable board does no harm", async () => {
  const { orderNo, posting } = await sealedOrder();
  expect(await post({ ...posting, direction: "up" })).toBe(403);
  await follow();
  await follow("http://127.0.0.1:1");
  expect(await revealOf(orderNo)).toEqual([]);
});

it("a line that another key signed is ignored", async () => {
  const { orderNo, posting } = await sealedOrder();
  expect(await post(posting)).toBe(200);
  const stranger = { url: witness.url, key: formatVerifierKey(STRANGER.verifier) };
  const config = { ...world.context.config, witnesses: [stranger] };
  await followBoards({ ...world.context, reveals: world.placing.reveals, config }).stop();
  expect(await revealOf(orderNo)).toEqual([]);
});
