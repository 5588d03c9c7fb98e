import { createIdSource, type MemberId } from "@fairtick/domain";
import {
  callNode,
  callNodeForText,
  deployTokens,
  mine,
  startAnvil,
  STRANGER,
  type Anvil,
  type TestTokens,
} from "@fairtick/test-chain";
import { type Builder, createBuilder } from "@fairtick/testkit";
import { systemClock } from "../../platform/clock.ts";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { createAddressMaker, type DepositContext } from "../deposits/index.ts";
import { showAddress } from "../deposits/show-address.ts";
import { checkInvariants } from "../ledger/index.ts";
import { watchParts } from "./start-watchers.ts";
import { chainSettings } from "./test-settings.ts";
import type { WatchParts } from "./watch-parts.ts";
import { newMemory, watchRound } from "./watch-round.ts";

/** Account of a published test key. It holds nothing of value and isn't secret. */
export const TEST_XPUB =
  "xpub6Bu3vQK2Z6wvPsfAzJs5MnxnTp8jS9myvLBqsqsgR8ySmV797kCJsfnu1h9GfRxzg2u5qbnpRDDCgJHFZ1rexQ5hS4WqQ8tqZBkkYPt3wCw";

/** A real chain and a real database, with members who have addresses on it. */
export interface ChainWorld {
  readonly context: TestContext;
  readonly build: Builder;
  readonly anvil: Anvil;
  readonly tokens: TestTokens;
  readonly settings: ChainSettings;
  readonly parts: WatchParts;
  readonly deposits: DepositContext;
  /** Creates a member with an address on the chain. */
  member(): Promise<{ readonly memberId: bigint; readonly address: string }>;
  /** Sends tokens from a stranger; they are in the next block. Returns the transaction's hash. */
  send(to: string, units: bigint, token?: string): Promise<string>;
  sendMany(to: readonly string[], units: readonly bigint[]): Promise<string>;
  mine(blocks?: number): Promise<void>;
  /** Removes the newest blocks and mines new ones; `transactions` says which transactions go into which of them. */
  reorg(depth: number, transactions?: readonly (readonly [RawTransaction, number])[]): Promise<void>;
  /** Reads the chain until there is nothing new. */
  watch(parts?: WatchParts): Promise<void>;
  /** Reads the member's deposits, oldest first. */
  depositsOf(memberId: bigint): Promise<readonly StoredDeposit[]>;
  realOf(memberId: bigint): Promise<bigint>;
  /** Throws if an invariant of the ledger is broken. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
}

export interface StoredDeposit {
  readonly deposit_id: string;
  readonly stage: string;
  readonly amount: string;
  readonly height: string;
  readonly tx_hash: string;
  readonly log_index: number;
}

export type RawTransaction = string | Readonly<Record<string, string>>;

const GAS = "0x2dc6c0";

/** Returns the transfer that `send` makes, as a request to the node. */
export function transferRequest(token: string, to: string, units: bigint): Readonly<Record<string, string>> {
  return { from: STRANGER.address, to: token, gas: GAS, data: `0xa9059cbb${word(BigInt(to))}${word(units)}` };
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

export async function createChainWorld(change: Partial<ChainSettings> = {}): Promise<ChainWorld> {
  const base = await createTestContext();
  const anvil = await startAnvil({ folder: null });
  const tokens = await deployTokens(anvil.url);
  const settings = chainSettings(anvil.url, tokens.noReturn, change);
  const context = { ...base, clock: { ...base.clock, ...systemClock }, config: { ...base.config, chains: [settings] } };
  const build = await createBuilder(base.database.url);
  const parts = watchParts({ ...context, ids: createIdSource({ node: 901, clock: systemClock }) }, settings);
  const deposits: DepositContext = { ...context, addresses: createAddressMaker({ evm: TEST_XPUB, tron: null }) };
  const send = (request: Readonly<Record<string, string>>) =>
    callNodeForText(anvil.url, "eth_sendTransaction", [request]);
  return {
    context,
    build,
    anvil,
    tokens,
    settings,
    parts,
    deposits,
    async member() {
      const memberId = await build.createMember();
      const shown = await showAddress(deposits, memberId as MemberId, "test", context.clock.now());
      if (!shown.ok) throw new Error(shown.refusal.error);
      return { memberId, address: shown.value.address.toLowerCase() };
    },
    send: (to, units, token = tokens.noReturn) => send(transferRequest(token, to, units)),
    sendMany(to, units) {
      // Encodes a call of transferMany(address[],uint256[]).
      const list = (values: readonly bigint[]) => word(BigInt(values.length)) + values.map(word).join("");
      const first = list(to.map(BigInt));
      const data = `0xb7fc6612${word(64n)}${word(64n + BigInt(first.length / 2))}${first}${list(units)}`;
      return send({ from: STRANGER.address, to: tokens.noReturn, gas: GAS, data });
    },
    mine: (blocks = 1) => mine(anvil.url, blocks),
    async reorg(depth, transactions = []) {
      await callNode(anvil.url, "anvil_reorg", [depth, transactions]);
    },
    async watch(used = parts) {
      const memory = newMemory();
      while (await watchRound(used, memory));
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
      await anvil.stop();
      await base.close();
    },
  };
}
