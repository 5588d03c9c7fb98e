/**
 * Marks code that can't be reached, so that a `switch` that misses a case of a closed union doesn't compile. Throws if
 * called.
 */
export function assertNever(value: never): never {
  throw new Error(`impossible: ${String(value)}`);
}
