import { checkInvariants } from "@fairtick/server/features/ledger";
import { openDatabase } from "@fairtick/server/platform/database";
import { waitUntil } from "@fairtick/testkit";
import type { House, Outage } from "./house.ts";
import { type Load, sendOrder } from "./load.ts";

export interface Verdict {
  /** Violated requirements, in English; empty if there are none. */
  readonly faults: readonly string[];
  readonly settled: number;
  readonly voided: number;
  /** The longest wait for a settlement, from the order's expiry or, if that was in an outage, from the outage's end. */
  readonly latestMs: number;
}

const SETTLED_MS_MAX = 180_000;
/** How many ids are sent again; each response must name the same order as before. */
const SENT_AGAIN = 200;

interface Settled {
  readonly ends: bigint;
  readonly settled_at: bigint;
  readonly outcome: string;
}

/** Judges a finished load: no acknowledged order is lost or duplicated, all are settled, and the invariants hold. */
export async function judge(house: House, load: Load, outages: readonly Outage[]): Promise<Verdict> {
  const reader = openDatabase({ url: house.url, role: "reader", max: 2 });
  const jobs = openDatabase({ url: house.url, role: "jobs", max: 2 });
  const faults: string[] = [];
  try {
    await waitUntil(
      "the last order's settlement",
      async () => (await reader.query("SELECT FROM open_orders LIMIT 1")).length === 0,
      SETTLED_MS_MAX,
    );
    const kept = await reader.query<{ client_order_id: string; orders: bigint }>(
      "SELECT coalesce(client_order_id, client_key::text) AS client_order_id, count(*) AS orders FROM orders GROUP BY 1",
    );
    const ids = new Map(kept.map((row) => [row.client_order_id, row.orders]));
    for (const id of load.acknowledged.keys()) if (!ids.has(id)) faults.push(`${id} was acknowledged and is lost`);
    for (const [id, orders] of ids) if (orders !== 1n) faults.push(`${id} became ${orders} orders`);
    faults.push(...(await sendAgain(house, load)));
    const rows = await reader.query<Settled>(
      `SELECT coalesce(s.entry_at, o.accepted_at) + o.duration * 1000::bigint AS ends, s.settled_at, s.outcome
       FROM orders o JOIN settlements s USING (order_id)`,
    );
    if (rows.length !== kept.length) faults.push(`${kept.length} orders have ${rows.length} settlements`);
    const violations = await checkInvariants({ databases: { jobs } as never }, 0n);
    faults.push(...violations.map(({ invariant, about, wrong }) => `${invariant}: ${about} ${wrong}`));
    return {
      faults,
      settled: rows.length,
      voided: rows.filter(({ outcome }) => outcome === "voided").length,
      latestMs: Math.max(0, ...rows.map((row) => latenessMs(row, outages))),
    };
  } finally {
    await Promise.all([reader.end(), jobs.end()]);
  }
}

async function sendAgain(house: House, { acknowledged }: Load): Promise<string[]> {
  const faults: string[] = [];
  const every = Math.max(1, Math.floor(acknowledged.size / SENT_AGAIN));
  for (const [place, [id, orderNo]] of [...acknowledged].entries()) {
    if (place % every !== 0) continue;
    const token = house.tokens[Number(id.split("-")[1])] ?? "";
    const told = (await sendOrder(house.base, token, id))?.body.data;
    if (told?.orderNo !== orderNo) faults.push(`${id} was ${orderNo} and is now ${JSON.stringify(told)}`);
  }
  return faults;
}

function latenessMs({ ends, settled_at: settledAt }: Settled, outages: readonly Outage[]): number {
  let due = Number(ends);
  for (const { from, to } of outages) if (due >= from && due <= to) due = to;
  return Number(settledAt) - due;
}
