import type { DurationOffer, InstrumentTerms } from "../market/instrument.ts";
import type { MemberId } from "../base/ids.ts";
import { closesAt, isOpenAt, isOpenThrough, nextChange } from "../market/market-hours.ts";
import type { WalletState } from "../members/member.ts";
import type { Wallet } from "../money/money.ts";
import { formatMoney, formatRate } from "../money/money-text.ts";
import { exposureMax, largestStakeWithin, refuseMemberLimit, refuseStanding } from "./order-limits.ts";
import type {
  MemberChange,
  OrderRequest,
  PlacedBatch,
  PlacementWorld,
  Placement,
  PlacingMember,
  ProposedOrder,
} from "./placement.ts";
import { isWishFor } from "./order-payload.ts";
import { calculateAmounts, findOffer, refuseStake, type QuotedAmounts } from "./quote.ts";
import { ENTRY_WINDOW_MS } from "./settle.ts";
import { startOfUtcDay, utcDay, type Instant } from "../base/time.ts";
import { refuseSealed, SEEN_WITHIN_MS } from "./sealed-rules.ts";
import { afterHold, onDay } from "../money/wallet.ts";
import type { PlacementRefusal } from "./placement-refusals.ts";

/** An instrument takes no orders while its newest tick is older than this. */
export const LAST_TICK_AGE_MAX_MS = 2_000n;

/**
 * Judges a batch of orders one after another. Each acceptance changes the member's wallet and the house's exposure by
 * which the next order is judged. The caller has checked the session, client ids known before this batch, and LOG_BEHIND.
 * Refuses by PLACEMENT_REFUSALS, in that order. A client id that was accepted earlier in the batch is handled before
 * all other checks: it returns the same order, or CLIENT_ID_REUSED.
 * Throws if `members` lacks a member or wallet of one of the requests.
 */
export function placeOrders<Member extends PlacingMember>(
  requests: readonly OrderRequest[],
  members: ReadonlyMap<MemberId, Member>,
  world: PlacementWorld,
): PlacedBatch<Member> {
  const batch = new Batch(members, world);
  const placements = requests.map((request, index) => batch.place(request, index));
  return {
    placements,
    changes: batch.changes(),
    acceptedCount: batch.acceptedCount,
    validFrom: batch.acceptedCount === 0 ? null : batch.validFrom,
    validUntil: batch.acceptedCount === 0 ? null : batch.validUntil,
  };
}

/** State of a member while their orders are judged. */
interface Placing<Member extends PlacingMember = PlacingMember> {
  readonly memberId: MemberId;
  readonly member: Member;
  readonly standingRefusal: PlacementRefusal | null;
  readonly wallets: Partial<Record<Wallet, WalletState>>;
  /** Their orders that this batch has accepted, each with the index of its request. */
  readonly accepted: { readonly index: number; readonly order: ProposedOrder }[];
  /** The wallets that those orders changed, in their current state. */
  readonly changed: Partial<Record<Wallet, WalletState>>;
}

/** An instrument with the values that are the same for all orders on it in a batch. */
interface Listing {
  readonly terms: InstrumentTerms;
  readonly exposure: Record<Wallet, bigint>;
  readonly exposureMax: Readonly<Record<Wallet, bigint>>;
  readonly lastTickTime: Instant | undefined;
  readonly closesAt: Instant | null;
}

class Batch<Member extends PlacingMember> {
  acceptedCount = 0;
  readonly validFrom: Instant;
  validUntil: Instant;
  private readonly members: ReadonlyMap<MemberId, Member>;
  private readonly world: PlacementWorld;
  private readonly day: number;
  private readonly placing = new Map<MemberId, Placing<Member>>();
  /** Members with accepted orders. */
  private readonly changed: Placing<Member>[] = [];
  private readonly listings = new Map<string, Listing>();
  private readonly exposure: Record<Wallet, bigint>;
  private readonly exposureMax: Readonly<Record<Wallet, bigint>>;

  constructor(members: ReadonlyMap<MemberId, Member>, world: PlacementWorld) {
    this.members = members;
    this.world = world;
    this.day = utcDay(world.now);
    const { config, pools, exposure } = world;
    this.exposure = { practice: exposure.practice.total, real: exposure.real.total };
    this.exposureMax = {
      practice: exposureMax(pools.practice, config.totalExposureShare),
      real: exposureMax(pools.real, config.totalExposureShare),
    };
    const dayStart = startOfUtcDay(this.day);
    this.validFrom = config.effectiveAt > dayStart ? config.effectiveAt : dayStart;
    this.validUntil = (startOfUtcDay(this.day + 1) - 1n) as Instant;
    if (world.nextConfigAt !== null) this.holdUntil(world.nextConfigAt - 1n);
  }

