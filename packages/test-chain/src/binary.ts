import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A reason why the test chain can't run here. The message says why and what to do. */
export class TestChainProblem extends Error {
  override readonly name = "TestChainProblem";
}

/** Node's processor names → those in the package's names, which follow Go. */
const PROCESSORS: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Finds anvil's own program in its npm package. The package's start and install scripts aren't needed. */
export function findAnvil(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${PROCESSORS[process.arch] ?? process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), "bin", "anvil");
  } catch {
    throw new TestChainProblem(
      `There is no embedded test chain for ${process.platform} ${process.arch} in node_modules (${name}). ` +
        `Run "npm ci" without --omit=optional, or set CHAIN_URL to a node of your own.`,
    );
  }
}
