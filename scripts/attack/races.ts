import { randomUUID } from "node:crypto";
import type { Attack, Outcome, Size } from "./attack.ts";
import type { Member } from "./member.ts";
import { list, orderOf } from "./owned-objects.ts";
import { type Answer, dataOf, errorOf } from "./request.ts";
import type { World } from "./world.ts";

/** Sends many messages with one client id at once: the same request gives one object, different ones give conflicts. */
export const races: Attack = { name: "races with one client id", run };

const AT_ONCE = 12;

async function run({ owner }: World, { rounds }: Size): Promise<Outcome> {
  const faults: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const same = orderOf("practice", "10.00");
    faults.push(...judgeSame("order/place", "orderNo", await atOnce(owner, "order/place", () => same)));
    const id = randomUUID();
    const differing = await atOnce(owner, "order/place", (place) => orderOf("practice", `${10 + place}.00`, id));
    faults.push(...judgeDiffering("order/place", differing));
    const said = { text: `Once, please ${randomUUID()}`, clientId: randomUUID() };
    faults.push(...judgeSame("support/send", "messageId", await atOnce(owner, "support/send", () => said)));
    faults.push(...(await raceForAlert(owner)));
  }
  return { tried: `${rounds * 4} races of ${AT_ONCE}`, faults };
}

function atOnce(member: Member, path: string, fields: (place: number) => Record<string, string>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, place) => member.call(path, fields(place))));
}

/** Expects the same request to be answered each time, with the same object. */
export function judgeSame(path: string, name: string, answers: readonly Answer[]): string[] {
  const refused = answers.filter(({ status }) => status !== 200);
  const made = new Set(answers.filter(({ status }) => status === 200).map((answer) => dataOf(answer)[name]));
  return [
    ...refused.map(({ status, text }) => `${path}: a repeated wish is refused: ${status} ${text.slice(0, 200)}`),
    ...(made.size > 1 ? [`${path}: one client id made ${made.size}`] : []),
  ];
}

/** Expects one of several different requests under one id to be granted and the others to be conflicts. */
export function judgeDiffering(path: string, answers: readonly Answer[]): string[] {
  const granted = answers.filter(({ status }) => status === 200);
  const others = answers.filter((answer) => answer.status !== 200 && errorOf(answer) !== "CLIENT_ID_REUSED");
  return [
    ...(granted.length === 1 ? [] : [`${path}: one client id was granted ${granted.length} different wishes`]),
    ...others.map(({ status, text }) => `${path}: ${status} ${text.slice(0, 200)}`),
  ];
}

async function raceForAlert(member: Member): Promise<string[]> {
  const before = list(await member.call("alert/list"), null).length;
  const wish = { symbol: "BTCUSD", price: "2.00", direction: "down", clientId: randomUUID() };
  await atOnce(member, "alert/create", () => wish);
  const alerts = list(await member.call("alert/list"), null);
  const made = alerts.length - before;
  for (const alert of alerts.slice(-made)) await member.call("alert/delete", { alertId: String(alert["alertId"]) });
  return made === 1 ? [] : [`alert/create: one client id made ${made}`];
}
