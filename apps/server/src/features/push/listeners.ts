import type { Context } from "../../platform/context.ts";

/**
 * How long the list is used before it is read again, in ms. With thousands of orders a second, most then need no query.
 */
const USED_MS = 5_000;

/** Knows which members have a browser that accepts notifications. */
export class Listeners {
  readonly #context: Pick<Context, "databases" | "clock">;
  #known: { readonly members: ReadonlySet<bigint>; readonly readAt: number } | null = null;
  /** How often someone turned notifications on. A list that was being read meanwhile isn't kept. */
  #changes = 0;

  constructor(context: Pick<Context, "databases" | "clock">) {
    this.#context = context;
  }

  /** Notes that someone turned notifications on, so that the list is read again. */
  changed(): void {
    this.#changes += 1;
    this.#known = null;
  }

  /** Returns whether none of these members listens, as far as is known without a query. */
  surelyNone(members: readonly bigint[]): boolean {
    const known = this.#fresh();
    return known !== null && !members.some((member) => known.has(member));
  }

  /** Returns those of the pairs whose member listens. */
  async among(members: readonly bigint[], ids: readonly bigint[]) {
    const listens = await this.#read();
    const places = members.flatMap((member, place) => (listens.has(member) ? [place] : []));
    return [places.map((place) => members[place] ?? 0n), places.map((place) => ids[place] ?? 0n)] as const;
  }

  #fresh(): ReadonlySet<bigint> | null {
    const isFresh = this.#known !== null && this.#context.clock.elapsedMs() - this.#known.readAt < USED_MS;
    return isFresh ? (this.#known?.members ?? null) : null;
  }

  async #read(): Promise<ReadonlySet<bigint>> {
    const fresh = this.#fresh();
    if (fresh !== null) return fresh;
    const readAt = this.#context.clock.elapsedMs();
    const before = this.#changes;
    const rows = await this.#context.databases.jobs.query<{ member_id: bigint }>(
      `SELECT DISTINCT p.member_id FROM push_subscriptions p JOIN members m USING (member_id) WHERE m.settings -> 'notifications' = 'true'`,
    );
    const members = new Set(rows.map(({ member_id }) => member_id));
    if (this.#changes === before) this.#known = { members, readAt };
    return members;
  }
}
