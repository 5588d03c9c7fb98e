import type { InstrumentKind, TradingConfig } from "../market/instrument.ts";
import type { ClientId, MemberId, OrderId } from "../base/ids.ts";
import type { MemberLimits, RegionPolicy, Standing, WalletState } from "../members/member.ts";
import type { MicroUsd, Rate, Wallet } from "../money/money.ts";
import type { AgreedOrder, Direction, SealedPart } from "./order.ts";
import type { Points } from "../market/price.ts";
import type { Instant } from "../base/time.ts";
import type { PlacementRefusal } from "./placement-refusals.ts";

/** The fields of a member's wish for an order. Two wishes that differ in any of them are different wishes. */
export interface OrderPayload {
  readonly wallet: Wallet;
  readonly symbol: string;
  /** Null if it is sealed. */
  readonly direction: Direction | null;
  readonly sealed: SealedPart | null;
  /** Whole cents, positive. */
  readonly stake: MicroUsd;
  readonly durationSeconds: number;
  /** Worst entry price that the member accepts, in the instrument's points; null for any. */
  readonly limitPrice: Points | null;
  /** Rate and fee that the member saw; null accepts those in force. */
  readonly payoutRate: Rate | null;
  readonly fee: MicroUsd | null;
}

/** Facts that the server has checked about a sealed wish before it is judged. */
export interface Vouched {
  /** Whether the device may currently sign the member's orders. */
  readonly isOwnDevice: boolean;
  /** Whether that device's key signed the wish as sent. */
  readonly isSigned: boolean;
  /**
   * Time of the newest tick of the wish's symbol in the slot whose head the device saw, or of any symbol if the slot has
   * none of its own; null if there is no such head.
   */
  readonly seenAt: Instant | null;
}

export interface OrderRequest extends OrderPayload {
  /** Null for a wish that isn't sealed. */
  readonly vouched: Vouched | null;
  /** The id that the order gets if it is accepted. */
  readonly orderId: OrderId;
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
}

/** The fields that an order keeps from its wish. */
export type AgreedPayload = Pick<ProposedOrder, keyof OrderPayload>;

/** The facts about a member that the rules need, read while their row is locked. */
export interface PlacingMember {
  readonly standing: Standing;
  /** Shown in the message of SUSPENDED. */
  readonly standingReason: string | null;
  /** Shown in the message of EXCLUDED. */
  readonly excludedUntil: Instant | null;
  readonly regionPolicy: RegionPolicy;
  /** Kinds of instruments that their region allows them to trade. */
  readonly products: readonly InstrumentKind[];
  readonly tradePasswordSet: boolean;
  readonly limits: MemberLimits;
  /** At least the wallets named in their requests. */
  readonly wallets: Readonly<Partial<Record<Wallet, WalletState>>>;
}

/**
 * Profit that a wallet's running orders would make if all won: the sum of `profitIfWon`. Ups and downs aren't netted.
 */
export interface WalletExposure {
  readonly total: MicroUsd;
  readonly bySymbol: ReadonlyMap<string, MicroUsd>;
}

export interface PlacementWorld {
  readonly config: TradingConfig;
  /** When a newer version of the configuration or of the regions comes into force; null if none is known. */
  readonly nextConfigAt: Instant | null;
  readonly now: Instant;
  /** Symbol → time of the newest tick. */
  readonly lastTickTimes: ReadonlyMap<string, Instant>;
  /** Balance of the house's pool by wallet; may be negative. */
  readonly pools: Readonly<Record<Wallet, MicroUsd>>;
  readonly exposure: Readonly<Record<Wallet, WalletExposure>>;
}

/** An agreed order without `acceptedAt`, which the database sets when it writes the order. */
export type ProposedOrder = Omit<AgreedOrder, "acceptedAt">;

/** The result of a wish. `Member` may have more fields than the rules need; the same object is returned. */
export type Placement<Member extends PlacingMember = PlacingMember> =
  | {
      readonly kind: "accepted";
      readonly order: ProposedOrder;
      readonly member: Member;
      readonly walletAfter: WalletState;
      /** Position among its member's orders in this batch, from 1. */
      readonly nth: number;
    }
  /**
   * The wish was sent twice. It asks for the order that this batch accepted at `index`, with the same member and client
   * id.
   */
  | { readonly kind: "same"; readonly index: number }
  | { readonly kind: "refused"; readonly refusal: PlacementRefusal };

/** The changes that a batch made to a member with accepted orders. */
export interface MemberChange<Member extends PlacingMember = PlacingMember> {
  readonly memberId: MemberId;
  /** The member as they were before the batch. */
  readonly member: Member;
  /** Number of their accepted orders. */
  readonly accepted: number;
  /** The wallets that those orders changed, as they are after the last one. */
  readonly wallets: Readonly<Partial<Record<Wallet, WalletState>>>;
}

export interface PlacedBatch<Member extends PlacingMember = PlacingMember> {
  /** One result per request, in the same order. */
  readonly placements: readonly Placement<Member>[];
  readonly changes: readonly MemberChange<Member>[];
  readonly acceptedCount: number;
  /**
   * The first and last `acceptedAt` for which the acceptances are valid (session hours, tick age, UTC day of the
   * limits, configuration version), both inclusive. At any other time the batch must be judged again. Null if nothing
   * was accepted.
   */
  readonly validFrom: Instant | null;
  readonly validUntil: Instant | null;
}
