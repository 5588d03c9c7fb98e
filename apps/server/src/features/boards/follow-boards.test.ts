import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { formatId, type Instant, type MemberId, type MicroUsd, parseId, type Rate } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  COSIGNATURE_TYPE,
  ED25519_TYPE,
  formatBoardLine,
  formatPosting,
  formatVerifierKey,
  makePosting,
  type Posting,
  signerKey,
} from "@fairtick/transparency";
import { type RunningWitness, startWitness } from "@fairtick/transparency/cli";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addHead, addTestDevice, choose, sealedWish, type TestDevice } from "../orders/test-sealed.ts";
import { createOrderWorld, type OrderWorld, TEST_SIGNER, usd } from "../orders/test-world.ts";
import type { WitnessSetting } from "../../platform/witness-settings.ts";
import { readOrder } from "../orders/read-orders.ts";
import { type Settlement, startSettlement } from "../settlement/index.ts";
import { boardNames, followBoards } from "./follow-boards.ts";

// A member whose reveals don't reach the house posts them to a witness, whose board the house reads.

const LOG_KEY = signerKey("house.example/log", ED25519_TYPE, new Uint8Array(32).fill(9));
const STRANGER = signerKey("witness", COSIGNATURE_TYPE, new Uint8Array(32).fill(8));
/** A witness that never answers. */
const DEAD: WitnessSetting = { url: "http://127.0.0.1:1", key: formatVerifierKey(STRANGER.verifier) };
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
async function sealedOrder(): Promise<{ orderNo: string; acceptedAt: bigint; posting: Posting }> {
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
  return { orderNo, acceptedAt: BigInt(verdict.value.acceptedAt), posting };
}

const post = async (posting: Posting) => {
  const answer = await fetch(`${witness.url}/reveal`, { method: "POST", body: formatPosting(posting) });
  return answer.status;
};

