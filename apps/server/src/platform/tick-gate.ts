/**
 * The tick gate: advisory locks that keep a price from being seen before the orders it opens are committed.
 *
 * A writer of ticks takes its key exclusively in each tick transaction and holds it to the commit; a batch of orders
 * takes every writer's key shared, after its row locks, and reads `acceptedAt` in a later statement. PostgreSQL frees
 * the lock only once the commit is durable and visible, so each tick later than `acceptedAt` is stored after the batch.
 */

/** One lock key for each writer of ticks, in ascending order. Several keys have to be taken in this order. */
export const TICK_GATE_KEYS = { market: 6_270_001 } as const;

/** The statement that a batch of orders runs after its row locks and before it reads `acceptedAt`. */
export const PASS_TICK_GATE = `SELECT ${Object.values(TICK_GATE_KEYS)
  .sort((left, right) => left - right)
  .map((key) => `pg_advisory_xact_lock_shared(${key})`)
  .join(", ")}`;
