import { randomUUID } from "node:crypto";
import { waitUntil } from "@fairtick/testkit";
import { type Member, TRADE_PASSWORD, type UploadedFile } from "./member.ts";
import { pngOf } from "./png.ts";
import { type Answer, dataOf, errorOf, form } from "./request.ts";
import type { World } from "./world.ts";

/** One object of each kind that belongs to a single member. */
export interface OwnedObjects {
  readonly owner: Member;
  readonly orderNo: string;
  readonly depositNo: string;
  readonly receiptFile: string;
  readonly chatFile: string;
  readonly messageId: string;
  readonly sessionId: string;
  readonly alertId: string;
  /** The account that the withdrawal belongs to. */
  readonly demo: Member;
  readonly withdrawNo: string;
}

const WITHDRAWN = "50.00";

/** Creates them by the owner's calls. Throws with the response if one is refused. */
export async function makeObjects(world: World): Promise<OwnedObjects> {
  const { owner, demo } = world;
  const receiptFile = field(await owner.upload("receipt", picture(60)), "fileId");
  const chatFile = field(await owner.upload("support", picture(180)), "fileId");
  const claim = { chain: "test", quantity: "25.000000", fileId: receiptFile, clientId: randomUUID() };
  const old = owner.token();
  await owner.logIn();
  const sessions = list(await owner.call("auth/sessions"), null);
  const messages = list(await owner.call("notice/list", { kind: "message" }), "items");
  const [alert] = list(
    await owner.call("alert/create", {
      symbol: "BTCUSD",
      price: "1.00",
      direction: "down",
      clientId: randomUUID(),
    }),
    null,
  );
  if ((await availableOf(demo)) < Number(WITHDRAWN)) await fund(world, demo, "60");
  return {
    owner,
    demo,
    orderNo: await placed(owner),
    depositNo: field(await owner.call("deposit/crypto", claim), "depositNo"),
    receiptFile,
    chatFile,
    messageId: text(messages[0], "noticeId"),
    sessionId: text(
      sessions.find((session) => session["current"] === false && old !== ""),
      "sessionId",
    ),
    alertId: text(alert, "alertId"),
    withdrawNo: field(await demo.call("withdraw/create", withdrawalOf(WITHDRAWN)), "withdrawNo"),
  };
}

const PRICED_MS_MAX = 30_000;

/** Places a practice order and returns its number. Retries while a busy machine's late prices cause refusals. */
async function placed(member: Member): Promise<string> {
  const answer = await waitUntil(
    "a price that an order can be placed at",
    async () => {
      const tried = await member.call("order/place", orderOf("practice", "10.00"));
      return errorOf(tried) === "PRICE_STALE" ? null : tried;
    },
    PRICED_MS_MAX,
  );
  return field(answer, "orderNo");
}

/** Returns an order on an instrument that is always open. */
export function orderOf(wallet: "practice" | "real", stake: string, clientOrderId = randomUUID()) {
  return { wallet, symbol: "BTCUSD", direction: "up", stake, duration: "30", clientOrderId };
}

/** Returns a withdrawal to an address that nobody in the sandbox owns. */
export function withdrawalOf(amount: string, clientId = randomUUID()) {
  const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  return { chain: "test", address, amount, tradePassword: TRADE_PASSWORD, clientId };
}

const CREDITED_MS_MAX = 120_000;

/** Gives a member real money: sends test USDT from the sandbox's faucet to their address and waits for the credit. */
export async function fund(world: World, member: Member, amount: string): Promise<void> {
  const before = await availableOf(member);
  const { address } = dataOf(await member.call("deposit/address", { chain: "test" }));
  const sent = await world.caller.send("/dev/faucet", form({ to: String(address), amount }));
  if (sent.status !== 200) throw new Error(`the faucet sent nothing: ${sent.status}`);
  await waitUntil("the credit", async () => (await availableOf(member)) > before || null, CREDITED_MS_MAX);
}

async function availableOf(member: Member): Promise<number> {
  return Number(dataOf(await member.call("user/summary", { wallet: "real" }))["available"]);
}

const PICTURE_SIDE = 24;

/** Returns a small picture in one shade of grey, from 0 to 255. */
export function picture(grey: number): UploadedFile {
  const row = Buffer.from([0, ...Array.from({ length: PICTURE_SIDE }, () => grey)]);
  const rows = Buffer.concat(Array.from({ length: PICTURE_SIDE }, () => row));
  return { name: "picture.png", type: "image/png", bytes: pngOf({ width: PICTURE_SIDE, height: PICTURE_SIDE, rows }) };
}

type Item = Readonly<Record<string, unknown>>;

/** Returns the items of a response's list: its whole `data`, or one field of it. */
export function list(answer: Answer, name: string | null): readonly Item[] {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
  const { data } = JSON.parse(answer.text) as { readonly data: unknown };
  const items = name === null ? data : (Object(data) as Item)[name];
  return items as readonly Item[];
}

/** Returns a text field of a response's `data`; throws if the call was refused. */
export function field(answer: Answer, name: string): string {
  if (answer.status !== 200) throw new Error(`no ${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return text(dataOf(answer), name);
}

function text(item: Item | undefined, name: string): string {
  const value = item?.[name];
  if (typeof value !== "string") throw new Error(`no ${name} in ${JSON.stringify(item)}`);
  return value;
}
