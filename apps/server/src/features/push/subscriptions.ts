import { isIP } from "node:net";
import { accept, type Instant, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** As a browser's PushSubscription has it. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Browsers that one member has at once; the oldest make room. */
const SUBSCRIPTIONS_MAX = 20;

/** A push service has a public name: no address, no name of one's own network. */
function isPublicName(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { hostname, protocol, username, password } = new URL(endpoint);
  const name = hostname.replace(/^\[|\]$/g, "");
  return (
    protocol === "https:" &&
    username === "" &&
    password === "" &&
    isIP(name) === 0 &&
    /\.[a-z]{2,}$/i.test(name) &&
    !/\.(?:local|internal|localhost|home|lan)$/i.test(name)
  );
}

/**
 * Sends messages to this browser too, for as long as its session lasts. A browser that another member used before is theirs
 * from now on. FIELD_INVALID for an endpoint that no push service has, or keys of another length.
 */
export async function subscribe(
  { databases, bus }: Pick<Context, "databases" | "bus">,
  session: { readonly sessionId: bigint; readonly memberId: MemberId },
  subscription: Subscription,
  now: Instant,
): Promise<Verdict<null>> {
  const { endpoint, p256dh, auth } = subscription;
  if (!isPublicName(endpoint)) return refuse("FIELD_INVALID", undefined, { endpoint: "FIELD_INVALID" });
  // An uncompressed point of P-256, and 16 random bytes.
  if (Buffer.from(p256dh, "base64url").length !== 65)
    return refuse("FIELD_INVALID", undefined, { p256dh: "FIELD_INVALID" });
  if (Buffer.from(auth, "base64url").length !== 16)
    return refuse("FIELD_INVALID", undefined, { auth: "FIELD_INVALID" });
  await databases.sessions.transaction(async (db) => {
    await db.query(
      `INSERT INTO push_subscriptions (endpoint, session_id, member_id, p256dh, auth, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (endpoint) DO UPDATE SET session_id = excluded.session_id, member_id = excluded.member_id,
         p256dh = excluded.p256dh, auth = excluded.auth, created_at = excluded.created_at`,
      [endpoint, session.sessionId, session.memberId, p256dh, auth, now],
    );
    await db.query(
      `DELETE FROM push_subscriptions WHERE member_id = $1 AND endpoint IN (
         SELECT endpoint FROM push_subscriptions WHERE member_id = $1 ORDER BY created_at DESC, endpoint OFFSET $2)`,
      [session.memberId, SUBSCRIPTIONS_MAX],
    );
  });
  bus.publish("listeners", { members: [session.memberId] });
  return accept(null);
}

/** Sends no more to this browser. Twice is the same as once. */
export async function unsubscribe(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  endpoint: string,
): Promise<Verdict<null>> {
  await databases.sessions.query("DELETE FROM push_subscriptions WHERE endpoint = $1 AND member_id = $2", [
    endpoint,
    memberId,
  ]);
  return accept(null);
}
