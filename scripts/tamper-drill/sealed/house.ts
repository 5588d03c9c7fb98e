import { randomBytes } from "node:crypto";
import { type Builder, createBuilder, type PriceScript, startPriceScript, waitUntil } from "@fairtick/testkit";
import { type LogReader, parsePolicy, type VerifierPolicy } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import { type Product, startProduct } from "../../own-product.ts";
import { addDevice, type Call, type Device, type Terms } from "./device.ts";
import { type Heads, watchHeads } from "./heads.ts";

/**
 * A house whose prices come from an exchange owned by the attacker, who knows every price before it is quoted and can
 * write anything to the database as superuser. No attacker of a real house can know more, except for the directions.
 */
export interface SealedHouse {
  readonly product: Product;
  readonly build: Builder;
  /** The exchange, controlled by the attacker. */
  readonly exchange: PriceScript;
  readonly heads: Heads;
  readonly devices: readonly Device[];
  readonly policy: VerifierPolicy;
  /** The public log, as anyone can read it. */
  readonly log: LogReader;
  readonly terms: Terms;
  close(): Promise<void>;
}

/** An instrument whose exits become stale after five seconds, so that a short outage at the expiry is enough. */
export const SYMBOL = "BTCUSD";
/** In the exchange's notation. */
export const CALM_PRICE = "97000.00";
const STAKE = "1.00";
const DURATION = 30;
const READY_MS_MAX = 60_000;

/** Starts the house with a number of members, each with their own device. */
export async function openSealedHouse(members: number): Promise<SealedHouse> {
  const exchange = await startPriceScript();
  const product = await startProduct({
    MARKET_SOURCES: "scripted",
    MARKET_SCRIPT_URL: exchange.url,
    RATE_LIMIT_FACTOR: "100000",
  }).catch(async (error: unknown) => {
    await exchange.close();
    throw error;
  });
  const build = await createBuilder(product.databaseUrl);
  try {
    exchange.set({ [SYMBOL]: CALM_PRICE });
    const heads = await watchHeads(product.base, SYMBOL);
    const ids = await build.createMembers(members, { region: "BR" });
    const tokens = await build.logIn(ids);
    const devices: Device[] = [];
    for (const [place, id] of ids.entries()) {
      const call = callAt(product.base, tokens[place] ?? "");
      devices.push(await addDevice(call, id));
    }
    const [first] = devices;
    if (first === undefined) throw new Error("a drill needs a member");
    const terms = await waitUntil("terms", () => readTerms(first.call), READY_MS_MAX);
    const url = `${product.base}/log`;
    const policy = await waitUntil("a log with keys", () => readKeys(url), READY_MS_MAX);
    await waitUntil("a house that accepts orders", () => accepts(product.base), READY_MS_MAX);
    return {
      product,
      build,
      exchange,
      heads,
      devices,
      policy,
      log: logAt(url),
      terms,
      async close() {
        heads.close();
        await build.end();
        await product.stop();
        await exchange.close();
      },
    };
  } catch (error) {
    await build.end();
    await product.stop();
    await exchange.close();
    throw error;
  }
}

/** Returns a member's device. Throws if the drill has fewer members. */
export function one({ devices }: Pick<SealedHouse, "devices">, place: number): Device {
  const device = devices[place];
  if (device === undefined) throw new Error(`the drill has no member ${place}`);
  return device;
}

/** Creates a session of the member's for the attacker: a row with the hash of a token that they know. */
export async function tokenOf({ product }: SealedHouse, { memberId }: Device): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await product.sql(
    `INSERT INTO sessions (session_id, member_id, token_hash, device, place, created_at, seen_at, expires_at)
     VALUES (${BigInt(`0x${randomBytes(7).toString("hex")}`)}, ${memberId}, sha256('${token}'), 'drill', '', now(), now(), now() + interval '1 hour')`,
  );
  return token;
}

export async function stolenCall(house: SealedHouse, device: Device): Promise<Call> {
  return callAt(house.product.base, await tokenOf(house, device));
}

/** Returns a function that calls the public API with a session's token. */
export function callAt(base: string, token: string): Call {
  return async (path, fields) => {
    const answer = await fetch(`${base}/client/${path}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", exchange2508Token: token },
      body: new URLSearchParams(fields).toString(),
    });
    const body = (await answer.json()) as { data?: Record<string, unknown> | null };
    return { status: answer.status, data: body.data ?? {} };
  };
}

async function readTerms(call: Call): Promise<Terms | null> {
  const wish = { symbol: SYMBOL, stake: STAKE, duration: String(DURATION), wallet: "practice" };
  const { data } = await call("order/quote", wish);
  if (typeof data["payoutRate"] !== "string" || typeof data["fee"] !== "string") return null;
  return { symbol: SYMBOL, stake: STAKE, duration: DURATION, payoutRate: data["payoutRate"], fee: data["fee"] };
}

export async function readKeys(url: string): Promise<VerifierPolicy | null> {
  return run(["keys", "--log", url]).then(
    ({ lines }) => parsePolicy(lines.join("\n")),
    () => null,
  );
}

/** Returns whether the house accepts orders; a new one refuses them until its market's first seal. */
async function accepts(base: string): Promise<true | null> {
  const health = (await (await fetch(`${base}/health/ready`)).json()) as { readonly accepting: boolean };
  return health.accepting || null;
}

export function logAt(url: string): LogReader {
  return {
    async read(path) {
      const answer = await fetch(`${url}/${path}`);
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
    },
  };
}
