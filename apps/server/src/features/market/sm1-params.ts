import {
  fromHex,
  type Points,
  sm1ParamsEntry,
  sm1ParamsHash,
  type Sm1Params,
  type Sm1Switches,
  toHex,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { BEACON_SCHEME, type BeaconChain } from "@fairtick/transparency";
import * as v from "valibot";

/** The `params` entry: an epoch's instruments and their figures. A commit includes a hash of its bytes. */
export interface ParamsEntry {
  readonly text: string;
  readonly hash: Uint8Array;
  readonly instruments: readonly Sm1Params[];
  /** The beacon's chain whose rounds are used; null for SM1. */
  readonly beacon: BeaconChain | null;
}

/** Makes the entry, for SM2 if a chain is given, otherwise for SM1. */
export function paramsEntry(instruments: readonly Sm1Params[], beacon: BeaconChain | null): ParamsEntry {
  const named = beacon && {
    genesis: beacon.genesis,
    key: toHex(beacon.publicKey),
    period: beacon.period,
    scheme: BEACON_SCHEME,
  };
  const text = sm1ParamsEntry(instruments, named ?? undefined);
  return { text, hash: sm1ParamsHash(nodeHashes, text), instruments, beacon };
}

const integer = v.pipe(v.number(), v.safeInteger());
const schema = v.object({
  beacon: v.optional(v.object({ genesis: integer, key: v.string(), period: integer })),
  instruments: v.array(
    v.object({
      anchor: integer,
      digits: integer,
      jump: integer,
      name: v.string(),
      pull: integer,
      sigma: integer,
      spread: integer,
      switches: v.tuple([integer, integer, integer, integer]),
      symbol: v.string(),
    }),
  ),
});

/** Parses an entry, for epochs that were committed under earlier figures. */
export function readParamsEntry(text: string): ParamsEntry {
  const { beacon, instruments } = v.parse(schema, JSON.parse(text));
  return {
    text,
    hash: sm1ParamsHash(nodeHashes, text),
    beacon:
      beacon === undefined
        ? null
        : {
            genesis: BigInt(beacon.genesis),
            period: BigInt(beacon.period),
            publicKey: fromHex(beacon.key) ?? new Uint8Array(),
          },
    instruments: instruments.map(({ anchor, sigma, spread, switches, ...rest }) =>
      Object.assign(rest, {
        anchor: BigInt(anchor) as Points,
        sigma: BigInt(sigma),
        spread: BigInt(spread),
        switches: switches satisfies Sm1Switches,
      }),
    ),
  };
}