/** Reads all boards once. */
async function follow(...boards: WitnessSetting[]): Promise<void> {
  const witnesses = boards.length > 0 ? boards : [{ url: witness.url, key: witness.key }];
  const config = { ...world.context.config, witnesses };
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
  await follow(DEAD);
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

describe("a board whose witness lies", () => {
  const LIAR = signerKey("liar.example/w", COSIGNATURE_TYPE, new Uint8Array(32).fill(7));
  const KEY = formatVerifierKey(LIAR.verifier);
  let server: Server | undefined;
  beforeEach(() => world.build.client.query("DELETE FROM board_readings"));
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  type Answer = (from: number, response: ServerResponse) => unknown;

  /** Starts a board that answers whatever it likes. */
  async function serve(answer: Answer): Promise<WitnessSetting> {
    const made = createServer(({ url }, response) => answer(Number(url?.split("/").at(-1)), response));
    server = made;
    await new Promise<void>((listening) => made.listen(0, "127.0.0.1", listening));
    return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}`, key: KEY };
  }

  async function readings(): Promise<{ isRead: boolean; isSilent: boolean } | undefined> {
    const { rows } = await world.build.client.query<{ isRead: boolean; isSilent: boolean }>(
      `SELECT read_through > 0 AS "isRead", failing_since IS NOT NULL AS "isSilent" FROM board_readings WHERE board = $1`,
      [KEY],
    );
    return rows[0];
  }

  const page = (from: number, made: (n: number) => string) =>
    Array.from({ length: 200 }, (_, nth) => `${made(from + nth)}\n`).join("");

  it.each<[string, (posting: Posting) => Answer]>([
    ["never ends", () => (from, to) => to.end(page(from, () => "x"))],
    [
      "signs without end what opens nothing",
      (posting) => (from, to) => {
        to.end(page(from, (n) => formatBoardLine(LIAR, n, 1n, formatPosting({ ...posting, direction: "up" }))));
      },
    ],
    ["gives a page without end", () => (_from, to) => writeForEver(to)],
    ["gives more lines than a page has", () => (_from, to) => to.end("x\n".repeat(201))],
    ["is not there", () => (_from, to) => to.writeHead(404).end("no such page\n")],
  ])("is silent and holds up no other board if it %s", async (_what, answer) => {
    const { orderNo, posting } = await sealedOrder();
    expect(await post(posting)).toBe(200);
    const liar = await serve(answer(posting));
    await follow(liar, { url: witness.url, key: witness.key });
    expect(await revealOf(orderNo)).toEqual(["down"]);
    expect(await readings()).toEqual({ isRead: false, isSilent: true });
  });

  it("is read as empty only if the witness says that it keeps none", async () => {
    await follow(await serve((_from, to) => to.writeHead(404).end("no board is kept here\n")));
    expect(await readings()).toEqual({ isRead: true, isSilent: false });
  });

  it("counts with those lines that open an order, whatever stands beside them", async () => {
    const { orderNo, posting } = await sealedOrder();
    const impossible = { ...posting, place: 2 ** 40, accepted: 2 ** 41, count: 2 ** 42 };
    const [first, ...others] = [impossible, { ...posting, accepted: 2 ** 40 }, posting].map((each, n) =>
      formatBoardLine(LIAR, n, BigInt(Date.now()), formatPosting(each)),
    );
    // The last line doesn't stand where its number says.
    await follow(await serve((from, to) => to.end([first, "x", ...others].slice(from).join("\n") + "\n")));
    expect(await revealOf(orderNo)).toEqual([]);
    await follow(await serve((from, to) => to.end([first, ...others].slice(from).join("\n") + "\n")));
    expect(await revealOf(orderNo)).toEqual(["down"]);
    expect(await readings()).toEqual({ isRead: true, isSilent: false });
  });

  it("is read on from where a round left it, and only then counts as read", async () => {
    const { orderNo, posting } = await sealedOrder();
    const lineOf = (n: number) =>
      n === 0 || n === 1_999 ? formatBoardLine(LIAR, n, BigInt(Date.now()), formatPosting(posting)) : "x";
    const asked: number[] = [];
    let before: unknown = null;
    const liar = await serve(async (from, to) => {
      asked.push(from);
      if (from < 2_000) return to.end(page(from, lineOf));
      before = await readings();
      return to.end();
    });
    const config = { ...world.context.config, witnesses: [liar] };
    const following = followBoards({ ...world.context, reveals: world.placing.reveals, config });
    await vi.waitFor(async () => expect(await readings()).toEqual({ isRead: true, isSilent: false }), 20_000);
    await following.stop();
    expect(before).toBeUndefined();
    expect(asked.slice(0, 11)).toEqual([0, 200, 400, 600, 800, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000]);
    expect(await revealOf(orderNo)).toEqual(["down"]);
  });
});

/** Writes a body that doesn't end, as fast as it is read. */
function writeForEver(to: ServerResponse): void {
  const more = () => {
    while (!to.destroyed && to.write("x".repeat(100_000)));
  };
  to.on("drain", more);
  more();
}

describe("a reveal on a board at the deadline", () => {
  let settlement: Settlement | undefined;
  // Each test begins with a house that is down: nothing settles until it starts.
  beforeAll(() => world.settlement.close());
  afterEach(() => settlement?.close());

  /** Starts settlement as after a restart, with the witness and these others. */
  async function start(...others: WitnessSetting[]): Promise<void> {
    await settlement?.close();
    await begin(others).settleNow();
  }

  function begin(others: readonly WitnessSetting[]): Settlement {
    settlement = startSettlement({
      database: world.context.databases.settlement,
      bus: world.context.bus,
      log: world.context.log,
      configs: world.configs,
      firstStripe: 300,
      boards: boardNames([{ url: witness.url, key: witness.key }, ...others]),
    });
    return settlement;
  }

  const sql = async (text: string, ...values: unknown[]) => (await world.build.client.query(text, values)).rows;

  /** Places an order, and has it wait for its reveal after its expiry. */
  async function waiting(): Promise<Awaited<ReturnType<typeof sealedOrder>>> {
    const order = await sealedOrder();
    const entry = order.acceptedAt + 400n;
    await world.build.feedTicks("EURUSD", [
      { time: entry, price: 1_085_000n },
      { time: entry + 30_000n, price: 1_084_000n },
    ]);
    await start();
    await settlement?.close();
    expect(await stateOf(order.orderNo)).toMatchObject({ state: "open" });
    return order;
  }

  /** Places an order and changes it as if its time to be revealed had ended just now, on a symbol without newer ticks. */
  async function overdue(symbol: string): Promise<string> {
    const { orderNo } = await sealedOrder();
    const { build } = world;
    const at = (await build.now()) - 7n * 86_400_000n - 30_400n;
    const orderId = parseId("order", orderNo);
    for (const [table, trigger, id] of [
      ["orders", "refuse_row_change", "order_id"],
      ["open_groups", "refuse_growth", "first_id"],
    ]) {
      await sql(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
      await sql(`UPDATE ${table} SET symbol = $2, accepted_at = $3 WHERE ${id} = $1`, orderId, symbol, at);
      await sql(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${trigger}`);
    }
    await build.feedTicks(symbol, [
      { time: at + 400n, price: 1_250_000n },
      { time: at + 30_400n, price: 1_251_000n },
    ]);
    return orderNo;
  }

  /** Ends the time to reveal all waiting orders at this moment. */
  async function passDeadline(): Promise<void> {
    await setTimeout(20);
    await sql("UPDATE awaiting_reveals SET reveal_by = floor(extract(epoch FROM clock_timestamp()) * 1000)");
    await setTimeout(20);
  }

  const stateOf = (orderNo: string) => readOrder(world.placing, member, parseId("order", orderNo)!);

  it("counts if it was posted in time, though the house was down over the deadline", async () => {
    const { orderNo, posting } = await waiting();
    expect(await post(posting)).toBe(200);
    await passDeadline();
    await start();
    expect(await stateOf(orderNo)).toMatchObject({ state: "open" });
    await follow();
    await settlement?.settleNow();
    expect(await stateOf(orderNo)).toMatchObject({ state: "settled", outcome: "won", direction: "down" });
  });

  it("is dated before the deadline that it kept, or to when verifiers expect the house to know it", async () => {
    const { orderNo, posting } = await waiting();
    const orderId = parseId("order", orderNo)!;
    expect(await post(posting)).toBe(200);
    await passDeadline();
    const [row] = await sql("SELECT reveal_by FROM awaiting_reveals WHERE order_id = $1", orderId);
    await follow();
    expect(await sql("SELECT revealed_at FROM reveals WHERE order_id = $1", orderId)).toEqual([
      { revealed_at: String(BigInt(row!["reveal_by"] as string) - 1n) },
    ]);
    const early = await sealedOrder();
    const opened = { orderId: parseId("order", early.orderNo)!, memberId: member, nonce: early.posting.sealNonce };
    const at = (await world.build.now()) - 100_000n;
    const choice = { direction: "down", limitPrice: null, postedAt: at as Instant } as const;
    expect(await world.placing.reveals.store({ ...opened, ...choice })).toBe(at + 60_000n);
  });

  it("doesn't count if it was posted after the deadline", async () => {
    const { orderNo, posting } = await waiting();
    await passDeadline();
    expect(await post(posting)).toBe(200);
    await follow();
    expect(await revealOf(orderNo)).toEqual([]);
  });

  it("counts if the house takes it from a board together with the same reveal that came too late", async () => {
    const { orderNo, posting } = await waiting();
    const at = (await world.build.now()) as Instant;
    await passDeadline();
    const given = { orderId: parseId("order", orderNo)!, memberId: member, nonce: posting.sealNonce };
    const late = { ...given, direction: "down", limitPrice: null } as const;
    const { reveals } = world.placing;
    const stored = await Promise.all([late, { ...late, postedAt: at }, late].map((each) => reveals.store(each)));
    expect(stored.map((each) => typeof each)).toContain("bigint");
    expect(await revealOf(orderNo)).toEqual(["down"]);
  });

  it("is waited for on every board, and on a dead one for five minutes in which it is asked", async () => {
    const orderNo = await overdue("GBPUSD");
    await follow();
    await start(DEAD);
    expect(await stateOf(orderNo)).toMatchObject({ state: "open" });
    const silent = "UPDATE board_readings SET failing_since = asked_at - $2::bigint WHERE board = $1";
    // A board that was silent before the house went down isn't known to be dead when it is asked again.
    await follow(DEAD);
    await sql(silent, DEAD.key, 400_000);
    await sql("UPDATE board_readings SET asked_at = asked_at - 100000 WHERE board = $1", DEAD.key);
    await follow(DEAD);
    await start(DEAD);
    expect(await stateOf(orderNo)).toMatchObject({ state: "open" });
    await sql(silent, DEAD.key, 290_000);
    await start(DEAD);
    expect(await stateOf(orderNo)).toMatchObject({ state: "open" });
    await sql(silent, DEAD.key, 300_000);
    await follow(DEAD);
    await start(DEAD);
    expect(await stateOf(orderNo)).toMatchObject({ state: "settled", outcome: "unrevealed" });
  });

  /** Starts settlement with a batch of these orders, whether they are running or wait already. */
  async function startTogether(...orderNos: string[]): Promise<void> {
    await settlement?.close();
    const begun = begin([]);
    const orderIds = orderNos.map((orderNo) => parseId("order", orderNo)!);
    world.context.bus.publish("reveals", { members: orderIds.map(() => member), orderIds });
    await begun.settleNow();
  }

  it("is waited for by a running order whose week wasn't read to its end, beside a waiting one whose week was", async () => {
    const over = await overdue("AUDUSD");
    await start();
    expect(await stateOf(over)).toMatchObject({ state: "open" });
    await follow();
    await setTimeout(20);
    const running = await overdue("USDCAD");
    await startTogether(running, over);
    expect(await stateOf(over)).toMatchObject({ state: "settled", outcome: "unrevealed" });
    expect(await stateOf(running)).toMatchObject({ state: "open" });
    await follow();
    await start();
    expect(await stateOf(running)).toMatchObject({ state: "settled", outcome: "unrevealed" });
  });

  it("is waited for by a waiting order whose week wasn't read to its end, beside a running one whose week was", async () => {
    const { orderNo, posting } = await waiting();
    const running = await overdue("USDCHF");
    await follow();
    await setTimeout(20);
    expect(await post(posting)).toBe(200);
    await passDeadline();
    await startTogether(running, orderNo);
    expect(await stateOf(running)).toMatchObject({ state: "settled", outcome: "unrevealed" });
    expect(await stateOf(orderNo)).toMatchObject({ state: "open" });
    await follow();
    await settlement?.settleNow();
    expect(await stateOf(orderNo)).toMatchObject({ state: "settled", outcome: "won", direction: "down" });
  });

  it("is waited for on a board that answered only before the deadline, also if the house was down all the week", async () => {
    await follow();
    await setTimeout(20);
    const orderNo = await overdue("USDJPY");
    await start();
    expect(await stateOf(orderNo)).toMatchObject({ state: "open" });
    await follow();
    await start();
    expect(await stateOf(orderNo)).toMatchObject({ state: "settled", outcome: "unrevealed" });
  });
});
