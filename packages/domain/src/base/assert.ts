/** Stands where no value can come: a `switch` that misses a case of a closed union does not compile. Throws if it runs. */
export function assertNever(value: never): never {
  throw new Error(`impossible: ${String(value)}`);
}
