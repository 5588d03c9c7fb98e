import * as v from "valibot";

/**
 * The parts of the house that can be started one by one. `market` is a process of its own; the others share one, and run
 * anywhere else too with the same database and bus.
 */
export const ROLES = ["market", "log", "api", "stream", "settlement", "jobs", "chain", "console"] as const;
export type Role = (typeof ROLES)[number];

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);
const RULE = `is to name one or more of ${ROLES.join(", ")}, with commas between them`;

/** `api,stream` → those roles; every name is checked. */
export const roleList = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((name) => name.trim())),
  v.check((names) => names.every(isRole), RULE),
  v.transform((names) => new Set(names.filter(isRole))),
);
