/**
 * Calls `ask` until it returns something other than undefined, null or false, and returns that. Throws with `what`
 * after the timeout.
 */
export async function waitUntil<Value>(
  what: string,
  ask: () => Promise<Value> | Value,
  timeoutMs = 60_000,
): Promise<NonNullable<Exclude<Value, false>>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) {
      return answer as NonNullable<Exclude<Value, false>>;
    }
    if (performance.now() > end) throw new Error(`timed out after ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
