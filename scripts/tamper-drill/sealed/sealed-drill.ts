import { setTimeout as sleep } from "node:timers/promises";
import type { Result } from "../attack.ts";
import { answerForAnotherWish, answerWithoutAcceptance, refuseUnsigned, refuseWithFalseReason } from "./answering.ts";
import { bindLate, leaveOutOfBatch, settleWithWrongNonce } from "./bending-log.ts";
import { alertOneMember, placeByMintedDevice, placeInTheirName, postDate } from "./forging.ts";
import { openSealedHouse, type SealedHouse, SYMBOL } from "./house.ts";
import { lookAtLog, type Notice } from "./look.ts";
import { loseReveal } from "./losing-reveals.ts";
import { stopWitness } from "./pausing.ts";
import { hideOutage, type Lone, meetLoneOrders, meetSealedOrders } from "./pricing.ts";
import { readPublicRecord } from "./public-record.ts";
import { useRemovedDevice } from "./removed-device.ts";
import { withholdRounds } from "./withheld-round.ts";
import {
  delayOrders,
  exhaustExposure,
  limitMembers,
  pressHabit,
  refuseWinners,
  suspendByHabit,
  suspendMembers,
} from "./refusing.ts";
import { type Begin, playOpenRound, playRound, type RoundPlan } from "./round.ts";
import { backDateSettlement, holdSettlement, logOppositeDirection } from "./settling.ts";
import { addTallies, judgeCoin, judgeTally, type Judgement, type Tally, tally } from "./tally.ts";

/** The result of an attack on sealed orders. */
export interface SealedResult extends Pick<Result, "what" | "seconds"> {
  readonly notices: readonly Notice[];
  /** For an attack that chooses orders: what a stranger concludes from the public log and from opened refusals. */
  readonly judgement: Judgement | null;
  /** Number of orders by response; null if the attack isn't about many orders. */
  readonly answers: Tally["answers"] | null;
}

export interface SealedSteps {
  /** Names of the steps in order. */
  readonly names: readonly string[];
  run(name: string): Promise<SealedResult[]>;
  close(): Promise<void>;
}

const MEMBERS = 40;
const MINUTE_MS = 60_000;
/** Time after a minute's end until its prices and heads are in the log. */
const WRITTEN_MS = 12_000;
/** A few orders are enough to show a habit. */
const HABIT_ORDERS = 400;
const NO_ATTACK: Begin = () => Promise.resolve(() => Promise.resolve());

/** Opens the house to be attacked. `orders`: the least number by which each attack that chooses orders is measured. */
export async function openSealedDrill(orders: number): Promise<SealedSteps> {
  const house = await openSealedHouse(MEMBERS);
  const steps = stepsOf(house, orders);
  return {
    names: Object.keys(steps),
    async run(name) {
      const results = await steps[name]?.();
      if (results === undefined) throw new Error(`there is no step ${name}`);
      return results;
    },
    close: () => house.close(),
  };
}

/** Returns every attack by its name, in the order in which they are run. */
function stepsOf(house: SealedHouse, orders: number): Readonly<Record<string, () => Promise<SealedResult[]>>> {
  const choose = (what: string, begin: Begin) => async () => [await measure(house, { what, begin, orders })];
  return {
    "no-attack": choose("no attack: a house that takes every order", NO_ATTACK),
    "open-winners": async () => [await measureOpen(house, Math.min(orders, 400))],
    "refuse-winners": choose("refuse winners by a trigger that knows the path", refuseWinners),
    delay: choose("hold orders back for seconds, until the price has moved", delayOrders),
    exposure: choose("refuse by exposure at the right moment", exhaustExposure),
    suspend: choose("suspend members at the right moment", suspendMembers),
    limit: choose("limit members at the right moment", limitMembers),
    habit: async () => [
      await measure(house, {
        what: "suspend those whose habit would win: four times of five they press the same button",
        begin: suspendByHabit,
        directionOf: pressHabit,
        orders: Math.min(orders, HABIT_ORDERS),
      }),
    ],
    witness: choose("stop the witness, and keep the incident out of the log", stopWitness),
    alerts: async () => [await measureAlerts(house, orders)],
    bend: async () => [
      await meetLone(house, "bend an outside source by 0.08 % at an expiry, of orders that were opened", "bend"),
      await meetSealed(house, "the same, of orders that stay sealed until their end", "bend", orders),
    ],
    outage: async () => [
      await meetLone(house, "fake an outage of the source at an expiry, of opened orders that would win", "silence"),
      await meetSealed(house, "the same, of orders that stay sealed until their end", "silence", orders),
    ],
    ...forgingSteps(house),
  };
}