  place(request: OrderRequest, index: number): Placement<Member> {
    const placing = this.placingOf(request.memberId);
    const earlier = placing.accepted.find(({ order }) => order.clientOrderId === request.clientOrderId);
    if (earlier !== undefined) {
      return isWishFor(request, earlier.order)
        ? { kind: "same", index: earlier.index }
        : refused({ error: "CLIENT_ID_REUSED" });
    }
    const memberRefusal = refuseMember(placing, request.wallet) ?? refuseSealed(request, this.world.now);
    if (memberRefusal !== null) return refused(memberRefusal);
    const listing = this.listingOf(request.symbol);
    if (listing === undefined) return refused({ error: "INSTRUMENT_UNKNOWN" });
    const { terms } = listing;
    if (!placing.member.products.includes(terms.kind)) return refused({ error: "REGION_NOT_OFFERED" });
    const marketRefusal = this.refuseMarket(listing, request.durationSeconds);
    if (marketRefusal !== null) return refused(marketRefusal);
    const offer = findOffer(terms, request.durationSeconds);
    if (offer === undefined) return refused({ error: "DURATION_NOT_OFFERED" });
    const stakeRefusal = refuseStake(terms, request.stake);
    if (stakeRefusal !== null) return refused(stakeRefusal);
    const offered = calculateAmounts(terms, offer, request.stake);
    const locked = placing.wallets[request.wallet];
    if (locked === undefined)
      throw new Error(`the ${request.wallet} wallet of ${request.memberId} was not read for this batch`);
    const wallet = onDay(locked, this.day);
    const moneyRefusal =
      refuseMemberLimit(this.world.config, placing.member.limits, wallet, offered) ??
      this.refuseExposure(listing, request.wallet, offer, offered) ??
      refuseBalance(wallet, offered) ??
      refuseChangedQuote(request, offered);
    if (moneyRefusal !== null) return refused(moneyRefusal);
    return this.accept(request, index, placing, listing, wallet, offered);
  }

  changes(): MemberChange<Member>[] {
    return this.changed.map(({ memberId, member, accepted, changed }) => ({
      memberId,
      member,
      accepted: accepted.length,
      wallets: changed,
    }));
  }

  private accept(
    request: OrderRequest,
    index: number,
    placing: Placing<Member>,
    listing: Listing,
    wallet: WalletState,
    offered: QuotedAmounts,
  ): Placement<Member> {
    const order: ProposedOrder = {
      orderId: request.orderId,
      memberId: request.memberId,
      clientOrderId: request.clientOrderId,
      wallet: request.wallet,
      symbol: request.symbol,
      direction: request.direction,
      sealed: request.sealed,
      stake: request.stake,
      fee: offered.fee,
      payoutRate: offered.payoutRate,
      profitIfWon: offered.profitIfWon,
      limitPrice: request.limitPrice,
      durationSeconds: request.durationSeconds,
      configVersion: this.world.config.version,
    };
    const walletAfter = afterHold(wallet, order, this.day);
    placing.wallets[request.wallet] = walletAfter;
    placing.changed[request.wallet] = walletAfter;
    const nth = placing.accepted.push({ index, order });
    if (nth === 1) this.changed.push(placing);
    listing.exposure[request.wallet] += offered.profitIfWon;
    this.exposure[request.wallet] += offered.profitIfWon;
    const seenAt = request.vouched?.seenAt ?? null;
    if (seenAt !== null) this.holdUntil(seenAt + SEEN_WITHIN_MS);
    if (listing.lastTickTime !== undefined) this.holdUntil(listing.lastTickTime + LAST_TICK_AGE_MAX_MS);
    if (listing.closesAt !== null) this.holdUntil(listing.closesAt - lifetimeMs(request.durationSeconds));
    this.acceptedCount += 1;
    return { kind: "accepted", order, member: placing.member, walletAfter, nth };
  }

  private refuseMarket(listing: Listing, durationSeconds: number): PlacementRefusal | null {
    const { terms, lastTickTime } = listing;
    const { now } = this.world;
    if (terms.suspended) return { error: "INSTRUMENT_SUSPENDED" };
    if (terms.sessionHours !== "always" && !isOpenThrough(terms, now, (now + lifetimeMs(durationSeconds)) as Instant)) {
      return refuseClosed(terms, now);
    }
    if (lastTickTime === undefined || now - lastTickTime > LAST_TICK_AGE_MAX_MS) return { error: "PRICE_STALE" };
    return null;
  }

