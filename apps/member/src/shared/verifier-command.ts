/**
 * Returns the command that runs the verifier from the house's own address: in any empty folder, without a public
 * registry. `origin` is `location.origin`.
 */
export function verifierCommand(origin: string): string {
  return `npx --yes ${origin}/verifier.tgz`;
}
