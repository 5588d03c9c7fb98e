import type { Attack, Outcome, Size } from "./attack.ts";
import { inLanes } from "./lanes.ts";
import { DEVICE_HEADER } from "./member.ts";
import { askConsole } from "./operator.ts";
import { addressOf, type Caller, callerFrom, form } from "./request.ts";
import { quantile } from "./statistics.ts";
import type { Target, World } from "./world.ts";

/** Members log in with the right password while members' and operators' logins are flooded with wrong ones. */
export const loginFlood: Attack = { name: "login while both doors are flooded", run };

/** Per minute: wrong logins of members and of operators, and right ones of members. */
export const FLOOD = { guesses: 1_000, operatorGuesses: 63, logins: 120 };
const MINUTE_MS = 60_000;
const ADDRESSES = 250;
/** The longest median for members with the right password. */
const LOGIN_MS_MAX = 1_000;

export interface Flooded extends Target {
  readonly account: string;
  readonly password: string;
  /** Keys of devices known to the account. Each may log in twenty times a minute. */
  readonly devices: readonly string[];
  readonly spanMs: number;
  /** Whether the flood runs; without it, the same logins are the baseline. */
  readonly isFlooded: boolean;
}

export interface RightLogin {
  readonly status: number;
  readonly ms: number;
  readonly isKnownDevice: boolean;
}

/** Logs in with the right password, evenly over the span, every other time on a known device. */
export async function logInWhileFlooded(flooded: Flooded): Promise<RightLogin[]> {
  const { url, console: consoleUrl, account, password, devices, spanMs, isFlooded } = flooded;
  const guessers = Array.from({ length: ADDRESSES }, (_, place) => callerFrom(addressOf(place), url));
  const intruder = callerFrom("127.0.0.2", consoleUrl);
  const at = <Value>(callers: readonly Value[], index: number) => callers[index % callers.length] as Value;
  const share = (perMinute: number) => Math.ceil((perMinute * spanMs) / MINUTE_MS);
  const guess = (index: number) => {
    const wrong = { account: `somebody${index}@example.org`, password: "a wrong password" };
    return sendLogin(at(guessers, index), wrong, "new");
  };
  const guessOperator = (index: number) =>
    askConsole(intruder, consoleUrl, "session/login", { login: `operator-${index % 9}`, password: "a wrong password" });
  const right = async (index: number): Promise<RightLogin> => {
    const isKnownDevice = index % 2 === 0;
    const device = isKnownDevice ? at(devices, index / 2) : "new";
    const { status, ms } = await sendLogin(at(guessers, index + ADDRESSES / 2), { account, password }, device);
    return { status, ms, isKnownDevice };
  };
  try {
    const [logins] = await Promise.all([
      spread(share(FLOOD.logins), spanMs, right),
      spread(isFlooded ? share(FLOOD.guesses) : 0, spanMs, guess),
      spread(isFlooded ? share(FLOOD.operatorGuesses) : 0, spanMs, guessOperator),
    ]);
    return logins;
  } finally {
    for (const caller of [...guessers, intruder]) caller.close();
  }
}

function sendLogin(caller: Caller, fields: Readonly<Record<string, string>>, device: string) {
  const { headers, body } = form(fields);
  return caller.send("/client/auth/login", { headers: { ...headers, [DEVICE_HEADER]: device }, body });
}

/** Starts `count` tasks evenly over the span, whether or not the earlier ones have finished. */
async function spread<Value>(count: number, spanMs: number, task: (index: number) => Promise<Value>): Promise<Value[]> {
  const places = Array.from({ length: count }, (_, index) => index);
  return inLanes(places, Math.max(1, count), async (index) => {
    await new Promise((wake) => setTimeout(wake, (index * spanMs) / count));
    return task(index);
  });
}

/** Returns the 99th percentile of the logins' times, in ms. */
export function p99(logins: readonly RightLogin[]): number {
  return quantile(
    logins.map(({ ms }) => ms),
    0.99,
  );
}

function middleOf(logins: readonly RightLogin[]): number {
  return quantile(
    logins.map(({ ms }) => ms),
    0.5,
  );
}

async function run(world: World, { floodMs }: Size): Promise<Outcome> {
  const { account, password, device } = world.owner;
  const flooded = { url: world.url, console: world.console, account, password, devices: [device], spanMs: floodMs };
  const before = await logInWhileFlooded({ ...flooded, isFlooded: false });
  const during = await logInWhileFlooded({ ...flooded, isFlooded: true });
  const figures = [knownOf(during), newOf(during), before].map((logins) => Math.round(p99(logins)));
  const tried = `p99 of ${during.length} right logins: ${figures[0]} ms on known devices, ${figures[1]} ms on new ones, ${figures[2]} ms without the flood`;
  return { tried, faults: judgeFlood(before, during) };
}

export const knownOf = (logins: readonly RightLogin[]) => logins.filter(({ isKnownDevice }) => isKnownDevice);
/** Logins on new devices, which wait in the same queue as the guesses. */
export const newOf = (logins: readonly RightLogin[]) => logins.filter(({ isKnownDevice }) => !isKnownDevice);

/** A machine that is slow without the flood may be this many times slower with it. */
const SLOWER_MAX = 3;

/**
 * Expects everyone with the right password to get in, and known devices not to wait for the flood. How long new devices
 * wait depends on how many passwords the machine checks per second, which the benchmark measures.
 */
export function judgeFlood(before: readonly RightLogin[], during: readonly RightLogin[]): string[] {
  const refused = during.filter(({ status }) => status !== 200);
  const bound = Math.max(LOGIN_MS_MAX, SLOWER_MAX * middleOf(before));
  // The slowest of a dozen logins says more about the machine than about the product, so use the median.
  const waited = middleOf(knownOf(during));
  return [
    ...refused.map(
      ({ status, isKnownDevice }) =>
        `the right password on a ${isKnownDevice ? "known" : "new"} device is answered ${status}`,
    ),
    ...(waited > bound ? [`known devices wait ${Math.round(waited)} ms, more than ${Math.round(bound)}`] : []),
  ];
}
