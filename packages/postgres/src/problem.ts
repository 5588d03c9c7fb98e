/**
 * A problem with PostgreSQL that only a person can solve. The message is one or two sentences that say what is wrong
 * and what to do. It never contains a password and is shown without a stack.
 */
export class PostgresProblem extends Error {
  override readonly name = "PostgresProblem";
}

/** Returns the `code` of an error from Node or the driver (`ECONNREFUSED`, `28P01`); undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
