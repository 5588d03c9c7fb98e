import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The test chain cannot run here; the message says why and what to do. */
export class TestChainProblem extends Error {
  override readonly name = "TestChainProblem";
}

/** npm calls the processors of two of the package's platforms by Go's names. */
const PROCESSORS: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Anvil's own program inside its npm package: the package's start script and its install script are not needed. */
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
