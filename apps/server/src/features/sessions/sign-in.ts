import { describeDevice, type Instant, type MemberId, type SessionId } from "@fairtick/domain";
import type { SignedIn } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";
import type { Context } from "../../platform/context.ts";
import { signDeviceKey } from "../../platform/device-key.ts";
import { memberInfo } from "../members/index.ts";
import { tellMember } from "../notices/index.ts";
import { describePlace } from "./device.ts";
import { announceEnded } from "./end-sessions.ts";
import type { SessionContext } from "./session-context.ts";
import { rememberDevice } from "./known-devices.ts";
import {
  createToken,
  endOldestSessions,
  insertSession,
  type OnDevice,
  SESSION_IDLE_MS,
  type Visitor,
} from "./session-rows.ts";

export interface Started {
  readonly token: string;
  readonly expiresAt: Instant;
  /** What the browser is to keep, so that it is known from now on. */
  readonly deviceKey: string | null;
  /** Sessions that ended for this one, to be announced after the commit. */
  readonly ended: readonly SessionId[];
}

/**
 * Starts a session on the visitor's device, which the member knows from now on, within the caller's transaction if they
 * hands one in. Answers its token, which is kept nowhere.
 */
export async function startSession(
  { ids, config }: Pick<SessionContext, "ids" | "config">,
  db: Queryable,
  memberId: MemberId,
  visitor: Visitor,
): Promise<Started> {
  const token = createToken();
  const device = await rememberVisitor(config.secret, db, memberId, visitor);
  await insertSession(db, {
    sessionId: ids.next() as SessionId,
    memberId,
    token,
    device: describeDevice(visitor.userAgent),
    place: describePlace(visitor.ip),
    onDevice: device && { hash: device.hash, isKept: device.text === null },
    now: visitor.now,
  });
  const ended = await makeRoom(db, memberId, visitor.now);
  return {
    token,
    expiresAt: (visitor.now + SESSION_IDLE_MS) as Instant,
    deviceKey: device?.text ?? null,
    ended,
  };
}

/** Ends what is one session too many, and tells the member why. */
async function makeRoom(db: Queryable, memberId: MemberId, now: Instant): Promise<SessionId[]> {
  const ended = await endOldestSessions(db, memberId, now);
  for (const { device, place } of ended) {
    await tellMember(db, memberId, "tooManySessions", { device: device === "" ? "?" : device, place });
  }
  return ended.map((row) => row.session_id);
}

/**
 * Remembers the visitor's device. A key that somebody else may have put into the browser is replaced; one that was made at
 * a login stays. Answers the device, with the `text` that its browser is to keep from now on (null where it keeps it
 * already); null for a client that keeps none.
 */
export async function rememberVisitor(
  secret: Buffer,
  db: Queryable,
  memberId: MemberId,
  { deviceKey, keepDeviceKey, now }: OnDevice & Pick<Visitor, "now">,
): Promise<{ readonly hash: Buffer; readonly text: string | null } | null> {
  if (deviceKey?.isSigned === true) {
    await rememberDevice(db, memberId, deviceKey.hash, now);
    return { hash: deviceKey.hash, text: null };
  }
  if (keepDeviceKey === undefined) return null;
  const made = signDeviceKey(secret, "member");
  await rememberDevice(db, memberId, made.hash, now);
  return { hash: made.hash, text: made.text };
}

/** What login and registration answer. */
export async function presentSignedIn(
  context: Pick<Context, "databases" | "bus">,
  memberId: MemberId,
  started: Started,
  { now, keepDeviceKey }: Visitor,
): Promise<SignedIn> {
  announceEnded(context, started.ended);
  if (started.deviceKey !== null) keepDeviceKey?.(started.deviceKey);
  const info = await memberInfo(context, memberId, now);
  return {
    access_token: started.token,
    expiresAt: Number(started.expiresAt),
    userInfo: { ...info, access_token: started.token },
  };
}
