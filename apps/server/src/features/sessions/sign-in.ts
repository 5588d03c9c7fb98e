import type { Instant, MemberId, SessionId } from "@fairtick/domain";
import type { SignedIn } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";
import type { Context } from "../../platform/context.ts";
import { memberInfo } from "../members/index.ts";
import { describeDevice, describePlace } from "./device.ts";
import type { SessionContext } from "./session-context.ts";
import { createToken, insertSession, SESSION_IDLE_MS, type Visitor } from "./session-rows.ts";

/** Starts a session on the visitor's device, within the caller's transaction if he hands one in. Answers its token, which is kept nowhere. */
export async function startSession(
  { ids }: Pick<SessionContext, "ids">,
  db: Queryable,
  memberId: MemberId,
  visitor: Visitor,
): Promise<{ token: string; expiresAt: Instant }> {
  const token = createToken();
  await insertSession(db, {
    sessionId: ids.next() as SessionId,
    memberId,
    token,
    device: describeDevice(visitor.userAgent),
    place: describePlace(visitor.ip),
    now: visitor.now,
  });
  return { token, expiresAt: (visitor.now + SESSION_IDLE_MS) as Instant };
}

/** What login and registration answer. */
export async function presentSignedIn(
  context: Pick<Context, "databases">,
  memberId: MemberId,
  started: { readonly token: string; readonly expiresAt: Instant },
  now: Instant,
): Promise<SignedIn> {
  const info = await memberInfo(context, memberId, now);
  return {
    access_token: started.token,
    expiresAt: Number(started.expiresAt),
    userInfo: { ...info, access_token: started.token },
  };
}
