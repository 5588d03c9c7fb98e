import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstTradingConfig } from "../config/first-config.ts";
import type { ClientId, DeviceId, MemberId, OrderId } from "../base/ids.ts";
import type { InstrumentTerms } from "../market/instrument.ts";
import type { WalletState } from "../members/member.ts";
import type { MicroUsd, Rate, Wallet } from "../money/money.ts";
import { placeOrders } from "./place-orders.ts";
import { PLACEMENT_REFUSALS } from "./placement-refusals.ts";
import type { OrderRequest, Placement, PlacementWorld, PlacingMember } from "./placement.ts";
import type { ErrorName } from "../base/refusal.ts";
import { startOfUtcDay, utcDay, type Instant } from "../base/time.ts";
import { EMPTY_WALLET } from "../money/test-wallet.ts";

const usd = (dollars: number): MicroUsd => BigInt(Math.round(dollars * 1_000_000)) as MicroUsd;
// Wednesday 2026-11-18 12:00 UTC.
const NOW = 1_795_003_200_000n as Instant;
const TODAY = utcDay(NOW);
// Saturday 2026-11-21 22:00 UTC, when exchanges are closed.
const CLOSED_AT = 1_795_298_400_000n as Instant;
const ANN = 1n as MemberId;
const BEN = 2n as MemberId;

function wallet(change: Partial<WalletState> = {}): WalletState {
  return { ...EMPTY_WALLET, available: usd(10_000), day: TODAY, ...change };
}

function member(change: Partial<PlacingMember> = {}): PlacingMember {
  return {
    standing: "active",
    standingReason: null,
    excludedUntil: null,
    regionPolicy: "full",
    products: ["fx", "crypto"],
    tradePasswordSet: true,
    limits: { dailyStakeMax: null, dailyLossMax: null, coolOffUntil: null },
    wallets: { practice: wallet(), real: wallet() },
    ...change,
  };
}

let nextId = 100n;
function request(change: Partial<OrderRequest> = {}): OrderRequest {
  nextId += 1n;
  return {
    orderId: nextId as OrderId,
    memberId: ANN,
    clientOrderId: `client-${nextId}` as ClientId,
    wallet: "practice",
    symbol: "EURUSD",
    direction: "up" as const,
    sealed: null,
    stake: usd(10),
    durationSeconds: 60,
    limitPrice: null,
    payoutRate: null,
    fee: null,
    vouched: null,
    ...change,
  };
}

interface WorldChange extends Partial<PlacementWorld> {
  readonly terms?: Partial<InstrumentTerms>;
}

function world({ terms, ...change }: WorldChange = {}): PlacementWorld {
  const config = firstTradingConfig(0n as Instant);
  return {
    config: { ...config, instruments: config.instruments.map((each) => ({ ...each, ...terms })) },
    nextConfigAt: null,
    now: NOW,
    lastTickTimes: new Map(config.instruments.map(({ symbol }) => [symbol, NOW])),
    pools: { practice: usd(1_000_000), real: usd(100_000) },
    exposure: {
      practice: { total: 0n as MicroUsd, bySymbol: new Map() },
      real: { total: 0n as MicroUsd, bySymbol: new Map() },
    },
    ...change,
  };
}

function placeOne(
  setup: { request?: Partial<OrderRequest>; member?: Partial<PlacingMember>; world?: WorldChange } = {},
): Placement {
  const members = new Map([[ANN, member(setup.member)]]);
  return placeOrders([request(setup.request)], members, world(setup.world)).placements[0]!;
}

const errorOf = (placement: Placement): ErrorName | null =>
  placement.kind === "refused" ? placement.refusal.error : null;
const kinds = (placements: readonly Placement[]): string[] =>
  placements.map((each) => (each.kind === "refused" ? each.refusal.error : each.kind));

