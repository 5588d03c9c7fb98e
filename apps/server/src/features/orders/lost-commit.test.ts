import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../platform/database.ts";
import { type Acceptance, openAcceptance } from "./open-acceptance.ts";
import { placeOrder, type PlaceOrderInput, type Placing } from "./place-order.ts";
import { createOrderWorld, newClientId, type OrderWorld, TEST_REGIONS, TEST_SIGNER, usd } from "./test-world.ts";

// Tests a connection that dies between a COMMIT and its answer, with a database that stays away longer than a wish
// waits.

let world: OrderWorld;
let proxy: Server;
/** A database that is reached through the proxy. */
let unsteady: Database;
let open: Acceptance;
let placing: Placing;
/** What happens to the next connections and answers. */
let weather: "fair" | "lose the answer to a commit" | "away" = "fair";
const sockets = new Set<Socket>();
let ahead = 0;

beforeAll(async () => {
  world = await createOrderWorld();
  const url = new URL(world.context.database.url);
  const [host, port] = [url.hostname, Number(url.port)];
  proxy = createServer((near) => {
    if (weather === "away") {
      near.destroy();
      return;
    }
    const far = connect(port, host);
    let isLost = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    near.on("data", (bytes) => {
      far.write(bytes);
      if (weather !== "lose the answer to a commit" || !bytes.includes("commit\0")) return;
      isLost = true;
      weather = "away";
      // The server has received everything and has time to commit, but its answer is lost.
      setTimeout(() => near.destroy(), 300);
    });
    far.on("data", (bytes) => {
      if (!isLost) near.write(bytes);
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", () => resolve()));
  const through = new URL(url);
  through.searchParams.delete("host");
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  unsteady = openDatabase({ url: through.href, role: "orders", max: 2 });
  const { clock, databases } = world.context;
  const elapsedMs = () => clock.elapsedMs() + ahead;
  open = await openAcceptance(
    { ...world.context, clock: { ...clock, elapsedMs }, databases: { ...databases, orders: unsteady } },
    { configs: world.configs, acceptance: world.acceptance, regions: TEST_REGIONS, signer: TEST_SIGNER },
  );
  placing = { ...world.placing, collector: open.collector };
});
afterAll(async () => {
  weather = "fair";
  await open.close();
  await unsteady.end();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await world.close();
});

async function place(memberId: bigint, clientOrderId: PlaceOrderInput["clientOrderId"]) {
  await world.tick();
  const wish = { wallet: "practice", symbol: "EURUSD", direction: "up", stake: usd(10), duration: 30 } as const;
  return placeOrder(placing, memberId as Parameters<typeof placeOrder>[1], { ...wish, clientOrderId });
}

const ordersOf = async (memberId: bigint) =>
  (await world.build.client.query("SELECT 1 FROM orders WHERE member_id = $1", [memberId])).rowCount;

/** More than the longest time that a wish waits for the database. */
const GIVEN_UP_MS = 9_000;

describe("an order whose commit got no answer", () => {
  it("is found by its client id, however late, and its member is never told that it was not placed", async () => {
    const memberId = await world.build.createMember();
    weather = "lose the answer to a commit";
    const answer = place(memberId, newClientId());
    await waitUntil("the order", async () => (await ordersOf(memberId)) === 1 || null);
    ahead += GIVEN_UP_MS;
    await new Promise((resolve) => setTimeout(resolve, 700));
    weather = "fair";
    expect(await answer).toMatchObject({ ok: true, value: { orderNo: expect.stringContaining("ord_") } });
    expect(await ordersOf(memberId)).toBe(1);
  });

  it("gets no answer while the database is away, and is the same order when it is sent again", async () => {
    const memberId = await world.build.createMember();
    const clientOrderId = newClientId();
    weather = "lose the answer to a commit";
    const answer = place(memberId, clientOrderId).then(
      () => "answered",
      (error: Error) => error.message,
    );
    await waitUntil("the order", async () => (await ordersOf(memberId)) === 1 || null);
    ahead += GIVEN_UP_MS;
    await new Promise((resolve) => setTimeout(resolve, 500));
    ahead += 70_000;
    expect(await answer).toBe("nobody can say whether the order was placed");
    weather = "fair";
    expect((await place(memberId, clientOrderId)).ok).toBe(true);
    expect(await ordersOf(memberId)).toBe(1);
  });

  it("is refused with NOT_NOW if it certainly was not placed", async () => {
    const memberId = await world.build.createMember();
    weather = "away";
    for (const socket of sockets) socket.destroy();
    const answer = place(memberId, newClientId());
    await new Promise((resolve) => setTimeout(resolve, 500));
    ahead += GIVEN_UP_MS;
    expect(await answer).toEqual({ ok: false, refusal: { error: "NOT_NOW" } });
    weather = "fair";
    expect(await ordersOf(memberId)).toBe(0);
  });
});
