/** Lets a member confirm a new address with their second factor. Without one, the address has to wait. */
import { accept, type Instant, type MemberId, type Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { type FactorUse, judgeSecondFactor } from "../second-factor/index.ts";

/** An address on a chain, as it is stored. */
export interface StoredAddress {
  readonly chain: string;
  readonly address: string;
}

/** How a new address is added to the book. */
export interface Vouched {
  /** The second factor to spend in the transaction that adds it. */
  readonly factor: FactorUse;
  /** How long the address has to wait. */
  readonly hours: number;
}

/** What is known about an address before it is used. */
export interface AddressStand {
  /** When it can be used, in milliseconds; null if it isn't in the book. */
  readonly usableAt: bigint | null;
  readonly hasFactor: boolean;
  /** How long it would wait if it were added now with the given factor. */
  readonly hours: number;
  readonly now: bigint;
}

/**
 * Reads what a member's book says about an address. A factor that was set up more recently than the waiting time
 * doesn't shorten the wait.
 */
export async function readAddressStand(
  db: Queryable,
  { config }: Pick<Context, "config">,
  memberId: MemberId,
  { chain, address }: StoredAddress,
): Promise<AddressStand> {
  const [row] = await db.query<{ usable_at: bigint | null; since: bigint | null; now: bigint }>(
    `SELECT (SELECT usable_at FROM withdrawal_addresses WHERE member_id = $1 AND chain = $2 AND address = $3 AND removed_at IS NULL) AS usable_at,
       second_factor_since($1) AS since, withdrawal_now() AS now`,
    [memberId, chain, address],
  );
  if (row === undefined) throw new Error("the database's time was not returned");
  const hours = config.withdrawalAddressHours;
  const isOld = row.since !== null && row.since <= row.now - BigInt(hours) * 3_600_000n;
  return { usableAt: row.usable_at, hasFactor: row.since !== null, hours: isOld ? 0 : hours, now: row.now };
}

/**
 * Judges whether a member may add an address. Nothing is asked for if it is in the book, or if the member has no second
 * factor. Refuses SECOND_FACTOR_REQUIRED[means,question], SECOND_FACTOR_WRONG, TOO_MANY_TRIES[retryAt].
 */
export async function vouchForAddress(
  context: Pick<Context, "databases" | "config" | "log">,
  memberId: MemberId,
  address: StoredAddress,
  ask: { readonly secondFactor: string | undefined; readonly sessionId?: bigint | undefined; readonly now: Instant },
): Promise<Verdict<Vouched>> {
  const { usableAt, hours } = await readAddressStand(context.databases.money, context, memberId, address);
  if (usableAt !== null) return accept({ factor: { kind: "none" }, hours });
  const { secondFactor, sessionId, now } = ask;
  const factor = await judgeSecondFactor(context, memberId, secondFactor, {
    purpose: "withdrawal",
    now,
    ...(sessionId !== undefined && { sessionId }),
  });
  return factor.ok ? accept({ factor: factor.value, hours }) : factor;
}
