/** Asks until the answer is neither undefined, null nor false; throws with `what` when that takes too long. */
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
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