/** Returns the attacks on single orders by name. Those that leave faults in the log for good come last. */
function forgingSteps(house: SealedHouse): Readonly<Record<string, () => Promise<SealedResult[]>>> {
  const forge = (what: string, attack: (at: SealedHouse) => Promise<readonly Notice[]>) => async () => [
    await notice(what, () => attack(house)),
  ];
  return {
    "post-date": forge("post-date acceptedAt by 8 s", postDate),
    "in-their-name": forge("place a losing order in a member's name by a session of the attacker's", placeInTheirName),
    "minted-device": forge("the same, sealed and signed by a device minted for the member", (at) =>
      placeByMintedDevice(at, true),
    ),
    "hidden-device": forge("the same, and leave that device out of what the member is shown", (at) =>
      placeByMintedDevice(at, false),
    ),
    "null-acceptance": forge("answer an order without its acceptance", answerWithoutAcceptance),
    "another-wish": forge("answer an order with the acceptance of another wish", answerForAnotherWish),
    "false-reason": forge("refuse a wish for another reason than the one committed to", refuseWithFalseReason),
    "unsigned-refusal": forge("refuse a wish by a rule, without a signature", refuseUnsigned),
    "removed-device": forge("place an order by a device that its member had removed", useRemovedDevice),
    "hold-settlement": forge("hold a winner's settlement back for 16 s, and keep the incident out of the log", (at) =>
      holdSettlement(at, true),
    ),
    "told-settlement": forge("hold a winner's settlement back for 16 s, and say so", (at) => holdSettlement(at, false)),
    "back-dated-settlement": forge(
      "hold a winner's settlement back for 100 s, date it to its expiry, and keep the incident out of the log",
      backDateSettlement,
    ),
    opposite: forge("log a won order as lost, with the opposite direction", logOppositeDirection),
    "hidden-outage": forge("the same, of opened orders, and keep the incident out of the log", hideOutage),
    "lost-reveal": forge("lose a winner's reveal, and settle the order as never revealed", loseReveal),
    "withheld-round": forge("withhold rounds of the beacon at an expiry", withholdRounds),
    "terms-nonce": forge("settle an order with another nonce than that of its terms", settleWithWrongNonce),
    "bind-late": forge("bind an accepted order to no head until its entry price is known", bindLate),
    "left-out": forge("leave an order out of its batch in the log", leaveOutOfBatch),
  };
}

interface Choosing extends Pick<RoundPlan, "begin" | "orders" | "directionOf"> {
  readonly what: string;
}

/** Plays rounds until there are enough orders and evaluates them from the public log alone. */
async function measure(house: SealedHouse, { what, orders, ...plan }: Choosing): Promise<SealedResult> {
  const known = await lookAtLog(house);
  const started = performance.now();
  const rounds = [];
  let played = 0;
  while (played < orders) {
    const round = await playRound(house, { ...plan, orders: orders - played });
    rounds.push(round);
    played += round.orders.length;
  }
  await logged();
  const record = await readPublicRecord(house, SYMBOL);
  const counted = addTallies(
    rounds.map((round) =>
      tally(
        record,
        round.orders.map(({ kept: { direction, sentAt, answer } }) => ({ direction, sentAt, answer })),
        house.terms.duration,
      ),
    ),
  );
  const told = rounds
    .flatMap(({ faults }) => faults)
    .map((sentence) => ({ who: "member's device", sentence: `the answer is \`${sentence}\`` }));
  const faults = (await lookAtLog(house)).filter((sentence) => !known.includes(sentence));
  const said = faults
    .slice(0, 1)
    .map((sentence) => ({ who: "`fairtick verify --log`", sentence: `fault ${sentence}` }));
  return finish(what, [...told.slice(0, 1), ...said], judgeTally(counted), counted.answers, started);
}

