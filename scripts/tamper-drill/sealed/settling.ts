import { setTimeout as sleep } from "node:timers/promises";
import { createBuilder, waitUntil } from "@fairtick/testkit";
import { type Device, type Kept, placeSealed, reveal } from "./device.ts";
import type { SealedHouse } from "./house.ts";
import { lookAtLog, lookAtReceipt, type Notice, waitForFault } from "./look.ts";

/** Attacks on revealed orders: their direction is known, and only the result has to be written. */

const HELD_MS = 16_000;
/** Long enough for the log to tell of moments more than half a minute after the expiry. */
const HELD_LONG_MS = 100_000;
const SETTLED_MS_MAX = 60_000;
const ENTERED_MS = 2_500;

/** Keeps incidents out of the log until the returned function is called, so that delays aren't explained. */
export async function dropIncidents({ product }: SealedHouse): Promise<() => Promise<void>> {
  await product.sql(
    `CREATE FUNCTION drill_drop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
     CREATE TRIGGER drill_drop BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = 'incident') EXECUTE FUNCTION drill_drop()`,
  );
  return async () => {
    await product.sql("DROP TRIGGER drill_drop ON outbox; DROP FUNCTION drill_drop");
  };
}

/** Withholds wins for a quarter of a minute; the house's incident about it is kept out of the log, or not. */
export async function holdSettlement(house: SealedHouse, keepsSilent: boolean): Promise<Notice[]> {
  const known = await lookAtLog(house, "any");
  const giveBack = keepsSilent ? await dropIncidents(house) : () => Promise.resolve();
  try {
    await holdWinner(house, HELD_MS);
  } finally {
    await giveBack();
  }
  if (keepsSilent) return waitForFault(house, known);
  const incident = await waitUntil(
    "the incident",
    async () =>
      (await lookAtLog(house, "any")).find(
        (sentence) => sentence.startsWith("incidents: settlement") && !known.includes(sentence),
      ),
    SETTLED_MS_MAX,
  );
  return [{ who: "`fairtick verify --log`", sentence: `note ${incident}` }];
}

/** Withholds a win for more than a minute, and logs it as if it had been settled right after its expiry. */
export async function backDateSettlement(house: SealedHouse): Promise<Notice[]> {
  const known = await lookAtLog(house);
  const giveBack = await dropIncidents(house);
  try {
    await holdWinner(house, HELD_LONG_MS, async (expiry) => {
      await house.product.sql(
        `CREATE FUNCTION drill_date() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           NEW.entry := regexp_replace(NEW.entry, '"settledAt":[0-9]+', '"settledAt":${expiry + 1_000}');
           RETURN NEW; END $$;
         CREATE TRIGGER drill_date BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = 'orders.settle') EXECUTE FUNCTION drill_date()`,
      );
    });
  } finally {
    await house.product.sql("DROP TRIGGER drill_date ON outbox; DROP FUNCTION drill_date");
    await giveBack();
  }
  return waitForFault(house, known);
}

/** Places an order that wins and keeps it from being settled for `ms` from its expiry on. `meanwhile` gets that moment. */
async function holdWinner(
  house: SealedHouse,
  ms: number,
  meanwhile: (expiry: number) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const [device, kept] = await placeWinner(house, 6);
  const attacker = await createBuilder(house.product.databaseUrl);
  try {
    const expiry = kept.answer.kind === "accepted" ? kept.answer.order.acceptedAt + house.terms.duration * 1_000 : 0;
    await sleep(Math.max(0, expiry - 1_000 - Date.now()));
    await attacker.client.query("BEGIN");
    await attacker.client.query("SELECT 1 FROM members_money WHERE member_id = $1 FOR UPDATE", [device.memberId]);
    await meanwhile(expiry);
    await sleep(ms);
    await attacker.client.query("COMMIT");
    await settled(device, kept);
  } finally {
    await attacker.end();
  }
}

/** Logs a win as a loss, with the direction that would make it one. */
export async function logOppositeDirection(house: SealedHouse): Promise<Notice[]> {
  const known = await lookAtLog(house);
  await house.product.sql(
    `CREATE FUNCTION drill_turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.entry := regexp_replace(NEW.entry, '"direction":"up"(,"duration":[^}]*"outcome":)"won"', '"direction":"down"\\1"lost"', 'g');
       RETURN NEW; END $$;
     CREATE TRIGGER drill_turn BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = 'orders.settle') EXECUTE FUNCTION drill_turn()`,
  );
  try {
    const [device, kept] = await placeWinner(house, 7);
    await settled(device, kept);
    const faults = await waitForFault(house, known);
    const orderNo = kept.answer.kind === "accepted" ? kept.answer.order.orderNo : "";
    return [...faults, ...(await lookAtReceipt(house, device, orderNo)).slice(0, 1)];
  } finally {
    await house.product.sql("DROP TRIGGER drill_turn ON outbox; DROP FUNCTION drill_turn");
  }
}

/** Places an order that will win and waits until it is bound, has its entry and is opened. */
export async function placeWinner(house: SealedHouse, place: number): Promise<readonly [Device, Kept]> {
  const device = house.devices[place];
  if (device === undefined) throw new Error(`the drill has no member ${place}`);
  const { symbol } = house.terms;
  house.exchange.set({ [symbol]: "97000.00" });
  await sleep(ENTERED_MS);
  const kept = await placeSealed(device, house.terms, house.heads.newest(), "up");
  if (kept.answer.kind !== "accepted") throw new Error(`the order was refused: ${kept.answer.error}`);
  await sleep(ENTERED_MS);
  await reveal(device, kept);
  house.exchange.set({ [symbol]: "97100.00" });
  return [device, kept];
}

export async function settled(device: Device, { answer }: Kept): Promise<void> {
  const orderNo = answer.kind === "accepted" ? answer.order.orderNo : "";
  await waitUntil(
    "the settlement",
    async () => (await device.call("order/detail", { orderNo })).data["state"] === "settled",
    SETTLED_MS_MAX,
  );
}
