/**
 * How a command line runs the verifier, out of the house's own address: in any empty folder, with nothing from a public registry.
 * `origin`: as `location.origin` has it.
 */
export function verifierCommand(origin: string): string {
  return `npx --yes ${origin}/verifier.tgz`;
}
