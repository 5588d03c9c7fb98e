import { PLACEMENT_REFUSALS } from "@fairtick/domain";

/** Refusal reasons in the public log that the catalogues translate: those of the rules, and those of their caller. */
export const REFUSAL_REASONS: ReadonlySet<string> = new Set([
  ...PLACEMENT_REFUSALS,
  "NOT_FOUND",
  "NOT_NOW",
  "LOG_BEHIND",
]);
