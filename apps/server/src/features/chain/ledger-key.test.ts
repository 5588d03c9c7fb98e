import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainWorld, createChainWorld } from "./test-world.ts";

let world: ChainWorld;
beforeAll(async () => {
  world = await createChainWorld();
});
afterAll(() => world.close());

describe("the ledger's key", () => {
  it("prevents a second credit even if the deposit's own row was rolled back", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 14_000_000n);
    await world.mine(2);
    await world.watch();
    const { client } = world.build;
    await client.query("ALTER TABLE deposits DISABLE TRIGGER step_deposit");
    await client.query("UPDATE deposits SET stage = 'confirming', transfer_id = NULL WHERE member_id = $1", [memberId]);
    await client.query("ALTER TABLE deposits ENABLE ALWAYS TRIGGER step_deposit");
    await expect(world.checkBooks()).rejects.toThrow("I9");
    await world.watch();
    expect(await world.realOf(memberId)).toBe(14_000_000n);
    expect((await world.depositsOf(memberId)).map(({ stage }) => stage)).toEqual(["credited"]);
  });

  it("is not the only guard: a credited deposit can't be changed, and the chain's role can book nothing else", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 15_000_000n);
    await world.mine(2);
    await world.watch();
    const { chain } = world.context.databases;
    await expect(
      chain.query("UPDATE deposits SET stage = 'confirming', transfer_id = NULL WHERE member_id = $1", [memberId]),
    ).rejects.toThrow(/credited and stays so/);
    await expect(chain.query("DELETE FROM deposits WHERE member_id = $1", [memberId])).rejects.toThrow(
      /permission denied/,
    );
    const insert = `INSERT INTO transfers (transfer_id, kind, wallet, made_at, idempotency_key) VALUES (77, 'house_capital', 'real', 0, 'x')`;
    await expect(chain.query(insert)).rejects.toThrow(/chain deposits only/);
  });
});