describe("an order that passes every check", () => {
  it("is agreed with figures rounded once, and its cost is held", () => {
    const placed = placeOne({ request: { stake: usd(10.01), payoutRate: 850_000n as Rate, fee: usd(0.1) } });
    expect(placed).toMatchObject({
      kind: "accepted",
      order: {
        stake: usd(10.01),
        fee: usd(0.1),
        payoutRate: 850_000n,
        // 10.01 × 0.85 = 8.5085 → 8.51, less the fee
        profitIfWon: usd(8.41),
        configVersion: 1,
      },
      walletAfter: {
        available: usd(9_989.89),
        locked: usd(10.11),
        runningStakes: usd(10.01),
        runningOrders: 1,
        stakedToday: usd(10.01),
        lostToday: 0n,
        day: TODAY,
      },
    });
  });
});

describe("each check refuses with its own error name", () => {
  const fxHours: WorldChange = { terms: { sessionHours: "fx-new-york" } };
  const friday = 1_795_211_940_000n; // 2026-11-20 21:59:00 UTC: a minute before the week's end
  const limits = member().limits;
  const rows: [string, Parameters<typeof placeOne>[0], ErrorName, Record<string, unknown> | undefined][] = [
    [
      "suspended, with the reason",
      { member: { standing: "suspended", standingReason: "used by another" } },
      "SUSPENDED",
      { reason: "used by another" },
    ],
    [
      "excluded by their own choice",
      { member: { standing: "excluded", excludedUntil: (NOW + 5n) as Instant } },
      "EXCLUDED",
      { until: Number(NOW) + 5 },
    ],
    ["excluded for good", { member: { standing: "excluded" } }, "EXCLUDED", undefined],
    ["closed", { member: { standing: "closed" } }, "CLOSED", undefined],
    [
      "cooling off",
      { member: { limits: { ...limits, coolOffUntil: (NOW + 1n) as Instant } } },
      "EXCLUDED",
      { until: Number(NOW) + 1 },
    ],
    ["region blocked", { member: { regionPolicy: "blocked" } }, "REGION_BLOCKED", undefined],
    ["no transaction password", { member: { tradePasswordSet: false } }, "TRADE_PASSWORD_NOT_SET", undefined],
    [
      "real wallet under a practice policy",
      { member: { regionPolicy: "practice" }, request: { wallet: "real" } },
      "REGION_PRACTICE_ONLY",
      undefined,
    ],
    ["no such instrument", { request: { symbol: "EURXXX" } }, "INSTRUMENT_UNKNOWN", undefined],
    ["suspended instrument", { world: { terms: { suspended: true } } }, "INSTRUMENT_SUSPENDED", undefined],
    [
      "session too near its end for 10 s and the duration",
      { world: { ...fxHours, now: friday as Instant } },
      "INSTRUMENT_CLOSED",
      { nextChange: Number(friday) + 60_000 },
    ],
    [
      "closed at the weekend, with the opening",
      { world: { ...fxHours, now: (friday + 3_600_000n) as Instant } },
      "INSTRUMENT_CLOSED",
      { nextChange: Number(friday) + 60_000 + 48 * 3_600_000 },
    ],
    [
      "last tick older than 2 s",
      { world: { lastTickTimes: new Map([["EURUSD", (NOW - 2001n) as Instant]]) } },
      "PRICE_STALE",
      undefined,
    ],
    ["no tick at all", { world: { lastTickTimes: new Map() } }, "PRICE_STALE", undefined],
    ["duration not offered", { request: { durationSeconds: 61 } }, "DURATION_NOT_OFFERED", undefined],
    ["stake below the minimum", { request: { stake: usd(0.99) } }, "STAKE_BELOW_MINIMUM", { min: "1.00" }],
    ["stake above the maximum", { request: { stake: usd(1000.01) } }, "STAKE_ABOVE_MAXIMUM", { max: "1000.00" }],
    [
      "running stakes",
      { member: { wallets: { practice: wallet({ runningStakes: usd(19_990.01) }), real: wallet() } } },
      "MEMBER_LIMIT",
      { limit: "20000.00", left: "9.99", name: "runningStakes" },
    ],
    [
      "running orders, with a configuration from before this limit existed",
      {
        world: { config: { ...firstTradingConfig(0n as Instant), memberRunningOrdersMax: undefined } },
        member: { wallets: { practice: wallet({ runningOrders: 200 }), real: wallet() } },
      },
      "MEMBER_LIMIT",
      { limit: 200, left: 0, name: "runningOrders" },
    ],
    [
      "own daily stake limit",
      {
        member: {
          limits: { ...limits, dailyStakeMax: usd(50) },
          wallets: { practice: wallet({ stakedToday: usd(45) }), real: wallet() },
        },
      },
      "MEMBER_LIMIT",
      { limit: "50.00", left: "5.00", name: "dailyStake" },
    ],
    [
      "own daily loss limit: open stakes and the fee count",
      {
        member: {
          limits: { ...limits, dailyLossMax: usd(30) },
          wallets: { practice: wallet({ lostToday: usd(10), runningStakes: usd(10) }), real: wallet() },
        },
      },
      "MEMBER_LIMIT",
      { limit: "30.00", left: "10.00", name: "dailyLoss" },
    ],
    [
      "an empty pool",
      { world: { pools: { practice: 0n as MicroUsd, real: 0n as MicroUsd } } },
      "EXPOSURE_LIMIT",
      { max: "0.00" },
    ],
    [
      "a pool below zero",
      { world: { pools: { practice: usd(-5), real: 0n as MicroUsd } } },
      "EXPOSURE_LIMIT",
      { max: "0.00" },
    ],
    [
      "total exposure of the house",
      {
        world: {
          pools: { practice: usd(1000), real: 0n as MicroUsd },
          exposure: {
            practice: { total: usd(795), bySymbol: new Map() },
            real: { total: 0n as MicroUsd, bySymbol: new Map() },
          },
        },
      },
      "EXPOSURE_LIMIT",
      // 5.94 × 0.85 = 5.049 → 5.05, less the fee of 0.05
      { max: "5.94" },
    ],
    [
      "balance without the fee",
      { member: { wallets: { practice: wallet({ available: usd(10.09) }), real: wallet() } } },
      "INSUFFICIENT_BALANCE",
      { available: "10.09" },
    ],
    [
      "a rate other than the one they saw",
      { request: { payoutRate: 860_000n as Rate } },
      "QUOTE_CHANGED",
      { payoutRate: "0.85", fee: "0.10" },
    ],
    [
      "a fee other than the one they saw",
      { request: { fee: usd(0.11) } },
      "QUOTE_CHANGED",
      { payoutRate: "0.85", fee: "0.10" },
    ],
  ];
  it.each(rows)("%s", (_title, setup, error, params) => {
    const placed = placeOne(setup);
    expect(placed).toEqual({ kind: "refused", refusal: { error, ...(params && { params }) } });
  });

  it("counts exposure per instrument to the cent: the share itself still fits", () => {
    const pool = { practice: usd(42), real: 0n as MicroUsd };
    expect(placeOne({ world: { pools: pool } }).kind).toBe("accepted");
    expect(placeOne({ world: { pools: pool }, request: { stake: usd(10.01) } })).toEqual({
      kind: "refused",
      refusal: { error: "EXPOSURE_LIMIT", params: { max: "10.00" } },
    });
  });

  it("accepts values exactly at a bound", () => {
    expect(placeOne({ request: { stake: usd(1) } }).kind).toBe("accepted");
    expect(placeOne({ request: { stake: usd(1000) } }).kind).toBe("accepted");
    const exact = { practice: wallet({ available: usd(10.1), runningStakes: usd(19_990) }), real: wallet() };
    expect(placeOne({ member: { wallets: exact } }).kind).toBe("accepted");
    const tick = new Map([["EURUSD", (NOW - 2000n) as Instant]]);
    expect(placeOne({ world: { lastTickTimes: tick } }).kind).toBe("accepted");
    const session = {
      ...fxHours,
      now: (friday - 10_000n) as Instant,
      lastTickTimes: new Map([["EURUSD", friday as Instant]]),
    };
    expect(placeOne({ world: session }).kind).toBe("accepted");
    const cooled = { ...limits, coolOffUntil: NOW };
    expect(placeOne({ member: { limits: cooled } }).kind).toBe("accepted");
  });

  it("ignores sums of an earlier day", () => {
    const old = wallet({ day: TODAY - 1, stakedToday: usd(50), lostToday: usd(50) });
    const own = { dailyStakeMax: usd(10), dailyLossMax: usd(10.1), coolOffUntil: null };
    expect(placeOne({ member: { limits: own, wallets: { practice: old, real: wallet() } } })).toMatchObject({
      kind: "accepted",
      walletAfter: { day: TODAY, stakedToday: usd(10), lostToday: 0n },
    });
  });
});

