import { nodeHashes } from "@fairtick/domain/node";
import { createBuilder, waitUntil } from "@fairtick/testkit";
import { formatPosting, makePosting } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import { setTimeout as sleep } from "node:timers/promises";
import { bendEntries } from "./bending-log.ts";
import { type Device, type Kept, placeSealed } from "./device.ts";
import { one, type SealedHouse } from "./house.ts";
import { keysFile, type Notice } from "./look.ts";
import { settled } from "./settling.ts";

/** How long the house has to read a board before a verifier holds it to what is there. */
const BOARD_GRACE_MS = 60_000;
const ENTERED_MS = 2_500;
const BESIDE_MS = 5_000;
const NOTICED_MS_MAX = 30_000;

/**
 * Drops a winner's reveal, and later settles the order as if it had never been revealed. The member's device gets no
 * acknowledgement and posts the reveal to the witness, whose board everyone can read.
 */
export async function loseReveal(house: SealedHouse): Promise<Notice[]> {
  const device = one(house, 13);
  house.exchange.set({ [house.terms.symbol]: "97000.00" });
  await sleep(ENTERED_MS);
  const kept = await placeSealed(device, house.terms, house.heads.newest(), "up");
  if (kept.answer.kind !== "accepted") throw new Error(`the order was refused: ${kept.answer.error}`);
  await sleep(ENTERED_MS);
  house.exchange.set({ [house.terms.symbol]: "97100.00" });
  const [board, told] = await dropReveal(house, device, kept);
  const postedAt = Date.now();
  const attacker = await createBuilder(house.product.databaseUrl);
  try {
    await attacker.client.query("BEGIN");
    await attacker.client.query("SELECT 1 FROM members_money WHERE member_id = $1 FOR UPDATE", [device.memberId]);
    await sleep(postedAt + BOARD_GRACE_MS + BESIDE_MS - Date.now());
    await bendEntries(house, "orders.settle", CALL_UNREVEALED, async () => {
      await attacker.client.query("COMMIT");
      await settled(device, kept);
    });
  } finally {
    await attacker.end();
  }
  return [told, ...(await waitForBoardFault(house, board))];
}

/** Makes of a settled order one that was never revealed. */
const CALL_UNREVEALED = `
  NEW.entry := regexp_replace(NEW.entry, '"direction":"(up|down)"', '"direction":null', 'g');
  NEW.entry := regexp_replace(NEW.entry, '"outcome":"[a-z]+"', '"outcome":"unrevealed"', 'g');
  NEW.entry := regexp_replace(NEW.entry, '"revealedAt":[0-9]+', '"revealedAt":null', 'g');
  NEW.entry := regexp_replace(NEW.entry, '"sealNonce":"[0-9a-f]{64}"', '"sealNonce":null', 'g');`;

/** Lets the house lose a reveal while the device sends it. Returns the board that took it, and what the device says. */
async function dropReveal(house: SealedHouse, device: Device, kept: Kept): Promise<readonly [string, Notice]> {
  const { product } = house;
  if (kept.answer.kind !== "accepted" || kept.answer.acceptance === null) throw new Error("there is nothing to reveal");
  const { order, acceptance } = kept.answer;
  const [{ direction, nonce }, board] = [kept, await boardOf(house)];
  await product.sql(
    `CREATE FUNCTION drill_lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'lost'; END $$;
     CREATE TRIGGER drill_lose BEFORE INSERT ON reveals FOR EACH ROW EXECUTE FUNCTION drill_lose()`,
  );
  try {
    const answer = await device.call("order/reveal", { orderNo: order.orderNo, nonce, direction });
    if ("reveal" in answer.data) throw new Error("the reveal was acknowledged all the same");
    const choice = { direction, limitPrice: null, nonce: Buffer.from(nonce, "hex") };
    const asked = { member: device.member, wishes: [kept.wish] };
    const posting = makePosting(nodeHashes, asked, order, acceptance, choice);
    if (posting === null) throw new Error("the acceptance proves nothing");
    const posted = await fetch(`${board}/reveal`, { method: "POST", body: formatPosting(posting) });
    if (posted.status !== 200) throw new Error(`the board refused the reveal: HTTP ${posted.status}`);
    const sentence = "the reveal was not acknowledged; the witness signed that its board has it";
    return [board, { who: "member's device", sentence }];
  } finally {
    await product.sql("DROP TRIGGER drill_lose ON reveals; DROP FUNCTION drill_lose");
  }
}

/** Returns the address of the witness's board, as members are told. */
async function boardOf({ product }: SealedHouse): Promise<string> {
  const { witnesses } = (await (await fetch(`${product.base}/log/witnesses`)).json()) as {
    witnesses: readonly { readonly board: string | null }[];
  };
  const board = witnesses[0]?.board;
  if (typeof board !== "string") throw new Error("no board is named");
  return board.replace(/\/$/, "");
}

/** Waits until the verifier that reads the board finds that the house called a revealed order unrevealed. */
async function waitForBoardFault(house: SealedHouse, board: string): Promise<Notice[]> {
  const args = ["verify", "--log", `${house.product.base}/log`, "--keys", keysFile(house), "--board", board];
  const find = async () => {
    const { lines } = await run(args);
    return lines.find((line) => line.startsWith("fault") && line.includes("the board of")) ?? null;
  };
  const found = await waitUntil("the board's fault", find, NOTICED_MS_MAX).catch(() => null);
  return found === null ? [] : [{ who: "`fairtick verify --log --board`", sentence: found }];
}
