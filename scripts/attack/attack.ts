import type { World } from "./world.ts";

/** How thoroughly each attack is run. */
export interface Size {
  /** Messages per call of the members; `operatorInputs` per call of the operators. */
  readonly inputs: number;
  readonly operatorInputs: number;
  /** Pairs of a known and an unknown account, per kind of request. */
  readonly pairs: number;
  /** How often each race is repeated. */
  readonly rounds: number;
  readonly idleSockets: number;
  /** How long logins are flooded, in ms. */
  readonly floodMs: number;
  /** Calls for matrices and fuzzes; all of them if undefined. */
  readonly paths?: ReadonlySet<string>;
}

/** Returns the calls that a run covers. */
export function chosenCalls<Call extends { readonly path: string }>(calls: readonly Call[], { paths }: Size): Call[] {
  return calls.filter(({ path }) => paths?.has(path) ?? true);
}

export const SIZES = {
  /** For the tests. */
  short: { inputs: 4, operatorInputs: 1, pairs: 20, rounds: 1, idleSockets: 150, floodMs: 2_000 },
  usual: { inputs: 25, operatorInputs: 6, pairs: 200, rounds: 5, idleSockets: 600, floodMs: 10_000 },
  large: { inputs: 100_000, operatorInputs: 100_000, pairs: 2_000, rounds: 100, idleSockets: 6_000, floodMs: 60_000 },
} as const satisfies Readonly<Record<string, Size>>;

/** The result of an attack. */
export interface Outcome {
  /** What was tried, with its figures. */
  readonly tried: string;
  /** What the product wrongly allowed; empty if it withstood the attack. */
  readonly faults: readonly string[];
}

export interface Attack {
  readonly name: string;
  /** Runs beside the others, since it mostly waits. */
  readonly isBeside?: true;
  readonly run: (world: World, size: Size) => Promise<Outcome>;
}

/** Runs an attack. One that throws proves nothing, so it counts as a fault. */
export async function tryAttack({ run }: Attack, world: World, size: Size): Promise<Outcome> {
  try {
    return await run(world, size);
  } catch (error) {
    return { tried: "broke off", faults: [error instanceof Error ? error.message : String(error)] };
  }
}

const FAULTS_SHOWN = 5;

/** Returns a line for the attack and one for each of its first faults. */
export function lineOf(name: string, { tried, faults }: Outcome): string {
  if (faults.length === 0) return `held    ${name}: ${tried}`;
  const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => `          ${fault}`);
  const more = faults.length > FAULTS_SHOWN ? [`          and ${faults.length - FAULTS_SHOWN} more`] : [];
  return [`BROKEN  ${name}: ${tried}; ${faults.length} faults`, ...shown, ...more].join("\n");
}