  private refuseExposure(
    listing: Listing,
    wallet: Wallet,
    offer: DurationOffer,
    offered: QuotedAmounts,
  ): PlacementRefusal | null {
    const instrumentRoom = listing.exposureMax[wallet] - listing.exposure[wallet];
    const totalRoom = this.exposureMax[wallet] - this.exposure[wallet];
    const room = instrumentRoom < totalRoom ? instrumentRoom : totalRoom;
    if (offered.profitIfWon <= room) return null;
    return {
      error: "EXPOSURE_LIMIT",
      params: { max: formatMoney(largestStakeWithin(listing.terms, offer, room)) },
    };
  }

  private holdUntil(at: bigint): void {
    if (at < this.validUntil) this.validUntil = at as Instant;
  }

  private placingOf(memberId: MemberId): Placing<Member> {
    const known = this.placing.get(memberId);
    if (known !== undefined) return known;
    const member = this.members.get(memberId);
    if (member === undefined) throw new Error(`member ${memberId} was not read for this batch`);
    const placing: Placing<Member> = {
      memberId,
      member,
      standingRefusal: refuseStanding(member, this.world.now),
      wallets: { ...member.wallets },
      accepted: [],
      changed: {},
    };
    this.placing.set(memberId, placing);
    return placing;
  }

  private listingOf(symbol: string): Listing | undefined {
    const known = this.listings.get(symbol);
    if (known !== undefined) return known;
    const { config, pools, exposure, lastTickTimes, now } = this.world;
    const terms = config.instruments.find((instrument) => instrument.symbol === symbol);
    if (terms === undefined) return undefined;
    const listing: Listing = {
      terms,
      exposure: {
        practice: exposure.practice.bySymbol.get(symbol) ?? 0n,
        real: exposure.real.bySymbol.get(symbol) ?? 0n,
      },
      exposureMax: {
        practice: exposureMax(pools.practice, terms.exposureShare),
        real: exposureMax(pools.real, terms.exposureShare),
      },
      lastTickTime: lastTickTimes.get(symbol),
      closesAt: closesAt(terms, now),
    };
    this.listings.set(symbol, listing);
    return listing;
  }
}

/** Returns the longest time an order can run after its acceptance: the wait for its entry plus its duration. */
function lifetimeMs(durationSeconds: number): bigint {
  return ENTRY_WINDOW_MS + BigInt(durationSeconds) * 1_000n;
}

function refuseMember(placing: Placing, wallet: Wallet): PlacementRefusal | null {
  const { member, standingRefusal } = placing;
  if (standingRefusal !== null) return standingRefusal;
  if (member.regionPolicy === "blocked") return { error: "REGION_BLOCKED" };
  if (!member.tradePasswordSet) return { error: "TRADE_PASSWORD_NOT_SET" };
  if (wallet === "real" && member.regionPolicy === "practice") return { error: "REGION_PRACTICE_ONLY" };
  return null;
}

/** Refuses INSTRUMENT_CLOSED. `nextChange`: when it opens, or when it closes if the order would only run past the close. */
function refuseClosed(terms: InstrumentTerms, now: Instant): PlacementRefusal {
  const change = isOpenAt(terms, now) ? closesAt(terms, now) : nextChange(terms, now);
  return change === null
    ? { error: "INSTRUMENT_CLOSED" }
    : { error: "INSTRUMENT_CLOSED", params: { nextChange: Number(change) } };
}

function refuseBalance(wallet: WalletState, offered: QuotedAmounts): PlacementRefusal | null {
  if (offered.cost <= wallet.available) return null;
  return { error: "INSUFFICIENT_BALANCE", params: { available: formatMoney(wallet.available) } };
}

function refuseChangedQuote(request: OrderRequest, offered: QuotedAmounts): PlacementRefusal | null {
  const sameRate = request.payoutRate === null || request.payoutRate === offered.payoutRate;
  const sameFee = request.fee === null || request.fee === offered.fee;
  if (sameRate && sameFee) return null;
  return {
    error: "QUOTE_CHANGED",
    params: { payoutRate: formatRate(offered.payoutRate), fee: formatMoney(offered.fee) },
  };
}

function refused(refusal: PlacementRefusal): Placement<never> {
  return { kind: "refused", refusal };
}
