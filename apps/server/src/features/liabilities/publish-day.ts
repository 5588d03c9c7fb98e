import { randomBytes } from "node:crypto";
import { canonicalJson, formatId, type Instant, type MemberId, toHex, utcDay } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { SUM_NONCE_BYTES, sumLeaf, type SumNode, sumParents } from "@fairtick/transparency";
import type { Context } from "../../platform/context.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";

interface BalanceRow {
  readonly member_id: bigint;
  readonly amount: bigint;
}

/** How many nodes are hashed before other tasks get a turn. Even, so that no pair is split. */
const NODES_AT_ONCE = 2048;

/**
 * Publishes what is owed to all real wallets on the UTC day of `now`: stores the tree and its entry for the public log in the
 * same transaction, once a day however often it runs. Nothing is published while nothing is owed. Returns whether this run
 * published it.
 */
export async function publishLiabilities({ databases }: Pick<Context, "databases">, now: Instant): Promise<boolean> {
  const day = utcDay(now);
  const jobs = databases.jobs;
  const known = await jobs.query("SELECT FROM liability_days WHERE day = $1", [day]);
  if (known.length > 0) return false;
  const balances = await jobs.query<BalanceRow>(
    `SELECT member_id, real_available + real_locked AS amount FROM members_money WHERE real_available + real_locked > 0`,
  );
  if (balances.length === 0) return false;
  const leaves = shuffled(balances, day);
  const levels = await buildLevels(leaves.map(({ node }) => node));
  const root = levels.at(-1)?.[0];
  if (root === undefined) return false;
  const nodes = levels.flatMap((level, height) => level.map((node, place) => ({ ...node, height, place })));

  return jobs.transaction(async (transaction) => {
    const mine = await transaction.query(
      `INSERT INTO liability_days (day, read_at, members, sum, root) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (day) DO NOTHING RETURNING 1`,
      [day, now, leaves.length, root.sum, root.hash],
    );
    if (mine.length === 0) return false;
    await transaction.query(
      `INSERT INTO liability_nodes (day, level, place, sum, hash)
       SELECT $1, n.level, n.place, n.sum, n.hash
       FROM unnest($2::smallint[], $3::integer[], $4::bigint[], $5::bytea[]) AS n(level, place, sum, hash)`,
      [
        day,
        nodes.map(({ height }) => height),
        nodes.map(({ place }) => place),
        nodes.map(({ sum }) => sum),
        nodes.map(({ hash }) => Buffer.from(hash)),
      ],
    );
    await transaction.query(
      `INSERT INTO liability_leaves (day, member_id, place, nonce)
       SELECT $1, l.member_id, l.place - 1, l.nonce
       FROM unnest($2::bigint[], $3::bytea[]) WITH ORDINALITY AS l(member_id, nonce, place)`,
      [day, leaves.map(({ memberId }) => memberId), leaves.map(({ nonce }) => nonce)],
    );
    const entry = canonicalJson({
      at: now,
      day,
      kind: "liabilities",
      members: leaves.length,
      root: toHex(root.hash),
      sum: String(root.sum),
      v: 1,
      wallet: "real",
    });
    await transaction.query("INSERT INTO outbox (kind, entry) VALUES ('liabilities', $1)", [entry]);
    return true;
  });
}

/** Returns the leaves in the order of random nonces, so that a place reveals nothing about its neighbors. */
function shuffled(balances: readonly BalanceRow[], day: number) {
  return balances
    .map(({ member_id: memberId, amount }) => ({ memberId, amount, nonce: randomBytes(SUM_NONCE_BYTES) }))
    .sort((left, right) => Buffer.compare(left.nonce, right.nonce))
    .map(({ memberId, amount, nonce }) => {
      const member = formatId("member", memberId as MemberId);
      return { memberId, nonce, node: sumLeaf(nodeHashes, { day, wallet: "real", member, amount, nonce }) };
    });
}

async function buildLevels(leaves: readonly SumNode[]): Promise<(readonly SumNode[])[]> {
  const levels = [leaves];
  for (let level = leaves; level.length > 1;) {
    const above: SumNode[] = [];
    for (let from = 0; from < level.length; from += NODES_AT_ONCE) {
      above.push(...sumParents(nodeHashes, level.slice(from, from + NODES_AT_ONCE)));
      await new Promise((turn) => setImmediate(turn));
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

/** How often to check. Often in a sandbox, so that people who try it find a tree soon after their first money. */
const EVERY_MS = { sandbox: 5_000, live: 60_000 } as const;

/** Publishes each day's sum once, until stopped. */
export function startLiabilities(context: Pick<Context, "config" | "databases" | "clock" | "log">): Rounds {
  const { log, clock } = context;
  const failed = "what is owed could not be published; the next round tries again";
  return startRounds({ log, everyMs: EVERY_MS[context.config.deployment], failed }, async () => {
    if (await publishLiabilities(context, clock.now())) log.info("what is owed to members was published");
  });
}
