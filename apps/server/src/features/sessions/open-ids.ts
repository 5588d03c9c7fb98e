import { createIdSource, type IdSource } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** Ids for members, sessions and starting balances. The database assigns this process its node number. */
export async function openIds({ databases, clock }: Pick<Context, "databases" | "clock">): Promise<IdSource> {
  const [row] = await databases.sessions.query<{ node: bigint }>("SELECT nextval('order_id_nodes') AS node");
  return createIdSource({ node: Number(row?.node ?? 0n), clock });
}
