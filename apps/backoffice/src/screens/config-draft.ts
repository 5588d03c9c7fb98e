import type { ConfigVersion, configPropose, Sent } from "@fairtick/protocol/operator";

type Terms = ConfigVersion["instruments"][number];
export type Wish = Sent<typeof configPropose>;

/** The form for one product's terms. Texts are as typed. */
export interface Draft {
  readonly suspended: boolean;
  readonly feeRate: string;
  readonly minStake: string;
  readonly maxStake: string;
  readonly exposureShare: string;
  readonly sessionHours: Terms["sessionHours"];
  /** One per line: `60 = 0.85`. */
  readonly durations: string;
}

export function draftOf(terms: Terms): Draft {
  return {
    suspended: terms.suspended,
    feeRate: terms.feeRate,
    minStake: terms.minStake,
    maxStake: terms.maxStake,
    exposureShare: terms.exposureShare,
    sessionHours: terms.sessionHours,
    durations: terms.durations.map(({ seconds, payoutRate }) => `${seconds} = ${payoutRate}`).join("\n"),
  };
}

/** Returns the changed terms as the call takes them; null when a line of durations is not valid. */
export function changeOf(terms: Terms, draft: Draft): NonNullable<Wish["instruments"]>[number] | null {
  const before = draftOf(terms);
  const durations = readDurations(draft.durations);
  if (durations === null) return null;
  return {
    symbol: terms.symbol,
    ...(draft.suspended !== before.suspended && { suspended: draft.suspended }),
    ...(draft.sessionHours !== before.sessionHours && { sessionHours: draft.sessionHours }),
    ...(draft.feeRate !== before.feeRate && { feeRate: draft.feeRate.trim() }),
    ...(draft.minStake !== before.minStake && { minStake: plain(draft.minStake) }),
    ...(draft.maxStake !== before.maxStake && { maxStake: plain(draft.maxStake) }),
    ...(draft.exposureShare !== before.exposureShare && { exposureShare: draft.exposureShare.trim() }),
    ...(draft.durations.trim() !== before.durations && { durations }),
  };
}

function plain(text: string): string {
  return text.trim().replaceAll(",", "");
}

/** Reads durations and payout rates. Null when a line isn't like `60 = 0.85`. */
export function readDurations(text: string): { seconds: number; payoutRate: string }[] | null {
  const offers = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const parts = /^\s*([0-9]{1,5})\s*=\s*([0-9]+(?:\.[0-9]{1,6})?)\s*$/.exec(line);
    if (parts?.[1] === undefined || parts[2] === undefined) return null;
    offers.push({ seconds: Number(parts[1]), payoutRate: parts[2] });
  }
  return offers;
}
