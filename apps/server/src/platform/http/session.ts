import type { Instant, MemberId } from "@fairtick/domain";

/** Who makes a call. */
export interface Session {
  readonly sessionId: bigint;
  readonly memberId: MemberId;
}

/** Where a token came from, for the list of a member's devices. */
export interface SeenFrom {
  readonly ip: string;
  readonly device: string;
  readonly now: Instant;
}

/** The session that a token opens; null where it opens none, or no longer. */
export type Authenticate = (token: string, from: SeenFrom) => Promise<Session | null> | Session | null;

/** Longest token that is looked up at all. */
export const TOKEN_LENGTH_MAX = 128;
