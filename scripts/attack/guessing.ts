import { createHash } from "node:crypto";
import type { Attack, Outcome } from "./attack.ts";
import { DEVICE_HEADER, type Member, newMember } from "./member.ts";
import { type Answer, callerFrom, dataOf, form } from "./request.ts";
import type { World } from "./world.ts";

/** Guesses a password from many addresses: the waits must grow, and the owner's device must still get in. */
export const guessing: Attack = { name: "guessing a login password", run };

const AT_ONCE = 20;
const MINUTE_MS = 60_000;
/** Wrong guesses that strangers may make at once, and the wait in minutes after each further one. */
const FREE = 3;
const WAITS_MIN = [5, 30, 120, 240, 240, 240, 240];

async function run(world: World): Promise<Outcome> {
  const member = await newMember(world.url, world.freshAddress());
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => guess(world, member.account)));
  const faults = judgeGuesses(answers);
  const waits = world.sql === null ? [waitOf(answers)] : await waitThrough(world, world.sql, member.account, answers);
  faults.push(...judgeWaits(waits));
  faults.push(...(await ownersLogin(world, member)));
  return { tried: `${AT_ONCE} guesses at once, waits of ${waits.map(Math.round).join(", ")} min`, faults };
}

async function guess(world: World, account: string): Promise<Answer> {
  const caller = callerFrom(world.freshAddress(), world.url);
  const wrong = form({ account, password: `a wrong password ${Math.random()}` });
  const answer = await caller.send("/client/auth/login", wrong);
  caller.close();
  return answer;
}

/** Expects guesses sent at once not to be checked more often than guesses sent one by one. */
export function judgeGuesses(answers: readonly Answer[]): string[] {
  const judged = answers.filter(({ status }) => status === 422).length;
  const turnedAway = answers.filter(({ status }) => status === 429).length;
  const isRight = judged === FREE && judged + turnedAway === answers.length;
  return isRight ? [] : [`of ${answers.length} guesses at once ${judged} were judged and ${turnedAway} turned away`];
}

export function judgeWaits(waits: readonly number[]): string[] {
  return waits.flatMap((wait, place) => {
    const least = WAITS_MIN[place] ?? 0;
    return wait >= least - 1 ? [] : [`after ${FREE + place} wrong guesses the next one waits ${wait.toFixed(1)} min`];
  });
}

/** Returns the minutes until the next guess, from the response with the latest time; 0 if none was refused. */
function waitOf(answers: readonly Answer[]): number {
  const retries = answers.flatMap((answer) => {
    if (answer.status !== 429) return [];
    const { retryAt } = { ...Object(dataOf(answer)["params"]) } as { readonly retryAt?: number };
    return retryAt === undefined ? [] : [retryAt];
  });
  return retries.length === 0 ? 0 : (Math.max(...retries) - Date.now()) / MINUTE_MS;
}

/**
 * Moves each wait into the past in the database, guesses again and reads the next wait. Returns the waits in minutes.
 */
async function waitThrough(
  world: World,
  sql: NonNullable<World["sql"]>,
  account: string,
  first: readonly Answer[],
): Promise<number[]> {
  const waits = [waitOf(first)];
  // The product names an account like this in its table of tries.
  const subject = createHash("sha256").update(account).digest("base64url").slice(0, 32);
  while (waits.length < WAITS_MIN.length) {
    // Ten seconds more, because on a busy machine simultaneous guesses are recorded seconds apart.
    const passed = Math.ceil((waits.at(-1) ?? 0) * MINUTE_MS) + 10_000;
    await sql(
      `UPDATE attempts SET tries = ARRAY(SELECT t - $2::bigint FROM unnest(tries) t), newest = newest - $2::bigint
       WHERE kind = 'login' AND subject = $1`,
      [`account:${subject}`, passed],
    );
    const answer = await guess(world, account);
    if (answer.status !== 422) throw new Error(`after the wait a guess is answered ${answer.status}`);
    waits.push(waitOf([await guess(world, account)]));
  }
  return waits;
}

async function ownersLogin(world: World, { account, password, device }: Member): Promise<string[]> {
  const caller = callerFrom(world.freshAddress(), world.url);
  const right = form({ account, password });
  const known = await caller.send("/client/auth/login", {
    ...right,
    headers: { ...right.headers, [DEVICE_HEADER]: device },
  });
  const strange = await caller.send("/client/auth/login", right);
  caller.close();
  return [
    ...(known.status === 200 ? [] : [`the owner's own device is answered ${known.status}`]),
    // While strangers have to wait, even a right guess of theirs must be refused.
    ...(strange.status === 429 ? [] : [`a stranger with the right password is answered ${strange.status}`]),
  ];
}
