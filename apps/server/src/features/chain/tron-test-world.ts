import { createIdSource, type Instant, judgeTronAddress, type MemberId } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { startTronNode, type TronNode } from "@fairtick/test-chain/tron";
import { type Builder, createBuilder } from "@fairtick/testkit";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { createAddressMaker, type DepositContext } from "../deposits/index.ts";
import { showAddress } from "../deposits/show-address.ts";
import { checkInvariants } from "../ledger/index.ts";
import { watchParts } from "./start-watchers.ts";
import { tronSettings } from "./test-settings.ts";
import type { StoredDeposit } from "./test-world.ts";
import type { WatchParts } from "./watch-parts.ts";
import { newMemory, watchRound } from "./watch-round.ts";

/** Account of a published test key for TRON. It holds nothing of value and isn't secret. */
const TRON_XPUB =
  "xpub6BuRy7ZmkGfP2RWhoor1kWB1w9DvrtmJbFBvnC1bQ4SB5NbCHTyQYCJSXZtxDbFyHTmC7wkU2he3nYYdpZ3Vf6qUAkXSnL6RPif4BDtDEKr";
/** How many blocks the solidified one is behind the newest. Few, so that tests need few blocks. */
const SOLIDIFIED_BEHIND = 3;

/** A TRON node, a real database, and members with addresses on the chain. */
export interface TronWorld {
  readonly context: TestContext;
  readonly build: Builder;
  readonly node: TronNode;
  readonly settings: ChainSettings;
  readonly parts: WatchParts;
  readonly deposits: DepositContext;
  /** Creates a member with an address, as the app shows it and as the chain knows it. */
  member(): Promise<{ readonly memberId: bigint; readonly shown: string; readonly address: string }>;
  /** Reads the chain until there is nothing new. */
  watch(parts?: WatchParts): Promise<void>;
  /** Moves the chain's time and all clocks forward. */
  skip(ms: number): void;
  depositsOf(memberId: bigint): Promise<readonly StoredDeposit[]>;
  realOf(memberId: bigint): Promise<bigint>;
  /** Throws if an invariant of the ledger is broken. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
}

export async function createTronWorld(change: Partial<ChainSettings> = {}): Promise<TronWorld> {
  const base = await createTestContext();
  const node = await startTronNode({ solidifiedBehind: SOLIDIFIED_BEHIND });
  const settings = tronSettings(node.url, change);
  let skipped = 0n;
  const now = () => (systemClock.now() + skipped) as Instant;
  const context = {
    ...base,
    clock: { ...base.clock, ...systemClock, now },
    config: { ...base.config, chains: [settings] },
  };
  const build = await createBuilder(base.database.url);
  const parts = watchParts({ ...context, ids: createIdSource({ node: 902, clock: systemClock }) }, settings);
  const deposits: DepositContext = { ...context, addresses: createAddressMaker({ evm: null, tron: TRON_XPUB }) };
  const watch = async (used: WatchParts) => {
    const memory = newMemory();
    while (await watchRound(used, memory));
  };
  await watch(parts);
  return {
    context,
    build,
    node,
    settings,
    parts,
    deposits,
    async member() {
      const memberId = await build.createMember();
      const shown = await showAddress(deposits, memberId as MemberId, "tron", now());
      if (!shown.ok) throw new Error(shown.refusal.error);
      const read = judgeTronAddress(shown.value.address, (bytes) => nodeHashes.sha256(bytes));
      if (!read.ok) throw new Error(read.refusal.error);
      return { memberId, shown: shown.value.address, address: read.value };
    },
    watch: (used = parts) => watch(used),
    skip(ms) {
      skipped += BigInt(ms);
      node.chain.skipTime(ms);
    },
    async depositsOf(memberId) {
      const { rows } = await build.client.query<StoredDeposit>(
        `SELECT d.deposit_id, d.stage, d.amount, t.height, t.tx_hash, t.log_index FROM deposits d JOIN chain_transfers t USING (deposit_id)
         WHERE d.member_id = $1 ORDER BY d.deposit_id`,
        [memberId],
      );
      return rows;
    },
    async realOf(memberId) {
      const { rows } = await build.client.query<{ real: string }>(
        "SELECT real_available AS real FROM members_money WHERE member_id = $1",
        [memberId],
      );
      return BigInt(rows[0]?.real ?? 0);
    },
    async checkBooks() {
      const violations = await checkInvariants(context, 0n);
      if (violations.length > 0) throw new Error(JSON.stringify(violations));
    },
    async close() {
      await build.end();
      await node.stop();
      await base.close();
    },
  };
}
