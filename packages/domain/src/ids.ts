import type { Nominal } from "./nominal.ts";

/** Time-ordered 63-bit ids (see `createIdSource`); in calls they are prefixed strings, `ord_…`, `usr_…`. */
export type OrderId = Nominal<bigint, "OrderId">;
export type MemberId = Nominal<bigint, "MemberId">;

/** Made by the app before the first send and kept for retries: 8 to 64 characters of `[A-Za-z0-9_-]`. */
export type ClientId = Nominal<string, "ClientId">;
