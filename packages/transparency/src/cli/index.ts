export { run, USAGE, type Outcome } from "./run.ts";
export { startWitness, type RunningWitness } from "./witness-command.ts";
