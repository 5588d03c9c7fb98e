import type { Config, Started } from "@fairtick/server";
import type { ProcessName } from "./family.ts";
import type { StartedSigner } from "./signer.ts";

/** Prints what runs where, and in a sandbox how to log in. */
export function printStarted(facts: {
  readonly config: Config;
  readonly database: string;
  /** null if no test chain was started. */
  readonly chain: string | null;
  readonly witness: string;
  /** null if nothing here needs a beacon. */
  readonly beacon: string | null;
  readonly signer: StartedSigner;
  readonly builtApps: readonly string[];
  /** The apps' addresses for people. */
  readonly apps: readonly (readonly [string, string])[];
  readonly seconds: number;
  readonly pids: ReadonlyMap<ProcessName, number>;
  readonly answers: ReadonlyMap<ProcessName, Started>;
}): void {
  const { config, answers, pids, signer } = facts;
  const server = answers.get("server");
  const lines: (readonly [string, string])[] = [
    ...facts.apps,
    ["Database", facts.database],
    ...(facts.chain === null ? [] : [["Chain", facts.chain] satisfies [string, string]]),
    ["Witness", facts.witness],
    ...(facts.beacon === null ? [] : [["Beacon", facts.beacon] satisfies [string, string]]),
    ...(signer.answer === null ? [] : [["Process signer", String(signer.part.pid())] satisfies [string, string]]),
    ...[...pids].map(([name, pid]): [string, string] => [`Process ${name}`, String(pid)]),
    ...[signer.answer, ...answers.values()]
      .flatMap((answer) => answer?.places ?? [])
      .map(({ what, where }): [string, string] => [what, where]),
  ];
  if (config.deployment === "sandbox") lines.push(["Developer inbox", `${config.publicUrl}/dev/inbox`]);
  if (facts.chain !== null) lines.push(["Faucet", `${config.publicUrl}/dev/faucet`]);
  for (const { account, password, note, totpSecret } of server?.accounts ?? []) {
    lines.push([
      `Account (${note})`,
      `${account}  password ${password}${totpSecret === undefined ? "" : `  authenticator secret ${totpSecret}`}`,
    ]);
  }
  const width = Math.max(...lines.map(([what]) => what.length));
  const built = facts.builtApps.map((name) => `, apps/${name} built anew`).join("");
  console.log(`\nFairtick runs (${config.deployment}; ${facts.seconds.toFixed(1)} s${built}). Ctrl-C ends it.\n`);
  for (const [what, where] of lines) console.log(`  ${what.padEnd(width)}  ${where}`);
  console.log("");
}
