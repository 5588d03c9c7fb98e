import {
  canonicalJson,
  SM1_EPOCH_MS,
  SM1_TICK_MS,
  type Points,
  type Sm1Params,
  type Sm1Switches,
  utf8,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as v from "valibot";

/** The `params` entry: which instruments an epoch has, and with which figures. Its bytes are what commits bind. */
export interface ParamsEntry {
  readonly text: string;
  readonly hash: Uint8Array;
  readonly instruments: readonly Sm1Params[];
}

export function paramsEntry(instruments: readonly Sm1Params[]): ParamsEntry {
  const text = canonicalJson({
    epochMs: SM1_EPOCH_MS,
    instruments: instruments.map((one) => ({
      anchor: one.anchor,
      digits: one.digits,
      jump: one.jump,
      name: one.name,
      pull: one.pull,
      sigma: one.sigma,
      spread: one.spread,
      switches: one.switches,
      symbol: one.symbol,
    })),
    kind: "params",
    model: "SM1",
    tickMs: SM1_TICK_MS,
    v: 1,
  });
  return { text, hash: nodeHashes.sha256(utf8(text)), instruments };
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
    hash: nodeHashes.sha256(utf8(text)),
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
