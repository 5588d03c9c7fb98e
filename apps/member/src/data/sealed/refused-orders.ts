import { fromHex, parsePrice, type Points } from "@fairtick/domain";
import type { Instrument } from "@fairtick/protocol";
import { formatRefusedOpenings, makeRefusedOpening, portableHashes, type RefusedOpening } from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useInstruments } from "../instruments.ts";
import { storedMemberId } from "../member-id.ts";
import { sentWish } from "./check-evidence.ts";
import { type KeptEvidence, readAllEvidence } from "./evidence-shelf.ts";

/** How much this device stores about a member's orders, and the file that opens the refused ones. */
export interface KeptFigures {
  /** Orders with an answer. */
  readonly orders: number;
  /** Answers that turned an order away without a signature, and when the newest came (ms); null if there is none. */
  readonly unsigned: number;
  readonly unsignedAt: number | null;
  /** Refusals that can be opened. */
  readonly refused: number;
  /** For `fairtick verify --refused`. */
  readonly file: string;
}

export function useKeptFigures(): UseQueryResult<KeptFigures> {
  const instruments = useInstruments().data;
  return useQuery({
    queryKey: ["member", "kept", instruments === undefined],
    queryFn: async () => figuresOf(await readAllEvidence(storedMemberId()), instruments ?? []),
    staleTime: 0,
    retry: false,
    meta: { quiet: true },
  });
}

export function figuresOf(kept: readonly KeptEvidence[], instruments: readonly Instrument[]): KeptFigures {
  const openings = kept.flatMap((each) => openingOf(each, instruments) ?? []);
  const unsigned = kept.flatMap((each) => each.unsigned ?? []);
  return {
    orders: kept.filter(({ answer }) => answer !== null).length,
    unsigned: unsigned.length,
    unsignedAt: unsigned.length === 0 ? null : Math.max(...unsigned.map(({ at }) => at)),
    refused: openings.length,
    file: formatRefusedOpenings(openings),
  };
}

/** Returns what opens a refusal; null unless a valid proof refused the order and the app stored its choice. */
function openingOf(
  { member, clientOrderId, wishes, answer, answered, refused }: KeptEvidence,
  instruments: readonly Instrument[],
): RefusedOpening | null {
  if (answer?.kind !== "refused" || answer.refusal === null || answered !== "ok" || refused === undefined) return null;
  const nonce = fromHex(refused.nonce);
  const limitPrice = pointsOf(refused.limitPrice, wishes[0]?.symbol, instruments);
  if (nonce === null || limitPrice === undefined) return null;
  const asked = { member, wishes: wishes.map((wish) => sentWish(wish, clientOrderId)) };
  const choice = { direction: refused.direction, limitPrice, nonce };
  return makeRefusedOpening(portableHashes, asked, answer.refusal, choice);
}

/** Returns a price in points; undefined if the instrument isn't known. */
function pointsOf(
  price: string | null,
  symbol: string | undefined,
  instruments: readonly Instrument[],
): Points | null | undefined {
  if (price === null) return null;
  const decimals = instruments.find((each) => each.symbol === symbol)?.decimals;
  return decimals === undefined ? undefined : (parsePrice(price, decimals) ?? undefined);
}
