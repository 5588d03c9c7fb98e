import { WALLETS, type MicroUsd, type Wallet, type WalletExposure } from "@fairtick/domain";
import type { Row } from "../../platform/lane.ts";
import type { SumsBySymbol } from "../ledger/index.ts";

/** One batch's share of the exposure, from its judgement until a later reading of the tables includes it. */
export interface ExposureClaim {
  /** Notes that the batch was committed. A reading that begins afterwards includes it. */
  commit(): void;
  /** Notes that the batch was rolled back. */
  drop(): void;
}

/**
 * The exposure that acceptance works with: the tables' counters, read every 250 ms, plus what this process has accepted since.
 * It always includes this process's own orders and lags behind other processes by at most one reading.
 */
export interface ExposureView {
  readonly pools: Readonly<Record<Wallet, MicroUsd>>;
  current(): Readonly<Record<Wallet, WalletExposure>>;
  claim(added: SumsBySymbol): ExposureClaim;
  /** Applies a reading of `READ_EXPOSURE`: call `begin` before sending the statement, `end` with its rows. */
  beginReading(): (rows: readonly Row[]) => void;
}

export function createExposureView(): ExposureView {
  const claims = new Set<{ readonly added: SumsBySymbol; committed: boolean }>();
  let pools: Record<Wallet, MicroUsd> = { practice: 0n as MicroUsd, real: 0n as MicroUsd };
  let read: Record<Wallet, Map<string, bigint>> = { practice: new Map(), real: new Map() };
  return {
    get pools() {
      return pools;
    },
    current() {
      const sums = { practice: new Map(read.practice), real: new Map(read.real) };
      for (const { added } of claims) {
        for (const wallet of WALLETS) {
          for (const [symbol, profit] of added[wallet]) {
            sums[wallet].set(symbol, (sums[wallet].get(symbol) ?? 0n) + profit);
          }
        }
      }
      return { practice: withTotal(sums.practice), real: withTotal(sums.real) };
    },
    claim(added) {
      const claim = { added, committed: false };
      claims.add(claim);
      return {
        commit() {
          claim.committed = true;
        },
        drop() {
          claims.delete(claim);
        },
      };
    },
    beginReading() {
      // Batches committed by now are in the snapshot. Those that commit meanwhile may be too, and count twice until the next one.
      const held = [...claims].filter((claim) => claim.committed);
      return (rows) => {
        const next: Record<Wallet, Map<string, bigint>> = { practice: new Map(), real: new Map() };
        const nextPools: Record<Wallet, MicroUsd> = { ...pools };
        for (const [wallet, balance, symbol, profit] of rows) {
          const name = wallet === "real" ? "real" : "practice";
          nextPools[name] = balance as MicroUsd;
          if (typeof symbol === "string" && typeof profit === "bigint") next[name].set(symbol, profit);
        }
        read = next;
        pools = nextPools;
        for (const claim of held) claims.delete(claim);
      };
    },
  };
}

function withTotal(bySymbol: ReadonlyMap<string, bigint>): WalletExposure {
  let total = 0n;
  for (const profit of bySymbol.values()) total += profit;
  return { total: total as MicroUsd, bySymbol: bySymbol as ReadonlyMap<string, MicroUsd> };
}
