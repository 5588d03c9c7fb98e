import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Device, faultOfAnswer, placeSealed, reveal } from "./device.ts";
import { callAt, one, type SealedHouse, tokenOf } from "./house.ts";
import type { Notice } from "./look.ts";

/** Attacks on what the member's device is answered. A proxy of the attacker's stands between device and house. */

/** Longer than a wish may take after what its device had seen, so the house refuses it as LATE. */
const TOO_OLD_MS = 4_000;

type Data = Record<string, unknown>;

/** Runs `work` with a device whose answers to `order/place` the attacker changes. */
async function withFront<Of>(
  house: SealedHouse,
  device: Device,
  change: (data: Data) => Data,
  work: (through: Device) => Promise<Of>,
): Promise<Of> {
  const front = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        exchange2508Token: String(request.headers["exchange2508token"]),
      };
      const url = `${house.product.base}${request.url}`;
      const answer = await fetch(url, { method: "POST", headers, body: Buffer.concat(parts) });
      const body = (await answer.json()) as { data?: Data | null };
      const text = JSON.stringify({ ...body, data: body.data ? change(body.data) : null });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    })();
  });
  await new Promise<void>((resolve) => {
    front.listen(0, "127.0.0.1", resolve);
  });
  try {
    const base = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    return await work({ ...device, call: callAt(base, await tokenOf(house, device)) });
  } finally {
    front.close();
  }
}

const told = (fault: string | null, why: string): Notice[] =>
  fault === null ? [] : [{ who: "member's device", sentence: `the answer is \`${fault}\`: ${why}` }];

/** Responds to an order without the proof that commits the house to it. */
export function answerWithoutAcceptance(house: SealedHouse): Promise<Notice[]> {
  const device = one(house, 5);
  const bare = (data: Data) => ({ ...data, acceptance: null });
  return withFront(house, device, bare, async (through) => {
    const kept = await placeSealed(through, house.terms, house.heads.newest());
    const fault = faultOfAnswer(through, kept, house.policy);
    await reveal(device, kept);
    return told(fault, "it proves nothing");
  });
}

/** Responds to an order with the acceptance of the wish that the member sent before. */
export async function answerForAnotherWish(house: SealedHouse): Promise<Notice[]> {
  const device = one(house, 6);
  const first = await placeSealed(device, house.terms, house.heads.newest());
  if (first.answer.kind !== "accepted") throw new Error(`the first order was refused: ${first.answer.error}`);
  const { acceptance } = first.answer;
  const other = (data: Data) => ({ ...data, acceptance });
  return withFront(house, device, other, async (through) => {
    const kept = await placeSealed(through, house.terms, house.heads.newest());
    const fault = faultOfAnswer(through, kept, house.policy);
    await reveal(device, first);
    await reveal(device, kept);
    return told(fault, "it doesn't lead from this wish to the signed root");
  });
}

/** Refuses a wish that came too late, and names another reason than the one that was committed to. */
export function refuseWithFalseReason(house: SealedHouse): Promise<Notice[]> {
  const lie = ({ refusal, ...data }: Data) => ({
    ...data,
    error: "EXPOSURE_LIMIT",
    refusal: { ...(refusal as Data), reason: "EXPOSURE_LIMIT" },
  });
  return refuse(house, lie, "no refusal for this reason leads to the signed root");
}

/** Refuses a wish by a rule, without the signature that lets the member show it. */
export function refuseUnsigned(house: SealedHouse): Promise<Notice[]> {
  return refuse(house, ({ refusal: _left, ...data }) => data, "a refusal by a rule has to be signed");
}

function refuse(house: SealedHouse, change: (data: Data) => Data, why: string): Promise<Notice[]> {
  return withFront(house, one(house, 7), change, async (through) => {
    const head = house.heads.newest();
    await sleep(TOO_OLD_MS);
    const kept = await placeSealed(through, house.terms, head);
    if (kept.answer.kind !== "refused") throw new Error("a wish that came too late was accepted");
    return told(faultOfAnswer(through, kept, house.policy), why);
  });
}
