import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogFilter } from "./node.ts";
import { rescan } from "./rescan.ts";
import { type ChainWorld, createChainWorld } from "./test-world.ts";

/** Number of other members. More addresses than fit into two requests. */
const OTHERS = 450;

let world: ChainWorld;
beforeAll(async () => {
  world = await createChainWorld();
  const owner = await world.build.createMember();
  await world.build.client.query(
    `INSERT INTO deposit_addresses (chain, address, member_id, child, account_hash, made_at)
     SELECT 'test', '0x' || lpad(to_hex(n), 40, '0'), $1, 100000 + n, 'another', 0 FROM generate_series(4096, 4095 + $2::integer) n`,
    [owner, OTHERS],
  );
  await world.watch();
});
afterAll(() => world.close());

const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.build.client.query<Row>(text, values)).rows;
const stages = async (memberId: bigint) => (await world.depositsOf(memberId)).map(({ stage }) => stage);
const incidents = (memberId: bigint) =>
  sql("SELECT kind FROM incidents WHERE member_id = $1 AND kind = 'missed_transfer'", [memberId]);
/** Returns the watcher's parts with a node that records what it is asked for. */
function listening() {
  const asked: LogFilter[] = [];
  const logs: ChainWorld["parts"]["node"]["logs"] = (range, filter) => {
    asked.push(filter);
    return world.parts.node.logs(range, filter);
  };
  return { asked, parts: { ...world.parts, node: { ...world.parts.node, logs } } };
}

describe("with more addresses than fit into one request", () => {
  it("the watcher reads only our own token, and the rescan finds another one without an incident", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 30_000_000n);
    await world.send(address, 40_000_000n, world.tokens.standard);
    await world.mine(2);
    const watching = listening();
    await world.watch(watching.parts);
    expect(await stages(memberId)).toEqual(["credited"]);
    expect(new Set(watching.asked.map(({ address: token }) => token))).toEqual(new Set([world.settings.token]));

    const { asked, parts } = listening();
    expect(await rescan(parts)).toBe(false);
    expect(asked.map(({ topics }) => topics[2]?.length)).toEqual([200, 200, 51]);
    const [own, other] = await world.depositsOf(memberId);
    expect(own).toMatchObject({ stage: "credited", amount: "30000000" });
    expect(other).toMatchObject({ stage: "wrong_token", amount: "0" });
    expect(await incidents(memberId)).toEqual([]);
    await rescan(world.parts);
    expect(await stages(memberId)).toEqual(["credited", "wrong_token"]);
    await world.checkBooks();
  });

  it("the rescan finds a transfer of our own token that the node kept back, and opens an incident", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 31_000_000n);
    await world.mine(2);
    await world.watch({ ...world.parts, node: { ...world.parts.node, logs: () => Promise.resolve([]) } });
    await rescan(world.parts);
    await world.watch();
    expect(await stages(memberId)).toEqual(["credited"]);
    expect(await incidents(memberId)).toHaveLength(1);
  });

  it("the rescan continues where it stopped, so that older blocks are not left out", async () => {
    const { memberId, address } = await world.member();
    await world.send(address, 41_000_000n, world.tokens.standard);
    await world.mine(25);
    await world.watch();
    expect(await stages(memberId)).toEqual([]);
    let rounds = 1;
    while (await rescan(world.parts, 10n)) rounds += 1;
    expect(rounds).toBe(3);
    expect(await stages(memberId)).toEqual(["wrong_token"]);
    const [row] = await sql(
      "SELECT cursor_height - looked_height AS behind FROM chain_instances WHERE ended_at IS NULL",
    );
    expect(row).toEqual({ behind: "0" });
  });
});
