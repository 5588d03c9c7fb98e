import type { BeaconTimes } from "@fairtick/domain";
import { fromHex } from "@fairtick/domain";
import * as v from "valibot";

/** Settings of the randomness beacon whose rounds simulated prices are made from. */
export interface BeaconSettings {
  /** Base address of drand's HTTP API (`/info`, `/public/<round>`), without a slash at the end. */
  readonly url: string;
  /** The chain's public key, 96 bytes. */
  readonly publicKey: Uint8Array;
  /** Schedule of the embedded beacon, from the start script; null if the chain itself tells it. */
  readonly times: BeaconTimes | null;
}

const KEY_RULE = "is to be the chain's public key of 192 hexadecimal digits";
const KEY = /^[0-9a-f]{192}$/;
const URL_RULE = "is to be an address with its scheme, as in https://api.drand.sh/<chain hash>";
const EMBEDDED_RULE = "is set by the start script alone";

const seconds = v.pipe(v.number(EMBEDDED_RULE), v.safeInteger(EMBEDDED_RULE), v.minValue(1, EMBEDDED_RULE));
const embedded = v.pipe(
  v.string(),
  v.parseJson(undefined, EMBEDDED_RULE),
  v.strictObject(
    {
      url: v.pipe(v.string(EMBEDDED_RULE), v.url(EMBEDDED_RULE)),
      key: v.pipe(v.string(EMBEDDED_RULE), v.regex(KEY, EMBEDDED_RULE)),
      genesis: seconds,
      period: seconds,
    },
    EMBEDDED_RULE,
  ),
);

/** The environment's settings for the beacon. */
export const beaconEnvironment = {
  BEACON_URL: v.optional(v.pipe(v.string(), v.url(URL_RULE))),
  BEACON_KEY: v.optional(v.pipe(v.string(), v.regex(KEY, KEY_RULE))),
  EMBEDDED_BEACON: v.optional(embedded),
};

interface Given {
  readonly BEACON_URL?: string | undefined;
  readonly BEACON_KEY?: string | undefined;
  readonly EMBEDDED_BEACON?: v.InferOutput<typeof embedded> | undefined;
}

/** Returns the beacon's settings; null if there is no beacon, a sentence if one of two settings that belong together is missing. */
export function beaconOf({ BEACON_URL, BEACON_KEY, EMBEDDED_BEACON }: Given): BeaconSettings | null | string {
  if (BEACON_URL !== undefined && BEACON_KEY === undefined)
    return "BEACON_URL names a beacon: BEACON_KEY is to be its chain's public key.";
  if (BEACON_URL === undefined && BEACON_KEY !== undefined)
    return "BEACON_KEY is a chain's public key: BEACON_URL is to be where its rounds are.";
  if (BEACON_URL !== undefined && BEACON_KEY !== undefined)
    return { url: BEACON_URL.replace(/\/$/, ""), publicKey: bytesOf(BEACON_KEY), times: null };
  if (EMBEDDED_BEACON === undefined) return null;
  const { url, key, genesis, period } = EMBEDDED_BEACON;
  return { url, publicKey: bytesOf(key), times: { genesis: BigInt(genesis), period: BigInt(period) } };
}

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array();
}
