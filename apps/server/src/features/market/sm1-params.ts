import { type Points, sm1ParamsEntry, sm1ParamsHash, type Sm1Params, type Sm1Switches } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as v from "valibot";

/** The `params` entry: which instruments an epoch has, and with which figures. Its bytes are what commits bind. */
export interface ParamsEntry {
  readonly text: string;
  readonly hash: Uint8Array;
  readonly instruments: readonly Sm1Params[];
}

export function paramsEntry(instruments: readonly Sm1Params[]): ParamsEntry {
  const text = sm1ParamsEntry(instruments);
  return { text, hash: sm1ParamsHash(nodeHashes, text), instruments };
}

const integer = v.pipe(v.number(), v.safeInteger());
const schema = v.object({
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

/** Reads an entry back, for epochs that were committed under earlier figures. */
export function readParamsEntry(text: string): ParamsEntry {
  const { instruments } = v.parse(schema, JSON.parse(text));
  return {
    text,
    hash: sm1ParamsHash(nodeHashes, text),
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
