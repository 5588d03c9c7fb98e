import { createHash } from "node:crypto";
import { decodeTokenTransfer, type TronCall } from "@fairtick/domain";

/** A signed transaction. `id` is `0x` and the SHA-256 of the signed bytes. */
export interface TronTransaction {
  readonly id: string;
  readonly raw: Uint8Array;
  readonly call: TronCall;
  readonly signature: Uint8Array;
}

export interface TronLog {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface MinedTransaction {
  readonly transaction: TronTransaction;
  readonly succeeded: boolean;
  readonly logs: readonly TronLog[];
}

export interface TronBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly transactions: readonly MinedTransaction[];
  /** Amounts moved by all transactions so far, by `contract owner`; the coin's contract is `coin`. */
  readonly moved: ReadonlyMap<string, bigint>;
}

export interface ReorgOptions {
  /** Whether transactions of the removed blocks wait for another block; otherwise they are lost. */
  readonly keep?: boolean;
}

/**
 * A chain that behaves like TRON in everything on which money depends, with the transactions waiting for the next
 * block.
 */
export interface TronChain {
  readonly blocks: readonly TronBlock[];
  readonly pool: ReadonlyMap<string, TronTransaction>;
  /** While true, transactions move no tokens and are mined as failed. */
  paused: boolean;
  /** While true, blocks take nothing from the pool. */
  holding: boolean;
  head(): TronBlock;
  /** Returns the last block that can't be reverted. */
  solidified(): TronBlock;
  /**
   * Checks a transaction as a node does before it keeps it. Null if it may wait for a block, otherwise the error's
   * name.
   */
  judge(transaction: TronTransaction): string | null;
  offer(transaction: TronTransaction): void;
  drop(id: string): void;
  mine(blocks?: number): void;
  /** Advances the chain's time without a block. */
  skipTime(ms: number): void;
  reorg(depth: number, options?: ReorgOptions): void;
  find(id: string): { readonly block: TronBlock; readonly place: number; readonly mined: MinedTransaction } | null;
  /** Returns the tokens, or coins (`coin`), at an address after a block. */
  balance(contract: string, owner: string, block?: TronBlock): bigint;
  /** Creates tokens or coins from nothing, before the first block. */
  give(contract: string, owner: string, units: bigint): void;
}

export const COIN = "coin";
/** keccak256 of `Transfer(address,address,uint256)` */
const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Cost of a transfer, in millionths of a TRX. */
const COST = 13_000_000n;
const DAY_MS = 86_400_000n;
/** End of the first block's hash. The last four bytes are the chain's id, as in TRON's own networks. */
const GENESIS_TAIL = "2bfa17dc";

export interface ChainOptions {
  readonly tokens: readonly string[];
  /** How far the last block is ahead of the solidified one. */
  readonly solidifiedBehind: number;
  readonly now: () => number;
  /** Another number makes another chain with the same id. */
  readonly life: number;
}

