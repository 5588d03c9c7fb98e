import { generateKeyPairSync, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { deviceHash, type DeviceId, type Direction, formatId } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { type Device, faultOfAnswer, placeOpen, placeSealed, reveal } from "./device.ts";
import { one, type SealedHouse, stolenCall } from "./house.ts";
import { lookAtLog, lookForStrangers, type Notice, waitForFault } from "./look.ts";

/** Attacks that forge, delay or deny an order. Each leaves evidence for the member's device or anyone's verifier. */

const POST_DATED_MS = 8_000;
const SECOND_MS = 1_000;

/** Stamps orders eight seconds later than they arrived, to choose their entry. */
export async function postDate(house: SealedHouse): Promise<Notice[]> {
  const { product } = house;
  const known = await lookAtLog(house);
  const [former] = await product.sql<{ body: string }>("SELECT pg_get_functiondef('accept_within'::regproc) AS body");
  if (former === undefined) throw new Error("the function that stamps batches is gone");
  await product.sql(
    `CREATE OR REPLACE FUNCTION accept_within(accepted_at bigint, valid_from bigint, valid_until bigint) RETURNS bigint
     LANGUAGE plpgsql AS $$ BEGIN RETURN accepted_at + ${POST_DATED_MS}; END $$`,
  );
  const device = one(house, 0);
  const kept = await placeSealed(device, house.terms, house.heads.newest());
  await product.sql(former.body);
  const fault = faultOfAnswer(device, kept, house.policy);
  const told =
    fault === null
      ? []
      : [
          {
            who: "member's device",
            sentence: `the answer is \`${fault}\`: accepted too long after the prices that the device saw`,
          },
        ];
  await reveal(device, kept);
  return [...told, ...(await waitForFault(house, known))];
}

/** Logs in as the member with a forged session row and places an open order that will lose. */
export async function placeInTheirName(house: SealedHouse): Promise<Notice[]> {
  const device = one(house, 1);
  await placeOpen({ ...device, call: await stolenCall(house, device) }, house.terms, loser(house));
  return waitForStranger(house, device);
}

/** Does the same with a forged device for the member, which is either shown to the member or hidden from them. */
export async function placeByMintedDevice(house: SealedHouse, isShown: boolean): Promise<Notice[]> {
  const device = one(house, isShown ? 2 : 3);
  const { id, minted } = await mintDevice(house, device);
  const kept = await placeSealed(minted, house.terms, house.heads.newest(), loser(house));
  if (kept.answer.kind !== "accepted") throw new Error(`the minted order was refused: ${kept.answer.error}`);
  await reveal(minted, kept);
  // The device now belongs to another member, so the member's list omits it; the order stays.
  if (!isShown)
    await house.product.sql(`UPDATE order_devices SET member_id = ${one(house, 4).memberId} WHERE device_id = ${id}`);
  return waitForStranger(house, device);
}

/** Sends one member an alert that they never set, so that only they learn that a price was reached. */
export async function alertOneMember(house: SealedHouse, way: Direction): Promise<() => Promise<Notice[]>> {
  const members = house.devices.filter((_, place) => place % 2 === 0);
  const about = way === "up" ? "down" : "up";
  await house.product.sql(
    `INSERT INTO price_alerts (alert_id, member_id, symbol, direction, price, client_id, created_at)
     SELECT member_id, member_id, '${house.terms.symbol}', '${about}', (SELECT price FROM instrument_clock WHERE symbol = '${house.terms.symbol}'),
       'drill', floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1000
     FROM members WHERE member_id IN (${members.map(({ memberId }) => memberId).join(", ")})`,
  );
  return async () => {
    const [first] = members;
    const { data } = first === undefined ? { data: {} } : await first.call("alert/list", {});
    const alerts = Object.values(data).flat().length;
    await house.product.sql("DELETE FROM price_alerts WHERE client_id = 'drill'");
    return alerts === 0
      ? []
      : [{ who: "a member who reads their alerts", sentence: "alert/list shows an alert that this member never made" }];
  };
}

/** The app checks its member's orders a few times a minute; by then the log has what an order needs. */
const APP_LOOKS_MS = 5_000;

async function waitForStranger(house: SealedHouse, device: Device): Promise<Notice[]> {
  await sleep(APP_LOOKS_MS);
  return lookForStrangers(house, device, []);
}

/** Returns the losing side: the attacker moves the price the other way once the order has its entry. */
function loser(house: SealedHouse): Direction {
  void sleep(3 * SECOND_MS).then(() => house.exchange.set({ [house.terms.symbol]: "96900.00" }));
  return "up";
}

/** Adds a key of the attacker's as the member's device, with the log entry that a receipt of its order has to show. */
async function mintDevice(
  house: SealedHouse,
  owner: Device,
): Promise<{ readonly id: bigint; readonly minted: Device }> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ format: "der", type: "spki" });
  const id = BigInt(`0x${randomBytes(7).toString("hex")}`);
  const deviceId = formatId("device", id as DeviceId);
  const nonce = randomBytes(16);
  const hash = deviceHash(nodeHashes, nonce, {
    device: deviceId,
    key: spki.toString("base64url"),
    member: owner.member,
  });
  await house.product.sql("SELECT add_order_device($1, $2, $3, 'iPhone', $4, $5)", [
    id,
    owner.memberId,
    spki,
    nonce,
    Buffer.from(hash),
  ]);
  return { id, minted: { ...owner, deviceId, key: privateKey, call: await stolenCall(house, owner) } };
}
