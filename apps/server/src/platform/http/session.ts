import type { Instant, MemberId } from "@fairtick/domain";
import type { DeviceKey } from "../device-key.ts";

/** The session that makes a call. */
export interface Session {
  readonly sessionId: bigint;
  readonly memberId: MemberId;
}

/** Where a call came from, and when. */
export interface SeenFrom {
  readonly ip: string;
  /** The client's user agent, cut to 200 characters. */
  readonly device: string;
  /** The browser's device key; null if it sent none. */
  readonly deviceKey: DeviceKey | null;
  readonly now: Instant;
}

/** Finds the session of a token; null if there is none or it has ended. */
export type Authenticate = (token: string, from: SeenFrom) => Promise<Session | null> | Session | null;

/** Longer tokens aren't looked up. */
export const TOKEN_LENGTH_MAX = 128;
