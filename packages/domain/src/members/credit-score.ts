/**
 * The facts that the credit score counts. The score is a published sum of past events. No rule uses it, so it has no
 * effect on withdrawals, odds or limits.
 */
export interface CreditFacts {
  readonly identityVerified: boolean;
  /** Bank deposits that the bank took back after they were credited. */
  readonly depositsReversed: number;
}

export interface CreditPart {
  readonly reason: "start" | "identityVerified" | "depositReversed";
  readonly points: number;
}

export const CREDIT_POINTS: Readonly<Record<CreditPart["reason"], number>> = {
  start: 100,
  identityVerified: 10,
  depositReversed: -20,
};

/** Lists every part of the score with its points. Each reversed deposit is a separate part. */
export function creditParts({ identityVerified, depositsReversed }: CreditFacts): readonly CreditPart[] {
  const part = (reason: CreditPart["reason"]): CreditPart => ({ reason, points: CREDIT_POINTS[reason] });
  return [
    part("start"),
    ...(identityVerified ? [part("identityVerified")] : []),
    ...Array.from({ length: depositsReversed }, () => part("depositReversed")),
  ];
}

export function creditScore(parts: readonly CreditPart[]): number {
  return parts.reduce((sum, { points }) => sum + points, 0);
}
