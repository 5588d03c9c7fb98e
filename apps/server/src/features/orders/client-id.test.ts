import { randomUUID } from "node:crypto";
import { type ClientId, parseMoney, parseRate, type Rate } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clientKeyOf } from "./client-key.ts";
import { createOrderWorld, newClientId, type OrderWorld, usd } from "./test-world.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
beforeEach(async () => {
  await world.tick();
});
afterAll(() => world.close());

describe("a client id", () => {
  it("leads 300 parallel copies to one order, and refuses another payload with 409", async () => {
    const memberId = await world.build.createMember();
    const clientOrderId = newClientId();
    const copies = await Promise.all(Array.from({ length: 300 }, () => world.place(memberId, { clientOrderId })));
    const orderNos = new Set(copies.map((copy) => (copy.ok ? copy.value.orderNo : JSON.stringify(copy.refusal))));
    expect(orderNos.size).toBe(1);
    expect(await world.orderCount(memberId)).toBe(1);
    const reused = { ok: false, refusal: { error: "CLIENT_ID_REUSED" } };
    expect(await world.place(memberId, { clientOrderId, stake: usd(11) })).toEqual(reused);
    expect(await world.place(memberId, { clientOrderId, symbol: "NOTHERE", stake: usd(1e6) })).toEqual(reused);
    const mixed = newClientId();
    // Three hundred answers may take longer than a price stays fresh.
    await world.tick();
    const both = await Promise.all([
      world.place(memberId, { clientOrderId: mixed }),
      world.place(memberId, { clientOrderId: mixed, direction: "down" }),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both).toContainEqual(reused);
  });

  it("leads to the same order even if the rules would refuse a new one by now", async () => {
    const memberId = await world.build.createMember({ practice: usd(10.1) });
    const clientOrderId = newClientId();
    const placed = await world.accepted(memberId, { clientOrderId });
    expect(await world.place(memberId, { clientOrderId })).toMatchObject({
      ok: true,
      value: { orderNo: placed.orderNo },
    });
    expect(await world.place(memberId)).toMatchObject({ refusal: { error: "INSUFFICIENT_BALANCE" } });
  });

  it("sent again in a batch with new ones leads to its own order, and the new ones to theirs", async () => {
    const members = await world.build.createMembers(8);
    const earlier = await Promise.all(
      members.map(async (memberId) => {
        const clientOrderId = newClientId();
        return { memberId, clientOrderId, placed: await world.accepted(memberId, { clientOrderId }) };
      }),
    );
    for (const again of earlier) {
      const [same, ...others] = await Promise.all([
        world.place(again.memberId, { clientOrderId: again.clientOrderId }),
        ...members.map((memberId) => world.place(memberId)),
      ]);
      expect(same).toMatchObject({ ok: true, value: { orderNo: again.placed.orderNo } });
      expect(others.every(({ ok }) => ok)).toBe(true);
    }
    for (const memberId of members) expect(await world.orderCount(memberId)).toBe(1 + members.length);
  });

  it("accepts the same wish without rate and fee, and refuses it with other ones", async () => {
    const memberId = await world.build.createMember();
    const clientOrderId = newClientId();
    const { orderNo, payoutRate, fee } = await world.accepted(memberId, { clientOrderId });
    const [rate, charge] = [parseRate(payoutRate)!, parseMoney(fee)!];
    expect(await world.place(memberId, { clientOrderId, payoutRate: rate, fee: charge })).toMatchObject({
      value: { orderNo },
    });
    const other = await world.place(memberId, { clientOrderId, payoutRate: (rate + 10_000n) as Rate });
    expect(other).toEqual({ ok: false, refusal: { error: "CLIENT_ID_REUSED" } });
  });

  it("is different from every other one, even from its UUID in capitals, and is answered as it was sent", async () => {
    const memberId = await world.build.createMember();
    const uuid = randomUUID();
    const ids = [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `${uuid}-`, "a".repeat(64)] as ClientId[];
    const placed = await Promise.all(ids.map((clientOrderId) => world.accepted(memberId, { clientOrderId })));
    expect(new Set(placed.map(({ orderNo }) => orderNo)).size).toBe(ids.length);
    expect(placed.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
    const again = await Promise.all(ids.map((clientOrderId) => world.accepted(memberId, { clientOrderId })));
    expect(again.map(({ orderNo, clientOrderId }) => [orderNo, clientOrderId])).toEqual(
      placed.map(({ orderNo, clientOrderId }) => [orderNo, clientOrderId]),
    );
  });

  it.each(["client-1", "0190f5a1-7b3c-7def-8123-456789abcdef", "0190F5A1-7B3C-7DEF-8123-456789ABCDEF"])(
    "%s has the same key in the program and the database",
    async (id) => {
      const { rows } = await world.build.client.query<{ key: string }>("SELECT client_key($1) AS key", [id]);
      expect(rows[0]?.key).toBe(clientKeyOf(id as ClientId));
    },
  );

  it("belongs to one member: another may use the same", async () => {
    const [one, other] = await world.build.createMembers(2);
    const clientOrderId = "same-client-id" as ClientId;
    const first = await world.accepted(one!, { clientOrderId });
    const second = await world.accepted(other!, { clientOrderId });
    expect(first.orderNo).not.toBe(second.orderNo);
  });
});
