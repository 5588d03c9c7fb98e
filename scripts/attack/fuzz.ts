import { CALLS } from "@fairtick/protocol";
import { operatorAccess, type OperatorCall, OPERATOR_CALLS } from "@fairtick/protocol/operator";
import { fuzzCall } from "@fairtick/testkit/fuzz-calls";
import { fuzzOperatorCall, type OperatorAnswer } from "@fairtick/testkit/fuzz-operator-calls";
import { type Attack, chosenCalls, type Outcome, type Size } from "./attack.ts";
import { inLanes } from "./lanes.ts";
import { newTrader, patiently, uploadOf } from "./member.ts";
import { askConsole, halfSession, type Operator, operatorOf } from "./operator.ts";
import { type Answer, errorOf } from "./request.ts";
import type { World } from "./world.ts";

const LANES = 6;
/** Share of messages that must find their session alive, because a fuzz without a session proves nothing. */
const ALIVE_MIN = 0.9;
const SHOWN_MAX = 600;

/** Sends messages made from each member call's schema, logging in again whenever a message ended the session. */
export const memberFuzz: Attack = { name: "fuzz of the members' calls", run: fuzzMembers };

/** Does the same for the back office, with an operator who may make the call. */
export const operatorFuzz: Attack = { name: "fuzz of the operators' calls", run: fuzzOperators };

async function fuzzMembers(world: World, size: Size): Promise<Outcome> {
  const member = await newTrader(world.url, world.freshAddress());
  const calls = chosenCalls(CALLS, size);
  const sent = { all: 0, loggedIn: 0, dead: 0 };
  const faults = await inLanes(calls, LANES, async (call) => {
    try {
      await fuzzCall(call, {
        baseUrl: world.url,
        token: () => member.logIn(),
        device: () => member.device,
        runs: size.inputs,
        onAnswer(status, isLoggedIn) {
          sent.all += 1;
          if (!isLoggedIn) return;
          sent.loggedIn += 1;
          if (status === 401) sent.dead += 1;
        },
      });
      return [];
    } catch (error) {
      return [`${call.path}: ${firstLines(error)}`];
    }
  });
  const alive = 1 - sent.dead / Math.max(1, sent.loggedIn);
  const idle = alive < ALIVE_MIN ? [`only ${Math.round(alive * 100)} % of the sessions were alive`] : [];
  return { tried: `${sent.all} inputs to ${calls.length} calls`, faults: [...faults.flat(), ...idle] };
}

/** Logging out ends the session, so only the role matrix tries it, once. */
const FUZZED = OPERATOR_CALLS.filter(({ path }) => path !== "session/logout");

async function fuzzOperators(world: World, size: Size): Promise<Outcome> {
  const login = world.logins.find(({ account }) => account === "support-2");
  if (login === undefined) throw new Error("the sandbox has no operator support-2");
  // Messages about an operator's own password and devices are sent by an operator who isn't used for anything else.
  const own = await operatorOf(world.officeCaller, world.console, login);
  const half = await halfSession(world.officeCaller, world.console, login);
  const calls = chosenCalls(FUZZED, size);
  let sent = 0;
  const faults = await inLanes(calls, LANES, async (call) => {
    const ask = askerOf(world, call, own, half);
    try {
      await fuzzOperatorCall(call, {
        runs: size.operatorInputs,
        async send(body) {
          sent += 1;
          return heard(call, await patiently(() => ask(body)));
        },
      });
      return [];
    } catch (error) {
      return [`${call.path}: ${firstLines(error)}`];
    }
  });
  return { tried: `${sent} inputs to ${calls.length} calls`, faults: faults.flat() };
}

type Ask = (body: string) => Promise<Answer>;

function askerOf(world: World, call: OperatorCall, own: Operator, half: string): Ask {
  const { officeCaller, console: origin } = world;
  const access = operatorAccess(call.path);
  if (access === "anyone") return (body) => askConsole(officeCaller, origin, call.path, body);
  if (access === "password") return (body) => askConsole(officeCaller, origin, call.path, body, { cookie: half });
  const role = typeof access === "object" ? access[0] : undefined;
  const operator = role === undefined ? own : world.operators.get(role);
  if (operator === undefined) throw new Error(`no operator has the role ${role}`);
  if (call.file === "upload") return (body) => uploadAs(world, operator, call, body);
  return (body) => operator.call(call.path, body);
}

/** Sends a message's fields as a form with a file. */
function uploadAs({ officeCaller, console: origin }: World, operator: Operator, call: OperatorCall, body: string) {
  const file = { name: body.replaceAll(/["\r\n]/g, "'").slice(0, 300), type: "text/plain", bytes: Buffer.from(body) };
  const { headers, body: form } = uploadOf("support", file);
  return officeCaller.send(`/operator/${call.path}`, {
    headers: { ...headers, origin, "x-fairtick-console": "1", cookie: operator.cookie() },
    body: form,
  });
}

function heard(call: OperatorCall, answer: Answer): OperatorAnswer {
  const isJson = (answer.headers["content-type"] ?? "").includes("json");
  const { data } = (isJson ? JSON.parse(answer.text) : { data: null }) as { readonly data: unknown };
  // Calls for strangers refuse a wrong secret, and a half session ends with its tries: neither means a lost session.
  const isNone = ["anyone", "password"].includes(String(operatorAccess(call.path)));
  const isOver = answer.status === 401 && errorOf(answer) !== null;
  return { status: isNone && isOver ? 422 : answer.status, data };
}

/** Returns an error's cause and first lines, without the rest of the message that it failed on, which may be long. */
function firstLines(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, SHOWN_MAX);
  const cause = error.cause instanceof Error ? `${error.cause.message} ` : "";
  return `${cause}${error.message}`.split("\n").slice(0, 8).join(" ").slice(0, SHOWN_MAX);
}
