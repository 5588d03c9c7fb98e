import type { Direction } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answerForAnotherWish,
  answerWithoutAcceptance,
  refuseUnsigned,
  refuseWithFalseReason,
} from "./tamper-drill/sealed/answering.ts";
import { placeByMintedDevice, placeInTheirName } from "./tamper-drill/sealed/forging.ts";
import { openSealedHouse, type SealedHouse } from "./tamper-drill/sealed/house.ts";
import type { Notice } from "./tamper-drill/sealed/look.ts";
import { refuseWinners, suspendMembers } from "./tamper-drill/sealed/refusing.ts";
import { type Begin, beginRound, placeOpenOrders, placeSealedOrders } from "./tamper-drill/sealed/round.ts";
import { faultOfAnswer } from "./tamper-drill/sealed/device.ts";

/**
 * The quick ones of the attacks on sealed orders, by the drill's own code. `npm run tamper-drill -- --part sealed` runs
 * all of them, measured by thousands of settled orders.
 */
let house: SealedHouse;
beforeAll(async () => {
  house = await openSealedHouse(8);
}, 240_000);
afterAll(() => house?.close(), 60_000);

const PLAN = { orders: 60, spreadMs: 4_000 };
const WAY: Direction = "up";

/** Returns what `place` makes while the attack runs. */
async function during<Made>(begin: Begin, place: () => Promise<Made>): Promise<Made> {
  const end = await beginRound(house, { begin }, WAY);
  try {
    return await place();
  } finally {
    await end();
  }
}

function directionsOf(
  orders: readonly { readonly direction: Direction; readonly answer: { readonly kind: string } }[],
) {
  const of = (kind: string) => [
    ...new Set(orders.filter(({ answer }) => answer.kind === kind).map(({ direction }) => direction)),
  ];
  return { accepted: of("accepted").toSorted(), refused: of("refused").toSorted() };
}

const told = (notices: readonly Notice[]) => notices.map(({ sentence }) => sentence).join("\n");

describe("an attacker who knows every price in advance", () => {
  it("refuses all winners among open orders", async () => {
    const orders = await during(refuseWinners, () => placeOpenOrders(house, PLAN));
    expect(directionsOf(orders)).toEqual({ accepted: ["down"], refused: ["up"] });
  });

  it("can't tell winners from losers among sealed ones", async () => {
    const orders = (await during(refuseWinners, () => placeSealedOrders(house, PLAN))).map(({ kept }) => kept);
    expect(directionsOf(orders)).toEqual({ accepted: ["down", "up"], refused: ["down", "up"] });
  });

  it("signs each refusal when members are suspended for it", async () => {
    const orders = await during(suspendMembers, () => placeSealedOrders(house, { orders: 16, spreadMs: 1_000 }));
    const refused = orders.filter(({ kept }) => kept.answer.kind === "refused");
    expect(refused).toHaveLength(8);
    expect(refused.map(({ device, kept }) => faultOfAnswer(device, kept, house.policy))).toEqual(
      refused.map(() => null),
    );
    expect(refused[0]?.kept.answer).toMatchObject({ error: "SUSPENDED", refusal: { reason: "SUSPENDED" } });
  });
});

describe("a member's device notices, without asking the house,", () => {
  it("an order that somebody placed in their name", async () => {
    expect(told(await placeInTheirName(house))).toContain("placed in the open, and no device of the member signed it");
  });

  it("a device that was minted for them, and its order", async () => {
    expect(told(await placeByMintedDevice(house, true))).toContain("a device that this member did not add: iPhone");
    expect(told(await placeByMintedDevice(house, false))).toContain("signed by no device that the member is shown");
  });

  it("an answer without its acceptance", async () => {
    expect(told(await answerWithoutAcceptance(house))).toContain("`missing`: it proves nothing");
  });

  it("an answer with the acceptance of another wish", async () => {
    expect(told(await answerForAnotherWish(house))).toContain("`path`: it doesn't lead from this wish");
  });

  it("a refusal for another reason than the one committed to", async () => {
    expect(told(await refuseWithFalseReason(house))).toContain("`path`: no refusal for this reason");
  });

  it("a refusal by a rule without a signature", async () => {
    expect(told(await refuseUnsigned(house))).toContain("`missing`: a refusal by a rule has to be signed");
  });
});
