import * as v from "valibot";

/**
 * The parts of the house that can be started separately. `market` always has its own process. The others share one by default
 * and can run on any machine with the same database and bus.
 */
export const ROLES = ["market", "log", "api", "stream", "settlement", "jobs", "chain", "console"] as const;
export type Role = (typeof ROLES)[number];

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);
const RULE = `is to name one or more of ${ROLES.join(", ")}, with commas between them`;

/** Parses `api,stream` into roles and checks every name. */
export const roleList = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((name) => name.trim())),
  v.check((names) => names.every(isRole), RULE),
  v.transform((names) => new Set(names.filter(isRole))),
);
