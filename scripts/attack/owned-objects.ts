import { randomUUID } from "node:crypto";
import { waitUntil } from "@fairtick/testkit";
import { type Member, TRADE_PASSWORD, type UploadedFile } from "./member.ts";
import { pngOf } from "./png.ts";
import { type Answer, dataOf, errorOf, form } from "./request.ts";
import type { World } from "./world.ts";

/** One of each kind of thing that belongs to one member alone. */
export interface OwnedObjects {
  readonly owner: Member;
  readonly orderNo: string;
  readonly depositNo: string;
  readonly receiptFile: string;
  readonly chatFile: string;
  readonly messageId: string;
  readonly sessionId: string;
  readonly alertId: string;
  /** The account whose withdrawal it is. */
  readonly demo: Member;
  readonly withdrawNo: string;
}

const WITHDRAWN = "50.00";

/** Lets the owner make each of them by the calls. Throws with the answer where one is refused. */
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

/** A practice order's number; where a busy machine's prices are late and orders refused for it, once they are not. */
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

/** An order on the instrument that is always open. */
export function orderOf(wallet: "practice" | "real", stake: string, clientOrderId = randomUUID()) {
  return { wallet, symbol: "BTCUSD", direction: "up", stake, duration: "30", clientOrderId };
}

/** A withdrawal to an address that is nobody's in the sandbox. */
export function withdrawalOf(amount: string, clientId = randomUUID()) {
  const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  return { chain: "test", address, amount, tradePassword: TRADE_PASSWORD, clientId };
}

const CREDITED_MS_MAX = 120_000;

/** Gives a member real money: test USDT of the sandbox's faucet, sent to their own address and credited. */
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

/** A small picture of one grey, from 0 to 255. */
export function picture(grey: number): UploadedFile {
  const row = Buffer.from([0, ...Array.from({ length: PICTURE_SIDE }, () => grey)]);
  const rows = Buffer.concat(Array.from({ length: PICTURE_SIDE }, () => row));
  return { name: "picture.png", type: "image/png", bytes: pngOf({ width: PICTURE_SIDE, height: PICTURE_SIDE, rows }) };
}

type Item = Readonly<Record<string, unknown>>;

/** The items of an answer's list: its whole `data`, or one field of it. */
export function list(answer: Answer, name: string | null): readonly Item[] {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
  const { data } = JSON.parse(answer.text) as { readonly data: unknown };
  const items = name === null ? data : (Object(data) as Item)[name];
  return items as readonly Item[];
}

/** A text of an answer's `data`; throws where the call was refused. */
export function field(answer: Answer, name: string): string {
  if (answer.status !== 200) throw new Error(`no ${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return text(dataOf(answer), name);
}

function text(item: Item | undefined, name: string): string {
  const value = item?.[name];
  if (typeof value !== "string") throw new Error(`no ${name} in ${JSON.stringify(item)}`);
  return value;
}