it("checks in the published order: with everything wrong, fixing one refusal shows the next", () => {
  const wrong: Partial<PlacingMember> = {
    standing: "closed",
    regionPolicy: "blocked",
    tradePasswordSet: false,
    products: [],
    limits: { dailyStakeMax: 0n as MicroUsd, dailyLossMax: null, coolOffUntil: null },
    wallets: { practice: wallet(), real: wallet({ available: 0n as MicroUsd }) },
  };
  const asked: Partial<OrderRequest> = {
    wallet: "real",
    symbol: "NONE",
    direction: null,
    sealed: {
      seal: new Uint8Array(32),
      deviceId: 1n as DeviceId,
      seenSlot: 1n,
      seenHash: new Uint8Array(32),
      signature: new Uint8Array(64),
    },
    vouched: { isOwnDevice: false, isSigned: false, seenAt: null },
    durationSeconds: 7,
    stake: usd(0.5),
    fee: usd(9),
  };
  const setup = { member: wrong, request: asked, world: {} as WorldChange };
  const bad: WorldChange = {
    terms: { suspended: true, sessionHours: "fx-new-york" },
    now: CLOSED_AT,
    lastTickTimes: new Map(),
    pools: { practice: 0n as MicroUsd, real: 0n as MicroUsd },
  };
  setup.world = bad;
  const seen: (ErrorName | null)[] = [];
  const mend = (change: {
    member?: Partial<PlacingMember>;
    request?: Partial<OrderRequest>;
    world?: WorldChange;
  }): void => {
    seen.push(errorOf(placeOne(setup)));
    Object.assign(setup.member, change.member);
    Object.assign(setup.request, change.request);
    Object.assign(setup.world, change.world);
  };
  mend({ member: { standing: "active" } });
  mend({ member: { regionPolicy: "practice" } });
  mend({ member: { tradePasswordSet: true } });
  mend({ member: { regionPolicy: "full" } });
  mend({ request: { vouched: { isOwnDevice: true, isSigned: false, seenAt: null } } });
  mend({ request: { vouched: { isOwnDevice: true, isSigned: true, seenAt: null } } });
  mend({ request: { vouched: { isOwnDevice: true, isSigned: true, seenAt: (CLOSED_AT - 3_001n) as Instant } } });
  mend({ request: { vouched: { isOwnDevice: true, isSigned: true, seenAt: CLOSED_AT } } });
  mend({ request: { symbol: "EURUSD" } });
  mend({ member: { products: ["fx"] } });
  mend({ world: { terms: { sessionHours: "fx-new-york" } } });
  mend({ world: { terms: {} } });
  mend({ world: { lastTickTimes: new Map([["EURUSD", CLOSED_AT]]) } });
  mend({ request: { durationSeconds: 60 } });
  mend({ request: { stake: usd(5000) } });
  mend({ request: { stake: usd(5) } });
  mend({ member: { limits: member().limits } });
  mend({ world: { pools: { practice: usd(1000), real: usd(1000) } } });
  mend({ member: { wallets: { practice: wallet(), real: wallet() } } });
  mend({ request: { fee: usd(0.05) } });
  mend({});
  // These three don't occur here: a member has only one standing, and no client id is used twice.
  const others = new Set<ErrorName>(["CLIENT_ID_REUSED", "SUSPENDED", "EXCLUDED"]);
  expect(seen).toEqual([...PLACEMENT_REFUSALS.filter((reason) => !others.has(reason)), null]);
});

