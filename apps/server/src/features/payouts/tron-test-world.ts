import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientId, createIdSource, formatTronAddress, type MemberId } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { parseRules, payoutAddress, readSeed, type RunningSigner, startSigner } from "@fairtick/signer";
import { COIN, TRON_TOKEN } from "@fairtick/test-chain/tron";
import { systemClock } from "../../platform/clock.ts";
import { createTronWorld, type TronWorld } from "../chain/tron-test-world.ts";
import { setFirstTradePassword } from "../sessions/testing.ts";
import { newPayoutMemory, type PayoutMemory, type PayoutParts } from "./payout-parts.ts";
import { payoutRound } from "./payout-round.ts";
import { requestWithdrawal } from "../withdrawals/request-withdrawal.ts";
import { openSignerDoor } from "../signer/signer-door.ts";
import { payoutParts } from "./start-payouts.ts";
import { SIGNER_SECRET, usd } from "./test-world.ts";
import type { WithdrawalContext } from "../withdrawals/withdrawal-context.ts";
import { parseWithdrawNo, WITHDRAWAL_SELECT, type WithdrawalRow } from "../withdrawals/withdrawal-view.ts";

const PASSWORD = "482915";
const MNEMONIC = "legal winner thank year wave sausage worth useful legal winner thank yellow";

/** A TRON node, a real signer with money on it, and members who can withdraw. */
export interface TronPayoutWorld {
  readonly chain: TronWorld;
  readonly context: WithdrawalContext;
  readonly signer: RunningSigner;
  readonly wallet: string;
  readonly parts: PayoutParts;
  readonly memory: PayoutMemory;
  /** Makes a new member request a withdrawal, to their own address or to a given one. */
  ask(
    amount: number,
    to?: string,
  ): Promise<{ readonly memberId: MemberId; readonly id: bigint; readonly address: string }>;
  row(id: bigint): Promise<WithdrawalRow>;
  /** Runs a round of paying and mines a block with what it sent. */
  round(change?: Partial<PayoutParts>): Promise<void>;
  rounds(count: number): Promise<void>;
  /** Amounts of the token transfers from the paying wallet to an address, read from the blocks. */
  paidTo(address: string): readonly bigint[];
  restartSigner(): Promise<void>;
  close(): Promise<void>;
}

export async function createTronPayoutWorld(): Promise<TronPayoutWorld> {
  const chain = await createTronWorld();
  const { node } = chain;
  const folder = mkdtempSync(join(tmpdir(), "payout-tron-"));
  writeFileSync(join(folder, "mnemonic"), MNEMONIC);
  const token = formatTronAddress(TRON_TOKEN, (bytes) => nodeHashes.sha256(bytes));
  const allowed = {
    chains: [{ kind: "tron", chain: String(node.chainId), genesis: node.genesis, token, nodes: [node.url] }],
    trustFirstKey: true,
  };
  const settings = { port: 0, secret: SIGNER_SECRET, folder, rules: parseRules(JSON.stringify(allowed)) };
  let signer = await startSigner(settings, chain.context.clock);
  const wallet = payoutAddress(readSeed(folder), "tron");
  node.chain.give(TRON_TOKEN, wallet, 1_000_000_000_000n);
  node.chain.give(COIN, wallet, 1_000_000_000_000n);
  const door = openSignerDoor({ url: signer.url, secret: SIGNER_SECRET });
  const context: WithdrawalContext = { ...chain.context, ids: chain.parts.ids, signer: door };
  const parts = payoutParts({ ...context, signer: door }, chain.settings);
  const memory = newPayoutMemory();
  // Put blocks on top of the wallet's money, so that the first round of paying already counts it.
  node.chain.mine(4);
  await chain.watch();
  let made = 0;
  const ids = createIdSource({ node: 903, clock: systemClock });

  async function round(change: Partial<PayoutParts> = {}): Promise<void> {
    await payoutRound({ ...parts, ...change }, memory);
    node.chain.mine();
    await chain.watch();
  }

  return {
    chain,
    context,
    get signer() {
      return signer;
    },
    wallet,
    parts,
    memory,
    async ask(amount, to) {
      made += 1;
      const memberId = (await chain.build.createMember({ real: usd(amount), tradePassword: false })) as MemberId;
      const now = chain.context.clock.now();
      await setFirstTradePassword(context, memberId, PASSWORD, now);
      const address = to ?? `0x${ids.next().toString(16).padStart(40, "e")}`;
      const asked = await requestWithdrawal(
        context,
        memberId,
        {
          chain: "tron",
          address: formatTronAddress(address, (bytes) => nodeHashes.sha256(bytes)),
          amount: usd(amount),
          tradePassword: PASSWORD,
          clientId: `tron-${made}-${process.pid}` as ClientId,
        },
        now,
      );
      if (!asked.ok) throw new Error(asked.refusal.error);
      return { memberId, id: parseWithdrawNo(asked.value.withdrawNo) ?? 0n, address };
    },
    async row(id) {
      const [found] = await chain.context.databases.reader.query<WithdrawalRow>(
        `${WITHDRAWAL_SELECT} WHERE w.withdrawal_id = $1`,
        [id],
      );
      if (found === undefined) throw new Error(`no withdrawal ${id}`);
      return found;
    },
    round,
    async rounds(count) {
      for (let number = 0; number < count; number += 1) await round();
    },
    paidTo: (address) =>
      node.chain.blocks.flatMap(({ transactions }) =>
        transactions.flatMap(({ transaction, logs }) =>
          logs
            .filter(({ topics }) => transaction.call.owner === wallet && topics[2]?.endsWith(address.slice(2)))
            .map(({ data }) => BigInt(data)),
        ),
      ),
    async restartSigner() {
      await signer.close();
      signer = await startSigner({ ...settings, port: Number(new URL(signer.url).port) }, chain.context.clock);
    },
    async close() {
      await signer.close();
      rmSync(folder, { recursive: true });
      await chain.close();
    },
  };
}
