import { type Attack, lineOf, type Outcome, type Size, tryAttack } from "./attack.ts";
import { drain } from "./drain.ts";
import { foreignNames } from "./foreign-names.ts";
import { memberFuzz, operatorFuzz } from "./fuzz.ts";
import { guessing } from "./guessing.ts";
import { hostileFiles } from "./hostile-files.ts";
import { idleSockets } from "./idle-sockets.ts";
import { loginFlood } from "./login-flood.ts";
import { memberMatrix } from "./member-matrix.ts";
import { operatorMatrix } from "./operator-matrix.ts";
import { races } from "./races.ts";
import { slowClients } from "./slow-clients.ts";
import { storedScript } from "./stored-script.ts";
import { timing } from "./timing.ts";
import type { World } from "./world.ts";

/** By the name for `--only`. Attacks that measure times come before those that fill the tables. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  slow: slowClients,
  names: foreignNames,
  guessing,
  drain,
  races,
  script: storedScript,
  files: hostileFiles,
  members: memberMatrix,
  operators: operatorMatrix,
  flood: loginFlood,
  idle: idleSockets,
  timing,
  fuzz: memberFuzz,
  "operator-fuzz": operatorFuzz,
};

/**
 * Runs attacks one after another, with those that mostly wait beside them; returns how many the product failed to
 * withstand.
 */
export async function tryAll(
  names: readonly string[],
  world: World,
  size: Size,
  say: (line: string) => void,
): Promise<number> {
  const attempt = async (attack: Attack): Promise<Outcome> => {
    const outcome = await tryAttack(attack, world, size);
    say(lineOf(attack.name, outcome));
    return outcome;
  };
  const chosen = names.flatMap((name) => ATTACKS[name] ?? []);
  const beside = chosen.filter(({ isBeside }) => isBeside === true).map(attempt);
  const outcomes: Outcome[] = [];
  for (const attack of chosen.filter(({ isBeside }) => isBeside !== true)) outcomes.push(await attempt(attack));
  outcomes.push(...(await Promise.all(beside)));
  return outcomes.filter(({ faults }) => faults.length > 0).length;
}