describe("a batch", () => {
  it("stops at the limit on a member's running orders, separately for each wallet", () => {
    const config = { ...firstTradingConfig(0n as Instant), memberRunningOrdersMax: 2 };
    const requests = [request(), request(), request(), request({ wallet: "real" })];
    const batch = placeOrders(requests, new Map([[ANN, member()]]), world({ config }));
    expect(kinds(batch.placements)).toEqual(["accepted", "accepted", "MEMBER_LIMIT", "accepted"]);
    expect(batch.placements[1]).toMatchObject({ walletAfter: { runningOrders: 2 } });
    expect(batch.placements[3]).toMatchObject({ walletAfter: { runningOrders: 1 } });
  });

  it("counts a member's orders one after another, separately for each wallet", () => {
    const members = new Map([[ANN, member({ wallets: { practice: wallet({ available: usd(25) }), real: wallet() } })]]);
    const batch = placeOrders([request(), request(), request(), request({ wallet: "real" })], members, world());
    expect(kinds(batch.placements)).toEqual(["accepted", "accepted", "INSUFFICIENT_BALANCE", "accepted"]);
    expect(batch.placements[1]).toMatchObject({ walletAfter: { available: usd(4.8), runningStakes: usd(20) } });
    expect(batch.acceptedCount).toBe(3);
    expect(batch.placements.map((each) => (each.kind === "accepted" ? each.nth : null))).toEqual([1, 2, null, 3]);
  });

  it("lists the changes of every member with accepted orders, and of no others", () => {
    const ann = { ...member({ wallets: { practice: wallet({ available: usd(25) }), real: wallet() } }), row: 7 };
    const members = new Map([
      [ANN, ann],
      [BEN, { ...member(), row: 8 }],
    ]);
    const batch = placeOrders(
      [request(), request({ memberId: BEN, stake: usd(0.5) }), request(), request()],
      members,
      world(),
    );
    const practice = expect.objectContaining({ runningStakes: usd(20) });
    expect(batch.changes).toEqual([{ memberId: ANN, member: ann, accepted: 2, wallets: { practice } }]);
    // The caller's own object, with fields that the rules don't need.
    expect(batch.changes[0]?.member).toBe(ann);
    expect(batch.placements[0]).toHaveProperty("member", ann);
  });

  it("returns the same order for a repeated client id, and a conflict for another payload", () => {
    const members = new Map([
      [ANN, member()],
      [BEN, member()],
    ]);
    const first = request();
    const { clientOrderId } = first;
    const batch = placeOrders(
      [
        first,
        request({ clientOrderId }),
        request({ clientOrderId, stake: usd(11) }),
        request({ clientOrderId, memberId: BEN }),
      ],
      members,
      world(),
    );
    expect(kinds(batch.placements)).toEqual(["accepted", "same", "CLIENT_ID_REUSED", "accepted"]);
    expect(batch.placements[1]).toEqual({ kind: "same", index: 0 });
  });

  it("does not bind the client id of a refused request", () => {
    const clientOrderId = "again-and-again" as ClientId;
    const batch = placeOrders(
      [request({ clientOrderId, stake: usd(0.5) }), request({ clientOrderId })],
      new Map([[ANN, member()]]),
      world(),
    );
    expect(kinds(batch.placements)).toEqual(["STAKE_BELOW_MINIMUM", "accepted"]);
  });

  it("counts exposure across members, with ups and downs together and wallets separately", () => {
    const members = new Map([
      [ANN, member()],
      [BEN, member()],
    ]);
    const small = world({ pools: { practice: usd(84), real: usd(84) } });
    const batch = placeOrders(
      [
        request(),
        request({ memberId: BEN, direction: "down" }),
        request({ memberId: BEN }),
        request({ memberId: BEN, wallet: "real" }),
        request({ memberId: BEN, symbol: "GBPUSD" }),
      ],
      members,
      small,
    );
    expect(kinds(batch.placements)).toEqual(["accepted", "accepted", "EXPOSURE_LIMIT", "accepted", "accepted"]);
  });

  it("does not modify its arguments", () => {
    const members = new Map([[ANN, member()]]);
    const here = world();
    const before = structuredClone([members, here]);
    placeOrders([request(), request()], members, here);
    expect([members, here]).toEqual(before);
  });

  it("throws for a member who was not read", () => {
    expect(() => placeOrders([request()], new Map(), world())).toThrow(/was not read/);
  });
});

