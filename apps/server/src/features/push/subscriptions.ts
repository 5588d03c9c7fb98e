import { isIP } from "node:net";
import { accept, type Instant, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** A browser's subscription, as in its PushSubscription. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** The most browsers of one member. The oldest ones make room for new ones. */
const SUBSCRIPTIONS_MAX = 20;

/**
 * Returns whether an endpoint has a public host name, as push services do, and not an IP address or a name of a private
 * network.
 */
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
 * Subscribes a browser to messages for as long as its session lasts. A browser that another member used before belongs
 * to this member from now on. Refuses FIELD_INVALID for an endpoint that can't be a push service's, or keys of a wrong
 * length.
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

/** Ends a browser's subscription. Doing it twice changes nothing more. */
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
