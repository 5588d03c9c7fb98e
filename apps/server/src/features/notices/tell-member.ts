import type { MessageId } from "@fairtick/i18n/server";
import type { Queryable } from "../../platform/database.ts";

type NoFigures = Readonly<Record<string, never>>;

/**
 * What the system tells a member, and the figures of it. Amounts are decimal strings as calls have them, a `day` is
 * `2027-03-01`; a `reason` is a person's own words. The texts stand in the catalogues as `message.<key>.title` and `.body`.
 */
export interface MessageParams {
  readonly depositCredited: { readonly amount: string; readonly depositNo: string };
  readonly depositFailed: { readonly amount: string; readonly depositNo: string; readonly reason: string };
  readonly depositReversed: {
    readonly amount: string;
    readonly depositNo: string;
    /** What the member had no more, and owes now. */
    readonly owed: string;
    readonly reason: string;
  };
  readonly depositExpired: { readonly amount: string; readonly depositNo: string };
  readonly depositBelowMinimum: { readonly amount: string; readonly minimum: string; readonly depositNo: string };
  readonly depositWrongToken: { readonly depositNo: string };
  readonly withdrawalRequested: { readonly amount: string; readonly withdrawNo: string };
  /** Where withdrawals may go to from now on. */
  readonly withdrawalAddressAdded: { readonly address: string; readonly chain: string };
  readonly withdrawalPaid: { readonly amount: string; readonly receives: string; readonly withdrawNo: string };
  /** Less arrived on the chain; what was missing came back. */
  readonly withdrawalShort: {
    readonly amount: string;
    readonly receives: string;
    readonly arrived: string;
    readonly returned: string;
    readonly withdrawNo: string;
  };
  readonly withdrawalCanceled: { readonly amount: string; readonly withdrawNo: string; readonly reason: string };
  readonly withdrawalTakenBack: { readonly amount: string; readonly withdrawNo: string };
  /** What was held settles what a reversal left owed. */
  readonly withdrawalEndedForDebt: { readonly amount: string; readonly withdrawNo: string };
  readonly identitySubmitted: NoFigures;
  readonly identityVerified: NoFigures;
  /** Names of the people who look after the member from now on. */
  readonly vipAssigned: { readonly manager: string; readonly analyst: string };
  readonly identityRejected: { readonly reason: string };
  readonly identityRevoked: { readonly reason: string };
  readonly identityExpiring: { readonly day: string };
  readonly identityExpired: { readonly day: string };
  readonly loginPasswordChanged: NoFigures;
  readonly loginPasswordReset: NoFigures;
  readonly tradePasswordSet: NoFigures;
  readonly tradePasswordChanged: NoFigures;
  /** Set with a code and the login password. */
  readonly tradePasswordReset: NoFigures;
  /** A password was reset with a code; `until` is an instant like `2027-03-01T12:00:00.000Z`. */
  readonly withdrawalsRest: { readonly until: string };
  /** The last second factor was removed. */
  readonly withdrawalsRestUnprotected: { readonly until: string };
  readonly authenticatorAdded: NoFigures;
  readonly authenticatorRemoved: NoFigures;
  readonly orderDeviceAdded: { readonly device: string };
  readonly passkeyAdded: NoFigures;
  readonly passkeyRemoved: NoFigures;
  readonly recoveryCodesMade: NoFigures;
  /** Support opened the account to somebody who lost all their factors. */
  readonly secondFactorOpened: NoFigures;
  readonly withdrawalsFrozen: NoFigures;
  /** Withdrawals wait until then. */
  readonly freezeLifted: { readonly until: string };
  readonly newDevice: { readonly device: string; readonly place: string };
  /** A session ended since its token was used elsewhere: there. */
  readonly sessionMoved: { readonly device: string; readonly place: string };
  readonly tooManySessions: { readonly device: string; readonly place: string };
  readonly accountSuspended: { readonly reason: string };
  readonly suspensionLifted: NoFigures;
}

export type MessageKey = keyof MessageParams;
/** Every key has both texts, or this does not compile. */
type Texts = `message.${MessageKey}.title` | `message.${MessageKey}.body`;
const _everyKeyHasTexts: Texts extends MessageId ? true : never = true;
void _everyKeyHasTexts;

/**
 * Writes to a member, in the caller's transaction: what is told and what it tells stand together, or not at all. `db`
 * may be that of any role that books such events. The words are made when it is read, in the reader's language; it
 * reaches open sockets by itself.
 */
export async function tellMember<Key extends MessageKey>(
  db: Queryable,
  memberId: bigint,
  messageKey: Key,
  params: MessageParams[Key],
): Promise<void> {
  await db.query("SELECT tell_member($1, $2, $3)", [memberId, messageKey, JSON.stringify(params)]);
}
