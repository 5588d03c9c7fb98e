import type { Nominal } from "../base/nominal.ts";

/** An amount of USD in millionths (micro-USD). It may be negative where a docblock says so. */
export type MicroUsd = Nominal<bigint, "MicroUsd">;

/** A rate in millionths: 850_000n is 0.85. */
export type Rate = Nominal<bigint, "Rate">;

export type Wallet = "practice" | "real";
export const WALLETS: readonly Wallet[] = ["practice", "real"];