describe("the instants for which a batch is valid", () => {
  const until = (change: WorldChange, asked: Partial<OrderRequest> = {}): Instant | null =>
    placeOrders([request(asked)], new Map([[ANN, member()]]), world(change)).validUntil;

  it("end two seconds after the last tick", () => {
    expect(until({ lastTickTimes: new Map([["EURUSD", (NOW - 500n) as Instant]]) })).toBe(NOW + 1500n);
  });

  it("end before the next configuration", () => {
    expect(until({ nextConfigAt: (NOW + 100n) as Instant })).toBe(NOW + 99n);
  });

  it("end with the UTC day", () => {
    const late = (startOfUtcDay(TODAY + 1) - 10n) as Instant;
    expect(until({ now: late, lastTickTimes: new Map([["EURUSD", late]]) })).toBe(late + 9n);
  });

  it("end 10 s and the duration before the session does", () => {
    const close = 1_795_212_000_000n;
    const now = (close - 70_500n) as Instant;
    const fx: WorldChange = { now, terms: { sessionHours: "fx-new-york" }, lastTickTimes: new Map([["EURUSD", now]]) };
    expect(until(fx)).toBe(close - 70_000n);
    expect(until(fx, { durationSeconds: 30 })).toBe(now + 2000n);
  });

  it("begin with the day or the configuration, and are null without an acceptance", () => {
    const members = new Map([[ANN, member()]]);
    expect(placeOrders([request()], members, world()).validFrom).toBe(startOfUtcDay(TODAY));
    const config = { ...world().config, effectiveAt: (NOW - 3n) as Instant };
    expect(placeOrders([request()], members, world({ config })).validFrom).toBe(NOW - 3n);
    expect(placeOrders([request({ stake: usd(0.1) })], members, world())).toMatchObject({
      validFrom: null,
      validUntil: null,
    });
  });
});

