/** Reasons for voids, in the order in which the rule checks them. */
export const VOIDS = ["NO_ENTRY_TICK", "LIMIT_PASSED", "NO_TICK_BETWEEN", "STALE_EXIT"] as const;
