/** For what the compiler holds to be impossible: a case missing from a closed union does not compile. */
export function assertNever(value: never): never {
  throw new Error(`impossible: ${String(value)}`);
}
