import { randomUUID } from "node:crypto";
import { validateInput } from "@fairtick/protocol";
import { operatorAccess, type OperatorCall, OPERATOR_CALLS, OPERATOR_ROLES } from "@fairtick/protocol/operator";
import { type Attack, chosenCalls, type Outcome, type Size } from "./attack.ts";
import { inLanes } from "./lanes.ts";
import { absentLike } from "./member-matrix.ts";
import { TOKEN_HEADER } from "./member.ts";
import { askConsole, halfSession, operatorOf } from "./operator.ts";
import { field, list } from "./owned-objects.ts";
import { type Answer, errorOf } from "./request.ts";
import type { World } from "./world.ts";

/** Tries every back office call as everyone and compares it with the policy's table. */
export const operatorMatrix: Attack = { name: "role matrix of the operators' calls", run };

const LANES = 5;
/** Calls that end the caller's session, so a new session is opened for each. */
const ENDING = new Set(["session/logout"]);

async function run(world: World, size: Size): Promise<Outcome> {
  const faults: string[] = [];
  let cells = 0;
  const calls = chosenCalls(OPERATOR_CALLS, size);
  const judge = (what: string, answer: Answer, wanted: number, error?: string) => {
    cells += 1;
    if (answer.status !== wanted || (error !== undefined && errorOf(answer) !== error))
      faults.push(`${what}: ${answer.status}, not ${wanted} ${error ?? ""}: ${answer.text.slice(0, 200)}`);
  };
  const ask = (path: string, headers: Record<string, string>, body: unknown = {}) =>
    askConsole(world.officeCaller, world.console, path, body, headers);

  for (const call of calls) {
    const access = operatorAccess(call.path);
    const isOpen = access === "anyone";
    const strangers = [
      ["nobody", {}, "LOGIN_REQUIRED"],
      ["a made-up cookie", { cookie: `operator-session=${"A".repeat(43)}` }, "SESSION_EXPIRED"],
      ["a member", { [TOKEN_HEADER]: world.owner.token() }, "LOGIN_REQUIRED"],
      ["a member's token as cookie", { cookie: `operator-session=${world.owner.token()}` }, "SESSION_EXPIRED"],
    ] as const;
    const answers = await inLanes(strangers, strangers.length, ([, headers]) => ask(call.path, headers));
    for (const [index, [who, , error]] of strangers.entries()) {
      const answer = answers[index] ?? nothing();
      if (isOpen) judge(`${call.path} by ${who}`, answer, statusOfNothing(call));
      else judge(`${call.path} by ${who}`, answer, 401, error);
    }
  }

  const somebody = world.logins.find(({ account }) => account === "compliance-2");
  if (somebody === undefined) throw new Error("the sandbox has no operator compliance-2");
  const half = { cookie: await halfSession(world.officeCaller, world.console, somebody) };
  const closed = calls.filter(({ path }) => !["password", "anyone"].includes(String(operatorAccess(path))));
  await inLanes(closed, LANES, async ({ path }) =>
    judge(`${path} with the password alone`, await ask(path, half), 401, "LOGIN_REQUIRED"),
  );

  await inLanes(OPERATOR_ROLES, LANES, async (role) => {
    const operator = world.operators.get(role);
    if (operator === undefined) throw new Error(`no operator has the role ${role}`);
    for (const call of calls.filter(({ path }) => !ENDING.has(path))) {
      const access = operatorAccess(call.path);
      const answer = await operator.call(call.path);
      const what = `${call.path} by ${role}`;
      if (access === "password") judge(what, answer, 409, "CONFLICT");
      else if (Array.isArray(access) && !access.includes(role)) judge(what, answer, 403, "FORBIDDEN");
      else judge(what, answer, statusOfNothing(call));
    }
  });

  await askAboutNothing(world, judge);
  await decideOnOnesOwn(world, judge);
  await endOnesSession(world, judge);
  return { tried: `${cells} cells`, faults };
}

type Judge = (what: string, answer: Answer, wanted: number, error?: string) => void;

function statusOfNothing(call: OperatorCall): number {
  return call.file === "upload" || !validateInput(call, {}).ok ? 400 : 200;
}

async function askAboutNothing(world: World, judge: Judge): Promise<void> {
  const finance = world.operators.get("finance");
  const support = world.operators.get("support");
  const [member] = list((await finance?.call("member/list")) ?? nothing(), "items");
  const memberId = absentLike(String(member?.["memberId"]));
  judge("member/detail about nobody", (await finance?.call("member/detail", { memberId })) ?? nothing(), 404);
  const file = await support?.call("file/view", { fileId: "fil_0000000000000" });
  judge("file/view about nothing", file ?? nothing(), 404);
}

/** Expects that whoever proposes something about money can't approve it. */
async function decideOnOnesOwn(world: World, judge: Judge): Promise<void> {
  const finance = world.operators.get("finance");
  const [member] = list((await finance?.call("member/list")) ?? nothing(), "items");
  const wish = { memberId: member?.["memberId"], wallet: "practice", amount: "1.00", reason: `Attack ${randomUUID()}` };
  const proposed = (await finance?.call("correction/propose", wish)) ?? nothing();
  const proposalId = field(proposed, "proposalId");
  const decision = { proposalId, amount: "1.00", reason: "My own proposal" };
  judge("correction/approve of one's own", (await finance?.call("correction/approve", decision)) ?? nothing(), 403);
  const second = world.logins.find(({ account }) => account === "finance-2");
  if (second === undefined) throw new Error("the sandbox has no operator finance-2");
  const other = await operatorOf(world.officeCaller, world.console, second);
  const rejected = await other.call("correction/reject", { proposalId, reason: "Only an attack" });
  judge("correction/reject of another's", rejected, 200);
}

async function endOnesSession(world: World, judge: Judge): Promise<void> {
  const somebody = world.logins.find(({ account }) => account === "admin-2");
  if (somebody === undefined) throw new Error("the sandbox has no operator admin-2");
  const admin = await operatorOf(world.officeCaller, world.console, somebody);
  const cookie = { cookie: admin.cookie() };
  const ask = (path: string) => askConsole(world.officeCaller, world.console, path, {}, cookie);
  judge("session/logout", await ask("session/logout"), 200);
  judge("session/me after the logout", await ask("session/me"), 401, "SESSION_EXPIRED");
}

function nothing(): never {
  throw new Error("the sandbox lacks an operator");
}
