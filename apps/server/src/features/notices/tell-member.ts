import type { MessageId } from "@fairtick/i18n/server";
import type { Queryable } from "../../platform/database.ts";

type NoFigures = Readonly<Record<string, never>>;

/**
 * The system's messages to members, with their figures. Amounts are decimal strings as in calls, a `day` looks like
 * `2027-03-01`, and a `reason` is an operator's own words. The texts are in the catalogues as `message.<key>.title` and
 * `message.<key>.body`.
 */
export interface MessageParams {
  readonly depositCredited: { readonly amount: string; readonly depositNo: string };
  readonly depositFailed: { readonly amount: string; readonly depositNo: string; readonly reason: string };
  /** A bank statement takes it back: two people decide on it, and withdrawals wait until then. */
  readonly depositReturned: { readonly amount: string; readonly depositNo: string };
  readonly depositReversed: {
    readonly amount: string;
    readonly depositNo: string;
    /** The part that the member no longer had and now owes. */
    readonly owed: string;
    readonly reason: string;
  };
  readonly depositExpired: { readonly amount: string; readonly depositNo: string };
  readonly depositBelowMinimum: { readonly amount: string; readonly minimum: string; readonly depositNo: string };
  readonly depositWrongToken: { readonly depositNo: string };
  readonly withdrawalRequested: { readonly amount: string; readonly withdrawNo: string };
  /** A new address that withdrawals may go to. */
  readonly withdrawalAddressAdded: { readonly address: string; readonly chain: string };
  readonly withdrawalPaid: { readonly amount: string; readonly receives: string; readonly withdrawNo: string };
  /** Less arrived on the chain, and the missing part was returned. */
  readonly withdrawalShort: {
    readonly amount: string;
    readonly receives: string;
    readonly arrived: string;
    readonly returned: string;
    readonly withdrawNo: string;
  };
  readonly withdrawalCanceled: { readonly amount: string; readonly withdrawNo: string; readonly reason: string };
  readonly withdrawalTakenBack: { readonly amount: string; readonly withdrawNo: string };
  /** The held amount settles the debt that a reversal left. */
  readonly withdrawalEndedForDebt: { readonly amount: string; readonly withdrawNo: string };
  readonly identitySubmitted: NoFigures;
  readonly identityVerified: NoFigures;
  /** Names of the people who now look after the member. */
  readonly vipAssigned: { readonly manager: string; readonly analyst: string };
  readonly identityRejected: { readonly reason: string };
  readonly identityRevoked: { readonly reason: string };
  readonly identityExpiring: { readonly day: string };
  readonly identityExpired: { readonly day: string };
  readonly loginPasswordChanged: NoFigures;
  readonly loginPasswordReset: NoFigures;
  readonly tradePasswordSet: NoFigures;
  readonly tradePasswordChanged: NoFigures;
  /** The transaction password was reset with a code and the login password. */
  readonly tradePasswordReset: NoFigures;
  /** A password was reset with a code. `until` is an instant such as `2027-03-01T12:00:00.000Z`. */
  readonly withdrawalsRest: { readonly until: string };
  /** The last second factor was removed. */
  readonly withdrawalsRestUnprotected: { readonly until: string };
  readonly authenticatorAdded: NoFigures;
  readonly authenticatorRemoved: NoFigures;
  readonly orderDeviceAdded: { readonly device: string };
  readonly passkeyAdded: NoFigures;
  readonly passkeyRemoved: NoFigures;
  readonly recoveryCodesMade: NoFigures;
  /** Support removed the second factors of a member who had lost all of them. */
  readonly secondFactorOpened: NoFigures;
  readonly withdrawalsFrozen: NoFigures;
  /** A freeze was lifted, and withdrawals wait until then. */
  readonly freezeLifted: { readonly until: string };
  readonly newDevice: { readonly device: string; readonly place: string };
  /** A session ended because its token was used elsewhere, on this device and in this place. */
  readonly sessionMoved: { readonly device: string; readonly place: string };
  readonly tooManySessions: { readonly device: string; readonly place: string };
  readonly accountSuspended: { readonly reason: string };
  readonly suspensionLifted: NoFigures;
}

export type MessageKey = keyof MessageParams;
/** Ids of both texts of each key. A missing text doesn't compile. */
type Texts = `message.${MessageKey}.title` | `message.${MessageKey}.body`;
const _everyKeyHasTexts: Texts extends MessageId ? true : never = true;
void _everyKeyHasTexts;

/**
 * Writes a message to a member, in the caller's transaction, so that event and message are stored together or not at
 * all. `db` may have the role of any feature that records such events. The words are made when the message is read, in
 * the reader's language. The stream pushes the message to open sockets.
 */
export async function tellMember<Key extends MessageKey>(
  db: Queryable,
  memberId: bigint,
  messageKey: Key,
  params: MessageParams[Key],
): Promise<void> {
  await db.query("SELECT tell_member($1, $2, $3)", [memberId, messageKey, JSON.stringify(params)]);
}