it("never lets a wallet go below zero or exposure above its share, and conserves available + locked", () => {
  const anyRequest = fc.record({
    memberId: fc.constantFrom(ANN, BEN),
    wallet: fc.constantFrom<Wallet>("practice", "real"),
    symbol: fc.constantFrom("EURUSD", "BTCUSD", "XAUUSD"),
    durationSeconds: fc.constantFrom(30, 60, 3600),
    cents: fc.integer({ min: 50, max: 100_100 }),
  });
  fc.assert(
    fc.property(fc.array(anyRequest, { maxLength: 60 }), fc.integer({ min: 0, max: 5_000 }), (asked, pool) => {
      const start = wallet({ available: usd(1_500) });
      const members = new Map([ANN, BEN].map((id) => [id, member({ wallets: { practice: start, real: start } })]));
      const pools = { practice: usd(pool), real: usd(pool * 2) };
      const requests = asked.map(({ cents, ...rest }) => request({ ...rest, stake: usd(cents / 100) }));
      const { placements } = placeOrders(requests, members, world({ pools }));
      const won = new Map<string, bigint>();
      for (const placed of placements) {
        if (placed.kind !== "accepted") continue;
        const { order, walletAfter } = placed;
        expect(walletAfter.available >= 0n).toBe(true);
        expect(walletAfter.available + walletAfter.locked).toBe(usd(1_500));
        for (const key of [order.wallet, `${order.wallet} ${order.symbol}`]) {
          won.set(key, (won.get(key) ?? 0n) + order.profitIfWon);
        }
      }
      for (const [key, sum] of won) {
        const max = pools[key.startsWith("real") ? "real" : "practice"];
        expect(sum * 100n <= max * (key.includes(" ") ? 20n : 80n)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

it("judges a thousand orders of a thousand members in milliseconds", () => {
  const members = new Map(Array.from({ length: 1000 }, (_, index) => [BigInt(index) as MemberId, member()] as const));
  const requests = Array.from({ length: 1000 }, (_, index) => request({ memberId: BigInt(index) as MemberId }));
  const here = world({ pools: { practice: usd(1e8), real: usd(1e8) } });
  const lengths = Array.from({ length: 20 }, () => {
    const from = performance.now();
    expect(placeOrders(requests, members, here).acceptedCount).toBe(1000);
    return performance.now() - from;
  }).sort((a, b) => a - b);
  // Well under 5 ms on an idle machine; the bound leaves room for a busy one.
  expect(lengths[2]).toBeLessThan(30);
});
