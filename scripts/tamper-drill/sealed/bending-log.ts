import { setTimeout as sleep } from "node:timers/promises";
import { type Device, type Kept, placeSealed, reveal } from "./device.ts";
import { one, type SealedHouse } from "./house.ts";
import { lookAtLog, lookAtReceipt, type Notice, waitForFault } from "./look.ts";
import { placeWinner, settled } from "./settling.ts";

/** Attacks on what binds orders: the batches in the log, the heads over them, and what a settlement opens. */

const AT_ONCE = 12;
const UNBOUND_MS = 6_000;

/** Changes entries of a kind on their way into the log while `work` runs. `change`: PL/pgSQL that sets NEW.entry. */
export async function bendEntries<Of>(
  { product }: SealedHouse,
  kind: string,
  change: string,
  work: () => Promise<Of>,
): Promise<Of> {
  await product.sql(
    `CREATE FUNCTION drill_bend() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${change} RETURN NEW; END $$;
     CREATE TRIGGER drill_bend BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = '${kind}') EXECUTE FUNCTION drill_bend()`,
  );
  try {
    return await work();
  } finally {
    await product.sql("DROP TRIGGER drill_bend ON outbox; DROP FUNCTION drill_bend");
  }
}

/** Settles an order with another nonce than the one of its terms, so that nobody could tell what was agreed. */
export async function settleWithWrongNonce(house: SealedHouse): Promise<Notice[]> {
  const known = await lookAtLog(house);
  const turn = `NEW.entry := regexp_replace(NEW.entry, '"nonce":"[0-9a-f]{32}"', '"nonce":"${"ab".repeat(16)}"', 'g');`;
  const [device, kept] = await bendEntries(house, "orders.settle", turn, async () => {
    const placed = await placeWinner(house, 10);
    await settled(...placed);
    return placed;
  });
  return [...(await waitForFault(house, known)), ...(await ofReceipt(house, device, kept))];
}

/** Leaves the last order of a batch out of what the log says of that batch: its commitment and its number. */
export async function leaveOutOfBatch(house: SealedHouse): Promise<Notice[]> {
  const known = await lookAtLog(house);
  const shorten = `
    IF octet_length(decode(NEW.entry::jsonb ->> 'commitments', 'base64')) > 32 THEN
      NEW.entry := regexp_replace(NEW.entry, '"commitments":"[^"]*"', '"commitments":"' || translate(encode(
        substring(decode(NEW.entry::jsonb ->> 'commitments', 'base64')
          FOR octet_length(decode(NEW.entry::jsonb ->> 'commitments', 'base64')) - 32), 'base64'), E'\\n', '') || '"');
    END IF;`;
  const placed = await bendEntries(house, "orders.accept", shorten, () => placeTogether(house));
  const last = placed.find(([, { answer }]) => isLastOfBatch(answer));
  if (last === undefined) throw new Error("no batch had two orders");
  const faults = await waitForFault(house, known);
  return [...faults, ...(await ofReceipt(house, ...last))];
}

/** Places orders of several members at the same time, so that they share batches, and opens them. */
async function placeTogether(house: SealedHouse): Promise<readonly (readonly [Device, Kept])[]> {
  const devices = house.devices.slice(20, 20 + AT_ONCE);
  const head = house.heads.newest();
  const placed = await Promise.all(
    devices.map(async (device) => [device, await placeSealed(device, house.terms, head)] as const),
  );
  for (const [device, kept] of placed) await reveal(device, kept);
  return placed;
}

function isLastOfBatch(answer: Kept["answer"]): boolean {
  if (answer.kind !== "accepted" || answer.acceptance === null) return false;
  const { accepted, place } = answer.acceptance;
  return accepted !== null && accepted > 1 && place === accepted - 1;
}

/** Keeps an accepted batch out of the heads until its entry price is known. */
export async function bindLate(house: SealedHouse): Promise<Notice[]> {
  const { product } = house;
  const known = await lookAtLog(house);
  const [former] = await product.sql<{ body: string }>("SELECT pg_get_functiondef('store_tick_slot'::regproc) AS body");
  if (former === undefined) throw new Error("the function that makes heads is gone");
  const [device, head] = [one(house, 11), house.heads.newest()];
  const bent = former.body.replace("b.batch_no > last_through", "b.batch_no > last_through AND false");
  if (bent === former.body) throw new Error("the function that makes heads doesn't bind batches as it did");
  await product.sql(bent);
  let kept: Kept;
  try {
    kept = await placeSealed(device, house.terms, head);
    if (kept.answer.kind !== "accepted") throw new Error(`the order was refused: ${kept.answer.error}`);
    await sleep(UNBOUND_MS);
  } finally {
    await product.sql(former.body);
  }
  await reveal(device, kept);
  const faults = await waitForFault(house, known);
  return [...faults, ...(await ofReceipt(house, device, kept))];
}

async function ofReceipt(house: SealedHouse, device: Device, { answer }: Kept): Promise<Notice[]> {
  const orderNo = answer.kind === "accepted" ? answer.order.orderNo : "";
  return (await lookAtReceipt(house, device, orderNo)).slice(0, 1);
}
