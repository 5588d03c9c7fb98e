import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Outcome, Size } from "./attack.ts";
import { inLanes } from "./lanes.ts";
import { newAddress, newMember, patiently } from "./member.ts";
import { type Answer, type Caller, callerFrom, form } from "./request.ts";
import { bootstrapMedian, type Interval } from "./statistics.ts";
import type { World } from "./world.ts";

/** Checks that response times don't reveal whether an account exists. */
export const timing: Attack = { name: "timing of known and unknown accounts", run };

/** Requests per account before strangers have to wait. Registering used up one code. */
const ASKED_EACH = 2;
/** A smaller difference can't be seen through a network. */
const TOLD_MS = 1;
/** Requests from one address before the next is used: fewer than the limit per address. */
const SENT_FROM_ONE = 40;
/** By then, work started by a response, such as a mail, is done. */
const PAUSE_MS = 4;
const REGISTERING = 4;

/** A kind of request, with the statuses for both kinds of account. */
interface Way {
  readonly name: string;
  readonly path: string;
  readonly fields: (account: string) => Readonly<Record<string, string>>;
}

const WAYS: readonly Way[] = [
  { name: "login", path: "auth/login", fields: (account) => ({ account, password: "a wrong password" }) },
  {
    name: "code for a reset",
    path: "auth/sendCode",
    fields: (to) => ({ channel: "email", to, purpose: "reset" }),
  },
  {
    name: "reset with a wrong code",
    path: "auth/resetPassword",
    fields: (to) => ({
      channel: "email",
      to,
      code: "000000",
      password: "slate-harbour-7422",
      confirmPassword: "slate-harbour-7422",
    }),
  },
];

async function run(world: World, { pairs }: Size): Promise<Outcome> {
  const count = Math.ceil(pairs / ASKED_EACH);
  const places = Array.from({ length: count }, () => newAddress());
  const known = await inLanes(places, REGISTERING, async (account) => {
    await newMember(world.url, world.freshAddress(), account);
    return account;
  });
  // A code is sent to each unknown account too, so that the tables hold as much about both.
  const unknown = await inLanes(places, REGISTERING, async () => {
    const account = newAddress();
    const caller = callerFrom(world.freshAddress(), world.url);
    await caller.send("/client/auth/sendCode", form({ channel: "email", to: account, purpose: "register" }));
    caller.close();
    return account;
  });
  const faults: string[] = [];
  const told: string[] = [];
  for (const way of WAYS) {
    const samples = await askInPairs(world, way, known, unknown, pairs);
    faults.push(...samples.faults);
    const interval = bootstrapMedian(samples.differences);
    told.push(`${way.name} ${describe(interval)}`);
    faults.push(...judgeTiming(way.name, interval));
  }
  return { tried: `${pairs} pairs each; known minus unknown: ${told.join(", ")}`, faults };
}

function describe({ middle, low, high }: Interval): string {
  return `${middle.toFixed(2)} ms (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** Reports a difference only if the whole interval is beyond what can be seen. */
export function judgeTiming(name: string, interval: Interval): string[] {
  const isTold = interval.low > TOLD_MS || interval.high < -TOLD_MS;
  return isTold ? [`${name} tells a known account from an unknown one: ${describe(interval)}`] : [];
}

interface Samples {
  /** Known minus unknown, in ms, per pair. */
  readonly differences: readonly number[];
  readonly faults: readonly string[];
}

async function askInPairs(
  world: World,
  way: Way,
  known: readonly string[],
  unknown: readonly string[],
  pairs: number,
): Promise<Samples> {
  const differences: number[] = [];
  const faults: string[] = [];
  let caller: Caller = callerFrom(world.freshAddress(), world.url);
  const ask = async (account: string): Promise<Answer> => {
    const answer = await patiently(() => caller.send(`/client/${way.path}`, form(way.fields(account))));
    await sleep(PAUSE_MS);
    return answer;
  };
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % (SENT_FROM_ONE / 2) === 0) {
      caller.close();
      caller = callerFrom(world.freshAddress(), world.url);
      // Open the connection before the first request is timed.
      await caller.send("/health/live", { method: "GET" });
    }
    const place = pair % known.length;
    const [one = "", other = ""] = [known[place], unknown[place]];
    const isKnownFirst = Math.random() < 0.5;
    const first = await ask(isKnownFirst ? one : other);
    const second = await ask(isKnownFirst ? other : one);
    const [ofKnown, ofUnknown] = isKnownFirst ? [first, second] : [second, first];
    differences.push(ofKnown.ms - ofUnknown.ms);
    if (ofKnown.status !== ofUnknown.status)
      faults.push(`${way.name} answers ${ofKnown.status} to a known account and ${ofUnknown.status} to an unknown one`);
  }
  caller.close();
  return { differences, faults };
}