export function createTronChain({ tokens, solidifiedBehind, now, life }: ChainOptions): TronChain {
  const blocks: TronBlock[] = [genesisOf(life, now())];
  const pool = new Map<string, TronTransaction>();
  const gifts = new Map<string, bigint>();
  const places = new Map<string, { height: number; place: number }>();
  let skipped = 0;
  let salt = 0;
  const head = () => blocks.at(-1) ?? genesisOf(life, 0);

  const chain: TronChain = {
    blocks,
    pool,
    paused: false,
    holding: false,
    head,
    solidified: () => blocks[Math.max(0, blocks.length - 1 - solidifiedBehind)] ?? head(),
    judge(transaction) {
      const { call, id } = transaction;
      if (places.has(id) || pool.has(id)) return "DUP_TRANSACTION_ERROR";
      if (isExpired(call)) return "TRANSACTION_EXPIRATION_ERROR";
      return buildsOnUs(call) ? null : "TAPOS_ERROR";
    },
    offer: (transaction) => pool.set(transaction.id, transaction),
    drop: (id) => pool.delete(id),
    mine(count = 1) {
      for (let added = 0; added < count; added += 1) add(chain.holding ? [] : takeFromPool());
    },
    skipTime(ms) {
      skipped += ms;
    },
    reorg(depth, { keep = true } = {}) {
      if (depth > head().height - chain.solidified().height) throw new Error("a solidified block is never taken back");
      for (const { transactions } of blocks.splice(blocks.length - depth)) {
        for (const { transaction } of transactions) {
          places.delete(transaction.id);
          if (keep) pool.set(transaction.id, transaction);
        }
      }
      for (let added = 0; added < depth; added += 1) add([]);
    },
    find(id) {
      const found = places.get(id);
      const block = blocks[found?.height ?? -1];
      const mined = block?.transactions[found?.place ?? -1];
      return found === undefined || block === undefined || mined === undefined
        ? null
        : { block, place: found.place, mined };
    },
    balance(contract, owner, block = head()) {
      const key = `${contract} ${owner}`;
      return (gifts.get(key) ?? 0n) + (block.moved.get(key) ?? 0n);
    },
    give(contract, owner, units) {
      const key = `${contract} ${owner}`;
      gifts.set(key, (gifts.get(key) ?? 0n) + units);
    },
  };

  /** Returns whether no block may include the call, because its parent's time is at or after the call's expiration. */
  function isExpired({ expiration }: TronCall): boolean {
    const time = BigInt(head().time);
    return expiration <= time || expiration > time + DAY_MS;
  }

  /** Returns whether the block to which a call refers is on this branch. */
  function buildsOnUs({ refBlockBytes, refBlockHash }: TronCall): boolean {
    const low = Buffer.from(refBlockBytes).readUInt16BE();
    const height = head().height - ((head().height - low) & 0xffff);
    return blocks[height]?.hash.slice(18, 34) === Buffer.from(refBlockHash).toString("hex");
  }

  function takeFromPool(): TronTransaction[] {
    const taken: TronTransaction[] = [];
    for (const [id, transaction] of pool) {
      if (isExpired(transaction.call)) pool.delete(id);
      else if (buildsOnUs(transaction.call)) taken.push(transaction);
    }
    return taken;
  }

  function add(taken: readonly TronTransaction[]): void {
    const parent = head();
    const height = parent.height + 1;
    const time = Math.max(parent.time + 1, now() + skipped);
    const moved = new Map(parent.moved);
    salt += 1;
    const transactions = taken.map((transaction) => execute(transaction, moved));
    const rest = createHash("sha256").update(`${parent.hash} ${time} ${salt} ${taken.map(({ id }) => id).join(" ")}`);
    blocks.push({
      height,
      hash: `0x${height.toString(16).padStart(16, "0")}${rest.digest("hex").slice(16)}`,
      parentHash: parent.hash,
      time,
      transactions,
      moved,
    });
    for (const [place, { id }] of taken.entries()) {
      pool.delete(id);
      places.set(id, { height, place });
    }
  }

  /** Executes a transaction. A failed one is mined too, and burns its fee. */
  function execute(transaction: TronTransaction, moved: Map<string, bigint>): MinedTransaction {
    const { owner, contract, data, feeLimit } = transaction.call;
    const move = (what: string, who: string, units: bigint) => {
      const key = `${what} ${who}`;
      moved.set(key, (moved.get(key) ?? 0n) + units);
    };
    const have = (what: string) => (gifts.get(`${what} ${owner}`) ?? 0n) + (moved.get(`${what} ${owner}`) ?? 0n);
    const enough = feeLimit >= COST && have(COIN) >= COST;
    const left = feeLimit < have(COIN) ? feeLimit : have(COIN);
    move(COIN, owner, -(enough ? COST : left));
    const transfers = tokens.includes(contract) ? readTransfers(data) : null;
    const sum = transfers?.reduce((total, { units }) => total + units, 0n) ?? 0n;
    if (transfers === null || !enough || chain.paused || sum > have(contract)) {
      return { transaction, succeeded: false, logs: [] };
    }
    const logs = transfers.map(({ to, units }) => {
      move(contract, owner, -units);
      move(contract, to, units);
      return { contract, topics: [TRANSFER_TOPIC, topicOf(owner), topicOf(to)], data: wordOf(units) };
    });
    return { transaction, succeeded: true, logs };
  }

  return chain;
}

function genesisOf(life: number, time: number): TronBlock {
  const rest = createHash("sha256").update(`the first block of life ${life}`).digest("hex");
  const hash = `0x${"0".repeat(16)}${rest.slice(16, -GENESIS_TAIL.length)}${GENESIS_TAIL}`;
  return { height: 0, hash, parentHash: `0x${"0".repeat(64)}`, time, transactions: [], moved: new Map() };
}

/** Reads `transfer(address,uint256)`, or `transferMany(address[],uint256[])` as in the EVM chains' test token. */
function readTransfers(data: Uint8Array): readonly { readonly to: string; readonly units: bigint }[] | null {
  const one = decodeTokenTransfer(data);
  if (one !== null) return [one];
  const text = Buffer.from(data).toString("hex");
  if (!text.startsWith("b7fc6612")) return null;
  const words = text.slice(8).match(/.{64}/g) ?? [];
  const list = (place: number) => {
    const start = Number(BigInt(`0x${words[place] ?? "0"}`)) / 32;
    const length = Number(BigInt(`0x${words[start] ?? "0"}`));
    return words.slice(start + 1, start + 1 + length);
  };
  const units = list(1);
  return list(0).map((to, place) => ({ to: `0x${to.slice(24)}`, units: BigInt(`0x${units[place] ?? "0"}`) }));
}

function topicOf(address: string): string {
  return `0x${address.slice(2).padStart(64, "0")}`;
}

function wordOf(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
