import type { Instant, MemberId } from "@fairtick/domain";
import type { DeviceKey } from "../device-key.ts";

/** Who makes a call. */
export interface Session {
  readonly sessionId: bigint;
  readonly memberId: MemberId;
}

/** Where a call came from, and when. */
export interface SeenFrom {
  readonly ip: string;
  /** The client's user agent, cut to 200 characters. */
  readonly device: string;
  /** The browser by its device key; null where it sent none. */
  readonly deviceKey: DeviceKey | null;
  readonly now: Instant;
}

/** The session that a token opens; null where it opens none, or no longer. */
export type Authenticate = (token: string, from: SeenFrom) => Promise<Session | null> | Session | null;

/** Longest token that is looked up at all. */
export const TOKEN_LENGTH_MAX = 128;
