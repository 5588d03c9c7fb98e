/** The constraint that a 23xxx error names. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && "constraint" in error && typeof error.constraint === "string"
    ? error.constraint
    : undefined;
}

/** Deadlock, lock timeout, or a row that somebody inserted first: the same work may succeed when repeated. */
export function isContention(error: unknown): boolean {
  const state = codeOf(error);
  return state === "40P01" || state === "55P03" || state === "40001" || state === "23505";
}

const LOST = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "57P01", "57P02", "57P03", "25P03"]);

/**
 * The connection broke or PostgreSQL is going down or coming up. What was under way may have been
 * committed or not: only work that is idempotent may simply be repeated.
 */
export function isConnectionLost(error: unknown): boolean {
  const state = codeOf(error);
  if (state !== undefined) return LOST.has(state) || state.startsWith("08");
  return (
    error instanceof Error &&
    /connection (terminated|error)|terminating connection|timeout exceeded when trying to connect/i.test(error.message)
  );
}

/** SQLSTATE of a database error, or the system's code (`ECONNRESET`). */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
