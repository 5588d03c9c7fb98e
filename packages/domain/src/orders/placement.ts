import type { InstrumentKind, TradingConfig } from "../market/instrument.ts";
import type { ClientId, MemberId, OrderId } from "../base/ids.ts";
import type { MemberLimits, RegionPolicy, Standing, WalletState } from "../members/member.ts";
import type { MicroUsd, Rate, Wallet } from "../money/money.ts";
import type { AgreedOrder, Direction, SealedPart } from "./order.ts";
import type { Points } from "../market/price.ts";
import type { Refusal } from "../base/refusal.ts";
import type { Instant } from "../base/time.ts";

/** The fields of a member's wish that make it this wish and no other. */
export interface OrderPayload {
  readonly wallet: Wallet;
  readonly symbol: string;
  /** Null where it is sealed. */
  readonly direction: Direction | null;
  readonly sealed: SealedPart | null;
  /** Whole cents, above zero. */
  readonly stake: MicroUsd;
  readonly durationSeconds: number;
  /** Worst entry price that the member accepts, in the instrument's points; null for any. */
  readonly limitPrice: Points | null;
  /** Rate and fee that they saw; null takes what is in force. */
  readonly payoutRate: Rate | null;
  readonly fee: MicroUsd | null;
}

/** What is known of a sealed wish beside what it says. */
export interface Vouched {
  /** Whether its device is one of the member's that sign now. */
  readonly isOwnDevice: boolean;
  /** Whether the signature is that device's, over the wish as it was sent. */
  readonly isSigned: boolean;
  /** Time of the newest tick of the head that the device saw; null where there is no such head. */
  readonly seenAt: Instant | null;
}

export interface OrderRequest extends OrderPayload {
  /** Null of a wish in the open. */
  readonly vouched: Vouched | null;
  /** The id that the order gets if it is accepted. */
  readonly orderId: OrderId;
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
}

/** What an order has of the wish it was made of. */
export type AgreedPayload = Pick<ProposedOrder, keyof OrderPayload>;

/** A member as an order's rules see them, read under their row's lock. */
export interface PlacingMember {
  readonly standing: Standing;
  /** Shown with SUSPENDED. */
  readonly standingReason: string | null;
  /** Shown with EXCLUDED. */
  readonly excludedUntil: Instant | null;
  readonly regionPolicy: RegionPolicy;
  /** Kinds of instruments that their region leaves open. */
  readonly products: readonly InstrumentKind[];
  readonly tradePasswordSet: boolean;
  readonly limits: MemberLimits;
  /** At least those that their requests name. */
  readonly wallets: Readonly<Partial<Record<Wallet, WalletState>>>;
}

/** Sum of `profitIfWon` of a wallet's running orders; ups and downs are not netted. */
export interface WalletExposure {
  readonly total: MicroUsd;
  readonly bySymbol: ReadonlyMap<string, MicroUsd>;
}

export interface PlacementWorld {
  readonly config: TradingConfig;
  /** When a newer version of the configuration or of the regions begins to bind; null for none known. */
  readonly nextConfigAt: Instant | null;
  readonly now: Instant;
  /** Symbol → time of the newest tick. */
  readonly lastTickTimes: ReadonlyMap<string, Instant>;
  /** Balance of the house's pool by wallet; may be negative. */
  readonly pools: Readonly<Record<Wallet, MicroUsd>>;
  readonly exposure: Readonly<Record<Wallet, WalletExposure>>;
}

/** An order as agreed; `acceptedAt` is the database's and comes with the write. */
export type ProposedOrder = Omit<AgreedOrder, "acceptedAt">;

/** `Member` is what the caller knows of a member beside what the rules ask for; they hand it back as they were given it. */
export type Placement<Member extends PlacingMember = PlacingMember> =
  | {
      readonly kind: "accepted";
      readonly order: ProposedOrder;
      readonly member: Member;
      readonly walletAfter: WalletState;
      /** Which of its member's orders in this batch it is, from 1. */
      readonly nth: number;
    }
  /** The same order as the accepted one at `index` of this batch: same member and client id, and a wish for it. */
  | { readonly kind: "same"; readonly index: number }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** What a batch did to a member of whom it accepted orders. */
export interface MemberChange<Member extends PlacingMember = PlacingMember> {
  readonly memberId: MemberId;
  /** As they were before the batch. */
  readonly member: Member;
  /** How many. */
  readonly accepted: number;
  /** The wallets that they changed, as the last one left them. */
  readonly wallets: Readonly<Partial<Record<Wallet, WalletState>>>;
}

export interface PlacedBatch<Member extends PlacingMember = PlacingMember> {
  /** One for each request, in its place. */
  readonly placements: readonly Placement<Member>[];
  readonly changes: readonly MemberChange<Member>[];
  readonly acceptedCount: number;
  /**
   * The first and last `acceptedAt` for which the acceptances hold (session hours, tick age, UTC day of the limits,
   * configuration version), inclusive. Outside them the batch is judged again. Null when nothing was accepted.
   */
  readonly validFrom: Instant | null;
  readonly validUntil: Instant | null;
}
