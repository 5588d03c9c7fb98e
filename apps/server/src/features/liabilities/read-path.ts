import { accept, formatMoney, type MemberId, type MicroUsd, refuse, toHex, type Verdict } from "@fairtick/domain";
import type { Output, userLiabilityPath } from "@fairtick/protocol";
import { type LogReader, sumNeighbour } from "@fairtick/transparency";
import type { Context } from "../../platform/context.ts";
import { openLoggedEntries } from "../receipts/index.ts";

export interface PathParts {
  readonly databases: Context["databases"];
  /** The log's files. */
  readonly files: LogReader;
}

interface NodeRow {
  readonly level: number;
  readonly sum: bigint;
  readonly hash: Buffer;
}

/** Reads a member's path in a day's tree. Refuses NOT_FOUND if the day has no tree or nothing was owed to them. */
export async function readLiabilityPath(
  { databases, files }: PathParts,
  memberId: MemberId,
  dayText: string,
): Promise<Verdict<Output<typeof userLiabilityPath>>> {
  const database = databases.reader;
  const day = Date.parse(`${dayText}T00:00:00Z`) / 86_400_000;
  const [leaf] = await database.query<{
    place: number;
    nonce: Buffer;
    amount: bigint;
    members: number;
    sum: bigint;
    root: Buffer;
  }>(
    `SELECT l.place, l.nonce, n.sum AS amount, d.members, d.sum, d.root FROM liability_leaves l
     JOIN liability_days d USING (day) JOIN liability_nodes n ON n.day = l.day AND n.level = 0 AND n.place = l.place
     WHERE l.day = $1 AND l.member_id = $2`,
    [day, memberId],
  );
  if (leaf === undefined) return refuse("NOT_FOUND");
  const steps = neighboursOf(leaf.place, leaf.members);
  const nodes = await database.query<NodeRow>(
    `SELECT n.level, n.sum, n.hash FROM unnest($2::smallint[], $3::integer[]) AS s(level, place)
     JOIN liability_nodes n ON n.day = $1 AND n.level = s.level AND n.place = s.place`,
    [day, steps.map(({ level }) => level), steps.map(({ place }) => place)],
  );
  const byLevel = new Map(nodes.map((node) => [node.level, node]));
  const entries = await openLoggedEntries(database, files);
  return accept({
    day: dayText,
    leaf: { amount: money(leaf.amount), nonce: toHex(leaf.nonce) },
    path: steps.flatMap(({ level, side }) => {
      const node = byLevel.get(level);
      return node === undefined ? [] : [{ side, sum: money(node.sum), hash: toHex(node.hash) }];
    }),
    root: { sum: money(leaf.sum), hash: toHex(leaf.root) },
    logged: await entries.find("liabilities", BigInt(day)),
  });
}

/** Returns the places of the neighboring nodes on the way from a leaf to the root. */
function neighboursOf(leaf: number, members: number) {
  const steps: { readonly level: number; readonly place: number; readonly side: "left" | "right" }[] = [];
  let place = leaf;
  let level = 0;
  for (let size = members; size > 1; size = Math.ceil(size / 2)) {
    const beside = sumNeighbour(place, size);
    if (beside !== null) steps.push({ level, ...beside });
    place = Math.floor(place / 2);
    level += 1;
  }
  return steps;
}

function money(amount: bigint): string {
  return formatMoney(amount as MicroUsd);
}
