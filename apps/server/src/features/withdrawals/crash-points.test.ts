import { execFile } from "node:child_process";
import { join } from "node:path";
import { createPublicClient, http, parseAbiItem } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPayoutWorld, type PayoutWorld, SIGNER_SECRET, usd } from "./test-world.ts";

let world: PayoutWorld;
beforeAll(async () => {
  world = await createPayoutWorld();
});
afterAll(() => world.close());

/** Pays until it dies or nothing is under way; answers how it ended. */
function runChild(point: string): Promise<string> {
  return new Promise((resolve) => {
    const { chain, signer } = world;
    const args = [
      join(import.meta.dirname, "crash-child.ts"),
      chain.context.database.url,
      point,
      chain.anvil.url,
      chain.tokens.noReturn,
      signer.url,
      SIGNER_SECRET,
    ];
    const child = execFile(process.execPath, args, (error) => {
      resolve(child.signalCode ?? (error === null ? "done" : error.message));
    });
  });
}

/** What a client of nobody's finds on the chain. */
async function transfersTo(address: `0x${string}`): Promise<bigint[]> {
  const client = createPublicClient({ transport: http(world.chain.anvil.url) });
  const logs = await client.getLogs({
    address: world.chain.tokens.noReturn as `0x${string}`,
    event: parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)"),
    args: { to: address },
    fromBlock: 0n,
  });
  return logs.map(({ args }) => args.value ?? 0n);
}

const POINTS = [
  "payout.judged",
  "payout.decided",
  "payout.authorized",
  "payout.reserving",
  "payout.reserved",
  "payout.signing",
  "payout.stored",
  "payout.signed",
  "payout.sent",
  "payout.broadcast",
  "payout.final",
  "payout.confirming",
  "payout.confirmed",
];

describe("a payout killed", () => {
  it.each(POINTS)(
    "at %s and started again, with the signer too, pays exactly once",
    async (point) => {
      const one = await world.ask(25);
      const two = await world.ask(26);
      expect(await runChild(point)).toBe("SIGKILL");
      await world.restartSigner();
      // Whoever goes on knows nothing but the tables: this process has sent nothing yet.
      await world.rounds(4);
      expect(await transfersTo(one.address)).toEqual([24_000_000n]);
      expect(await transfersTo(two.address)).toEqual([25_000_000n]);
      for (const { id, memberId } of [one, two]) {
        expect((await world.row(id)).stage).toBe("confirmed");
        const { rows } = await world.chain.build.client.query(
          "SELECT real_available::text AS available, real_locked::text AS locked FROM members_money WHERE member_id = $1",
          [memberId],
        );
        expect(rows[0]).toEqual({ available: "0", locked: "0" });
      }
      const { rows } = await world.chain.build.client.query(
        `SELECT (SELECT count(*) FROM payout_nonces)::integer AS nonces, (SELECT max(nonce) + 1 FROM payout_nonces)::integer AS next,
           (SELECT count(*) FROM transfers WHERE kind = 'withdrawal_paid')::integer AS paid`,
      );
      // No nonce left out, none given twice, each paid one booked once.
      expect(rows[0].nonces).toBe(rows[0].next);
      expect(rows[0].paid).toBe(rows[0].nonces);
      await world.chain.checkBooks();
    },
    60_000,
  );

  it("while a failed payment is set aside, sets it aside once and never sends it anew", async () => {
    const { id, memberId, address } = await world.ask(27);
    const { url } = world.chain.anvil;
    const { callNode } = await import("@fairtick/test-chain");
    const { payoutRound } = await import("./payout-round.ts");
    await payoutRound(world.parts, world.memory);
    const [owner] = (await callNode(url, "eth_accounts")) as string[];
    const fee = "0x174876e800";
    const pause = {
      from: owner,
      to: world.chain.tokens.noReturn,
      gas: "0x30000",
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee,
    };
    await callNode(url, "eth_sendTransaction", [{ ...pause, data: "0x8456cb59" }]);
    await world.chain.mine();
    await callNode(url, "eth_sendTransaction", [{ ...pause, data: "0x3f4ba83a" }]);
    await world.chain.mine(2);
    expect(await runChild("payout.failed")).toBe("SIGKILL");
    await world.rounds(2);
    expect(await world.row(id)).toMatchObject({ stage: "needs_review", reason: "reverted" });
    expect(await transfersTo(address)).toEqual([]);
    const { rows } = await world.chain.build.client.query(
      "SELECT real_locked::text AS locked FROM members_money WHERE member_id = $1",
      [memberId],
    );
    expect(rows[0].locked).toBe(String(usd(27)));
    await world.chain.checkBooks();
  }, 60_000);
});
