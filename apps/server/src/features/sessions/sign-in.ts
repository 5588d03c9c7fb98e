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
  /** The key that the browser should keep, so that it is known from now on. */
  readonly deviceKey: string | null;
  /** Sessions that ended to make room, to be announced after the commit. */
  readonly ended: readonly SessionId[];
}

/**
 * Starts a session on the visitor's device, which is known to the member from now on. Runs in the caller's transaction
 * if there is one. Returns the token, which isn't stored anywhere.
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

/** Ends sessions beyond the limit, and tells the member why. */
async function makeRoom(db: Queryable, memberId: MemberId, now: Instant): Promise<SessionId[]> {
  const ended = await endOldestSessions(db, memberId, now);
  for (const { device, place } of ended) {
    await tellMember(db, memberId, "tooManySessions", { device: device === "" ? "?" : device, place });
  }
  return ended.map((row) => row.session_id);
}

/**
 * Remembers the visitor's device. A key that someone else may have put into the browser is replaced; one that was made
 * at a login stays. Returns the device with the `text` that its browser should keep from now on (null if it has it
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

/** Returns the answer of login and registration. */
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
