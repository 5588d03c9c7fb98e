import { randomUUID } from "node:crypto";
import { type MemberCall, CALLS, validateInput } from "@fairtick/protocol";
import { type Attack, chosenCalls, type Outcome, type Size } from "./attack.ts";
import { inLanes } from "./lanes.ts";
import { type Member, newTrader, TOKEN_HEADER } from "./member.ts";
import { list, makeObjects, type OwnedObjects } from "./owned-objects.ts";
import { type Answer, errorOf, form } from "./request.ts";
import type { World } from "./world.ts";

/** Tries every members' call as everyone: who may make it, and whose objects it reaches. */
export const memberMatrix: Attack = { name: "role matrix of the members' calls", run };

/** One request and its only right answer. */
interface Cell {
  readonly what: string;
  readonly wanted: readonly number[];
  readonly answer: Answer;
}

const LANES = 6;

async function run(world: World, size: Size): Promise<Outcome> {
  const cells: Cell[] = [];
  const faults: string[] = [];
  const calls = chosenCalls(CALLS, size);
  cells.push(...(await inLanes(calls, LANES, (call) => askWithoutSession(world, call))).flat());
  // Calls that end sessions or the account are made here, one after another, by a member for this purpose.
  const scratch = await newTrader(world.url, world.freshAddress());
  for (const call of calls) cells.push(await askWithSession(scratch, call));
  const objects = await makeObjects(world);
  for (const question of chosenCalls(questionsOf(objects), size)) {
    const { path, fields, owner, absent, own = [200] } = question;
    const foreign = await world.other.call(path, fields);
    const missing = await world.other.call(path, { ...fields, ...absent });
    cells.push(
      { what: `${path} about another's`, wanted: [question.refused ?? 404], answer: foreign },
      { what: `${path} about nothing`, wanted: [question.refused ?? 404], answer: missing },
    );
    if (foreign.text !== missing.text)
      faults.push(`${path} tells another's from none: ${foreign.text.slice(0, 200)} / ${missing.text.slice(0, 200)}`);
    // Comes last, so that anything the stranger changed is seen.
    cells.push({ what: `${path} about one's own`, wanted: own, answer: await owner.call(path, fields) });
  }
  faults.push(...(await deleteAnothersAlert(world, objects)));
  for (const { what, wanted, answer } of cells)
    if (!wanted.includes(answer.status))
      faults.push(`${what}: ${answer.status}, not ${wanted.join(" or ")}: ${answer.text.slice(0, 200)}`);
  return { tried: `${cells.length} cells`, faults };
}

/**
 * Expects the owner to keep their alert when another member deletes it; the call answers with the caller's own alerts.
 */
async function deleteAnothersAlert({ other, owner }: World, { alertId }: OwnedObjects): Promise<string[]> {
  await other.call("alert/delete", { alertId });
  const left = list(await owner.call("alert/list"), null);
  return left.some((alert) => alert["alertId"] === alertId) ? [] : ["alert/delete took another's alert away"];
}

/** Returns the status for a message without fields, by the call's own schema. */
function statusOfNothing(call: MemberCall): number {
  if (call.file === "upload") return 400;
  if (!validateInput(call, {}).ok) return 400;
  return 200;
}

async function askWithoutSession(world: World, call: MemberCall): Promise<Cell[]> {
  const support = world.operators.get("support")?.cookie() ?? "";
  const strangers: readonly (readonly [who: string, headers: Record<string, string>, error: string])[] = [
    ["nobody", {}, "LOGIN_REQUIRED"],
    ["a made-up token", { [TOKEN_HEADER]: "A".repeat(43) }, "SESSION_EXPIRED"],
    ["a token of half a megabyte's name", { [TOKEN_HEADER]: "A".repeat(4_000) }, "SESSION_EXPIRED"],
    ["somebody of the house", { cookie: support }, "LOGIN_REQUIRED"],
  ];
  const cells: Cell[] = [];
  for (const [who, headers, error] of strangers) {
    const message = form({});
    const answer = await world.caller.send(`/client/${call.path}`, {
      ...message,
      headers: { ...message.headers, ...headers },
    });
    // With the wrong error for this kind of stranger, no status counts as right.
    const refused = errorOf(answer) === error ? [401] : [];
    const wanted = call.access === "member" ? refused : [statusOfNothing(call)];
    cells.push({ what: `${call.path} by ${who}`, wanted, answer });
  }
  return cells;
}

async function askWithSession(member: Member, call: MemberCall): Promise<Cell> {
  const answer = await member.call(call.path);
  return { what: `${call.path} by a member, without fields`, wanted: [statusOfNothing(call)], answer };
}

interface Question {
  readonly path: string;
  readonly owner: Member;
  readonly fields: Readonly<Record<string, string>>;
  /** The same fields, naming an object that doesn't exist. */
  readonly absent: Readonly<Record<string, string>>;
  /** Status for anyone but the owner; 404 unless set. */
  readonly refused?: number;
  /** Statuses for the owner; 200 unless set. */
  readonly own?: readonly number[];
}

function questionsOf(objects: OwnedObjects): Question[] {
  const { owner, demo } = objects;
  const about = (who: Member, path: string, field: string, id: string, more: Partial<Question> = {}): Question => ({
    path,
    owner: who,
    fields: { [field]: id, ...more.fields },
    absent: { [field]: absentLike(id) },
    ...(more.refused !== undefined && { refused: more.refused }),
    ...(more.own !== undefined && { own: more.own }),
  });
  return [
    about(owner, "order/detail", "orderNo", objects.orderNo),
    about(owner, "order/receipt", "orderNo", objects.orderNo),
    about(owner, "deposit/detail", "depositNo", objects.depositNo),
    about(owner, "file/get", "fileId", objects.receiptFile),
    about(owner, "notice/detail", "noticeId", objects.messageId),
    about(owner, "notice/markRead", "noticeId", objects.messageId),
    about(owner, "support/send", "fileId", objects.chatFile, {
      fields: { clientId: randomUUID() },
      // One of its fields is invalid, whatever it names.
      refused: 400,
    }),
    about(owner, "auth/revokeSession", "sessionId", objects.sessionId),
    about(demo, "withdraw/detail", "withdrawNo", objects.withdrawNo),
    // It may be on its way by now: too late for its owner, and still not found for a stranger.
    about(demo, "withdraw/cancel", "withdrawNo", objects.withdrawNo, { own: [200, 409] }),
  ];
}

/** Returns a well-formed id that doesn't exist, by changing the last character. */
export function absentLike(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith("x") ? "y" : "x"}`;
}
