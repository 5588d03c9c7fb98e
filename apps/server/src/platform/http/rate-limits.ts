import { accept, refuse, type Clock, type Verdict } from "@fairtick/domain";
import type { LimitClass } from "@fairtick/protocol";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientAddress } from "../client-address.ts";
import type { DeviceKey } from "../device-key.ts";

/** Calls allowed in a span of seconds. An address gets more than a member, since it may be a whole office's. */
interface Allowance {
  readonly perMember: number;
  readonly perAddress: number;
  readonly seconds: number;
}

/** The table of all rate limits. Features additionally count attempts at passwords and codes. */
export const RATE_LIMITS: Readonly<Record<LimitClass, Allowance>> = {
  read: { perMember: 400, perAddress: 2_000, seconds: 10 },
  write: { perMember: 40, perAddress: 400, seconds: 10 },
  order: { perMember: 50, perAddress: 500, seconds: 10 },
  signIn: { perMember: 20, perAddress: 300, seconds: 60 },
  code: { perMember: 10, perAddress: 100, seconds: 600 },
  heavy: { perMember: 10, perAddress: 60, seconds: 60 },
};

export interface RateLimits {
  /** Counts one call; refuses RATE_LIMITED[retryAt]. */
  countAddress(limit: LimitClass, ip: string): Promise<Verdict<null>>;
  /**
   * Counts one call. A login from a device that has logged in before is counted by its device, all others by address. So
   * someone who uses up an address's allowance can't keep others there from logging in.
   */
  countVisitor(limit: LimitClass, ip: string, device: DeviceKey | null): Promise<Verdict<null>>;
  countMember(limit: LimitClass, memberId: bigint): Promise<Verdict<null>>;
}

/** Creates the rate limits. `factor` multiplies every allowance, since benchmarks and tests need more than people do. */
export function createRateLimits(clock: Clock, factor = 1): RateLimits {
  const limiters = new Map<string, RateLimiterMemory>();
  for (const [limit, { perMember, perAddress, seconds }] of Object.entries(RATE_LIMITS)) {
    limiters.set(`address ${limit}`, new RateLimiterMemory({ points: perAddress * factor, duration: seconds }));
    limiters.set(`device ${limit}`, new RateLimiterMemory({ points: perMember * factor, duration: seconds }));
    limiters.set(`member ${limit}`, new RateLimiterMemory({ points: perMember * factor, duration: seconds }));
  }
  const count = async (counter: string, key: string): Promise<Verdict<null>> => {
    try {
      await limiters.get(counter)?.consume(key);
      return accept(null);
    } catch (spent) {
      if (!(spent instanceof RateLimiterRes)) throw spent;
      return refuse("RATE_LIMITED", { retryAt: Number(clock.now()) + Math.ceil(spent.msBeforeNext) });
    }
  };
  const countAddress: RateLimits["countAddress"] = (limit, ip) => count(`address ${limit}`, clientAddress(ip));
  return {
    countAddress,
    countVisitor: (limit, ip, device) =>
      device?.isSigned === true && (limit === "signIn" || limit === "code")
        ? count(`device ${limit}`, device.hash.toString("base64url"))
        : countAddress(limit, ip),
    countMember: (limit, memberId) => count(`member ${limit}`, String(memberId)),
  };
}
