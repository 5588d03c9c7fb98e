import type { InstrumentKind, TradingConfig } from "../market/instrument.ts";
import type { ClientId, MemberId, OrderId } from "../base/ids.ts";
import type { MemberLimits, RegionPolicy, Standing, WalletState } from "../members/member.ts";
import type { MicroUsd, Rate, Wallet } from "../money/money.ts";
import type { AgreedOrder, Direction, SealedPart } from "./order.ts";
import type { Points } from "../market/price.ts";
import type { Refusal } from "../base/refusal.ts";
import type { Instant } from "../base/time.ts";

/** The fields of a member's wish for an order; two wishes that differ in any of them are different wishes. */
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
  /** Rate and fee that they saw; null accepts what is in force. */
  readonly payoutRate: Rate | null;
  readonly fee: MicroUsd | null;
}

/** What the house has checked about a sealed wish before it is judged. */
export interface Vouched {
  /** Whether the device is one that may sign the member's orders now. */
  readonly isOwnDevice: boolean;
  /** Whether that device's key signed the wish as it was sent. */
  readonly isSigned: boolean;
  /** Time of the newest tick of the head that the device saw; null where there is no such head. */
  readonly seenAt: Instant | null;
}

export interface OrderRequest extends OrderPayload {
  /** Null for a wish in the open. */
  readonly vouched: Vouched | null;
  /** The id that the order gets if it is accepted. */
  readonly orderId: OrderId;
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
}

/** The fields that an order keeps of the wish it was made from. */
export type AgreedPayload = Pick<ProposedOrder, keyof OrderPayload>;

/** What the rules need to know about a member, read while their row is locked. */
export interface PlacingMember {
  readonly standing: Standing;
  /** Shown with SUSPENDED. */
  readonly standingReason: string | null;
  /** Shown with EXCLUDED. */
  readonly excludedUntil: Instant | null;
  readonly regionPolicy: RegionPolicy;
  /** The kinds of instruments that their region lets them trade. */
  readonly products: readonly InstrumentKind[];
  readonly tradePasswordSet: boolean;
  readonly limits: MemberLimits;
  /** At least those that their requests name. */
  readonly wallets: Readonly<Partial<Record<Wallet, WalletState>>>;
}

/** What a wallet's running orders would win together: the sum of `profitIfWon`, ups and downs not set against each other. */
export interface WalletExposure {
  readonly total: MicroUsd;
  readonly bySymbol: ReadonlyMap<string, MicroUsd>;
}

export interface PlacementWorld {
  readonly config: TradingConfig;
  /** When a newer version of the configuration or of the regions comes into force; null where none is known. */
  readonly nextConfigAt: Instant | null;
  readonly now: Instant;
  /** Symbol → time of the newest tick. */
  readonly lastTickTimes: ReadonlyMap<string, Instant>;
  /** Balance of the house's pool by wallet; may be negative. */
  readonly pools: Readonly<Record<Wallet, MicroUsd>>;
  readonly exposure: Readonly<Record<Wallet, WalletExposure>>;
}

/** An order as agreed, but without `acceptedAt`: the database sets that when it writes the order. */
export type ProposedOrder = Omit<AgreedOrder, "acceptedAt">;

/** What became of a wish. `Member` may carry more than the rules ask for; it is handed back as it came. */
export type Placement<Member extends PlacingMember = PlacingMember> =
  | {
      readonly kind: "accepted";
      readonly order: ProposedOrder;
      readonly member: Member;
      readonly walletAfter: WalletState;
      /** Which of its member's orders in this batch it is, from 1. */
      readonly nth: number;
    }
  /** The wish was sent twice: it asks for the order that this batch accepted at `index`, by the same member and client id. */
  | { readonly kind: "same"; readonly index: number }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** What a batch did to a member of whom it accepted orders. */
export interface MemberChange<Member extends PlacingMember = PlacingMember> {
  readonly memberId: MemberId;
  /** As they were before the batch. */
  readonly member: Member;
  /** How many orders of theirs were accepted. */
  readonly accepted: number;
  /** The wallets that those orders changed, as the last one left them. */
  readonly wallets: Readonly<Partial<Record<Wallet, WalletState>>>;
}

export interface PlacedBatch<Member extends PlacingMember = PlacingMember> {
  /** One for each request, in the same order. */
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
