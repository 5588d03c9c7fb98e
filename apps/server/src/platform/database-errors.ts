/** Returns the constraint that a 23xxx error names. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && "constraint" in error && typeof error.constraint === "string"
    ? error.constraint
    : undefined;
}

/** Whether an error is a deadlock, a lock timeout or a row that another transaction inserted first. A repeat may succeed. */
export function isContention(error: unknown): boolean {
  const state = codeOf(error);
  return state === "40P01" || state === "55P03" || state === "40001" || state === "23505";
}

const LOST = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "57P01", "57P02", "57P03", "25P03"]);

/**
 * Whether the connection broke, or PostgreSQL is shutting down or starting. The transaction may or may not have been committed,
 * so only idempotent work may simply be repeated.
 */
export function isConnectionLost(error: unknown): boolean {
  const state = codeOf(error);
  if (state !== undefined) return LOST.has(state) || state.startsWith("08");
  return (
    error instanceof Error &&
    /connection (terminated|error)|terminating connection|timeout exceeded when trying to connect/i.test(error.message)
  );
}

/** Returns the SQLSTATE of a database error, or the system's code (`ECONNRESET`). */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
