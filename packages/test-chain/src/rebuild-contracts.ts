/** Compiles `contracts/*.sol` into `compiled/*.json`, which are committed: `npm run rebuild -w @fairtick/test-chain`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

const PACKAGE = join(import.meta.dirname, "..");
const CONTRACTS = join(PACKAGE, "contracts");
const require = createRequire(import.meta.url);

interface Compiled {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly abi: unknown; readonly evm: { readonly bytecode: { readonly object: string } } }>
      >
    >
  >;
}

interface Compiler {
  version(): string;
  compile(
    input: string,
    callbacks: { readonly import: (path: string) => { contents: string } | { error: string } },
  ): string;
}

const compiler = require("solc") as Compiler;
const files = readdirSync(CONTRACTS).filter((file) => file.endsWith(".sol"));
const input = {
  language: "Solidity",
  sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(CONTRACTS, file), "utf8") }])),
  settings: {
    optimizer: { enabled: true, runs: 200 },
    // The oldest hard fork for which OpenZeppelin's sources compile, whatever anvil's default is.
    evmVersion: "cancun",
    // Without this hash, the same source has the same bytes wherever it is built.
    metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  },
};
const output = JSON.parse(
  compiler.compile(JSON.stringify(input), {
    import: (path) => {
      try {
        return { contents: readFileSync(require.resolve(path), "utf8") };
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    },
  }),
) as Compiled;
const problems = (output.errors ?? []).filter(({ severity }) => severity === "error");
if (problems.length > 0) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join("\n"));
for (const file of files) {
  const name = basename(file, ".sol");
  const contract = output.contracts[file]?.[name];
  if (contract === undefined) throw new Error(`${file} has no contract ${name}`);
  const artifact = { compiler: compiler.version(), abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
  writeFileSync(join(PACKAGE, "compiled", `${name}.json`), `${JSON.stringify(artifact, null, 2)}\n`);
}
