import { execFile } from "node:child_process";
import { join } from "node:path";
import { callNode } from "@fairtick/test-chain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainWorld, createChainWorld } from "./test-world.ts";

let world: ChainWorld;
beforeAll(async () => {
  world = await createChainWorld();
});
afterAll(() => world.close());

/** Runs a watcher until it dies or has nothing left to do; answers how it ended. */
function runChild(point: string): Promise<string> {
  return new Promise((resolve) => {
    const args = [
      join(import.meta.dirname, "crash-child.ts"),
      world.context.database.url,
      point,
      world.anvil.url,
      world.tokens.noReturn,
    ];
    const child = execFile(process.execPath, args, (error) => {
      resolve(child.signalCode ?? (error === null ? "done" : error.message));
    });
  });
}

describe("a watcher killed", () => {
  it.each([
    "chain.read",
    "chain.stored",
    "chain.moved",
    "chain.verified",
    "chain.booked",
    "chain.finished",
    "chain.credited",
  ])(
    "at %s and started again leaves each transfer credited exactly once",
    async (point) => {
      const { memberId, address } = await world.member();
      await world.sendMany([address, address], [11_000_000n, 12_000_000n]);
      await world.mine(2);
      expect(await runChild(point)).toBe("SIGKILL");
      expect(await runChild(`${point}:2`)).toMatch(/SIGKILL|done/);
      expect(await runChild("nowhere")).toBe("done");
      expect(await world.realOf(memberId)).toBe(23_000_000n);
      expect((await world.depositsOf(memberId)).map(({ stage }) => stage)).toEqual(["credited", "credited"]);
      await world.checkBooks();
    },
    60_000,
  );

  it("while it steps back from a reorganisation goes back whole, and credits what comes again once", async () => {
    const { memberId, address } = await world.member();
    await world.mine(2);
    const hash = await world.send(address, 13_000_000n);
    await world.mine();
    await world.watch();
    const raw = (await callNode(world.anvil.url, "eth_getRawTransactionByHash", [hash])) as string;
    await world.reorg(2, [[raw, 1]]);
    expect(await runChild("chain.orphaned")).toBe("SIGKILL");
    await world.mine(2);
    expect(await runChild("nowhere")).toBe("done");
    expect(await world.realOf(memberId)).toBe(13_000_000n);
    await world.checkBooks();
  }, 60_000);
});

describe("the ledger's key", () => {
  it("prevents a second credit even where the deposit's own row is gone back", async () => {
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

  it("and the deposit's stages are held by the database: what is credited stays so, and the chain's role books nothing else", async () => {
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
