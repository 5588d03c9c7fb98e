import type { ChildProcess } from "node:child_process";

/** A line of what `npm start` prints: the part, and where to find it. */
export interface Place {
  readonly what: string;
  readonly where: string;
}

/** An account that a sandbox comes with. */
export interface SeededAccount {
  readonly account: string;
  readonly password: string;
  readonly note: string;
  /** Base 32, of those who log in with a second factor. */
  readonly totpSecret?: string;
}

/** What a process of the family says of itself once it does its work. */
export interface Started {
  readonly places: readonly Place[];
  readonly accounts?: readonly SeededAccount[];
}

/** From a process of the family to the start script, over IPC. */
export type FamilyReport =
  | ({ readonly kind: "ready" } & Started)
  /** It cannot run; a sentence that says what to do. */
  | { readonly kind: "problem"; readonly sentence: string };

export function isFamilyReport(message: unknown): message is FamilyReport {
  return (
    message !== null &&
    typeof message === "object" &&
    "kind" in message &&
    (message.kind === "ready" || message.kind === "problem")
  );
}

/** Tells the start script; true when there is one and it got the report. */
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

/** The argument of a process that is started before what it works with: it loads its code meanwhile, and waits. */
export const TOLD_LATER = "--told-later";

/** What such a process waits for, from the start script over IPC. */
interface Environment {
  readonly kind: "environment";
  readonly values: Readonly<Record<string, string>>;
}

/** Tells a process that was started with `TOLD_LATER` what to add to its environment. */
export function tellEnvironment(child: ChildProcess, values: Environment["values"]): void {
  const told: Environment = { kind: "environment", values };
  // One that has ended meanwhile is told of by its end.
  child.send(told, () => undefined);
}

/** Waits for `tellEnvironment` where this process was started with `TOLD_LATER`; ends it when the start script is gone. */
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