/** Uses the same trigger on open orders, to show its effect before orders were sealed. */
async function measureOpen(house: SealedHouse, orders: number): Promise<SealedResult> {
  const started = performance.now();
  const played = await playOpenRound(house, { begin: refuseWinners, orders });
  await logged();
  const counted = tally(await readPublicRecord(house, SYMBOL), played, house.terms.duration);
  const what = "for comparison: the same trigger on orders in the open";
  return finish(what, [], judgeTally(counted), counted.answers, started);
}

async function measureAlerts(house: SealedHouse, orders: number): Promise<SealedResult> {
  let notices: readonly Notice[] = [];
  const begin: Begin = async (at, way) => {
    const end = await alertOneMember(at, way);
    return async () => {
      notices = await end();
    };
  };
  const result = await measure(house, {
    what: "push a price alert to some members alone, before the price moves",
    begin,
    orders,
  });
  return { ...result, notices: [...result.notices, ...notices] };
}

async function meetLone(house: SealedHouse, what: string, how: "bend" | "silence"): Promise<SealedResult> {
  const started = performance.now();
  const rounds = [await meetLoneOrders(house, how)];
  // An outage only hits orders that would win, which is half of them.
  if (how === "silence") rounds.push(await meetLoneOrders(house, how));
  return finishLone(what, addLone(rounds), how, started);
}

/** Meets orders until enough of them were decided, or voided. */
async function meetSealed(
  house: SealedHouse,
  what: string,
  how: "bend" | "silence",
  orders: number,
): Promise<SealedResult> {
  const started = performance.now();
  let lone = await meetSealedOrders(house, how);
  while ((how === "bend" ? lone.wins.decided : lone.voided) < orders)
    lone = addLone([lone, await meetSealedOrders(house, how)]);
  return finishLone(what, lone, how, started);
}

function finishLone(what: string, lone: Lone, how: "bend" | "silence", started: number): SealedResult {
  return finish(what, [], judgeLone(lone, how), { ...countsOf(lone) }, started);
}

function addLone(rounds: readonly Lone[]): Lone {
  const sum = (of: (round: Lone) => number) => rounds.reduce((all, round) => all + of(round), 0);
  return {
    wins: { won: sum(({ wins }) => wins.won), decided: sum(({ wins }) => wins.decided) },
    voided: sum(({ voided }) => voided),
    ahead: sum(({ ahead }) => ahead),
  };
}

function judgeLone({ wins, voided, ahead }: Lone, how: "bend" | "silence"): Judgement {
  if (how === "bend") return judgeCoin(wins, "orders won");
  return judgeCoin({ won: ahead, decided: voided }, "voided orders were ahead at their last price");
}

function countsOf({ wins, voided }: Lone): Record<string, number> {
  return { won: wins.won, lost: wins.decided - wins.won, voided };
}

async function notice(what: string, attack: () => Promise<readonly Notice[]>): Promise<SealedResult> {
  const started = performance.now();
  return finish(what, await attack(), null, null, started);
}

function finish(
  what: string,
  notices: readonly Notice[],
  judgement: Judgement | null,
  answers: Tally["answers"] | null,
  started: number,
): SealedResult {
  const seen = judgement?.isChosen === true ? [{ who: "a stranger's statistic", sentence: judgement.sentence }] : [];
  return { what, notices: [...notices, ...seen], judgement, answers, seconds: (performance.now() - started) / 1000 };
}

/** Waits until the current minute is in the log. */
async function logged(): Promise<void> {
  await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + WRITTEN_MS);
}
