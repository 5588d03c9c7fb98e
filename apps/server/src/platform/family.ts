import type { ChildProcess } from "node:child_process";

/** A line that `npm start` prints: a part and its address. */
export interface Place {
  readonly what: string;
  readonly where: string;
}

/** An account that a sandbox comes with. */
export interface SeededAccount {
  readonly account: string;
  readonly password: string;
  readonly note: string;
  /** Secret in base 32, for accounts that log in with a second factor. */
  readonly totpSecret?: string;
}

/** What a process of the family reports once it is working. */
export interface Started {
  readonly places: readonly Place[];
  readonly accounts?: readonly SeededAccount[];
}

/** A report of a process of the family to the start script, over IPC. */
export type FamilyReport =
  | ({ readonly kind: "ready" } & Started)
  /** It can't run. The sentence says what to do. */
  | { readonly kind: "problem"; readonly sentence: string };

export function isFamilyReport(message: unknown): message is FamilyReport {
  return (
    message !== null &&
    typeof message === "object" &&
    "kind" in message &&
    (message.kind === "ready" || message.kind === "problem")
  );
}

/** Sends a report to the start script. Returns true if there is one and it got the report. */
export function report(message: FamilyReport): Promise<boolean> {
  return new Promise((resolve) => {
    if (!process.send) {
      resolve(false);
      return;
    }
    process.send(message, undefined, undefined, (error) => {
      resolve(error === null);
    });
  });
}

/** The argument of a process that is started before the parts it depends on: it loads its code and then waits for them. */
export const TOLD_LATER = "--told-later";

/** What such a process waits for from the start script, over IPC. */
interface Environment {
  readonly kind: "environment";
  readonly values: Readonly<Record<string, string>>;
}

/** Sends a process that was started with `TOLD_LATER` the values to add to its environment. */
export function tellEnvironment(child: ChildProcess, values: Environment["values"]): void {
  const told: Environment = { kind: "environment", values };
  // If the process has ended meanwhile, its exit is handled elsewhere.
  child.send(told, () => undefined);
}

/** Waits for `tellEnvironment` if this process was started with `TOLD_LATER`. Ends the process if the start script is gone. */
export async function hearEnvironment(): Promise<void> {
  if (!process.argv.includes(TOLD_LATER)) return;
  const gone = () => process.exit(0);
  process.once("disconnect", gone);
  const { values } = await new Promise<Environment>((resolve) => {
    process.once("message", (message) => {
      resolve(message as Environment);
    });
  });
  process.off("disconnect", gone);
  Object.assign(process.env, values);
}
