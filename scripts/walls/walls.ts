import type { Import } from "./import-graph.ts";

/** A boundary of the house: which imports it forbids, and what to do instead. */
export interface Wall {
  readonly name: string;
  /** Message for whoever breaches it; ends with what to do instead. */
  readonly message: string;
  forbids(found: Import): boolean;
}

/** Returns whether a file is a test or only serves tests. Tests may import internals of the layers below them. */
export function isTestFile(path: string): boolean {
  return (
    /\.test\.tsx?$/.test(path) ||
    /(^|\/)(test-[a-z-]+|testing|[a-z-]+-world|[a-z-]*crash-child)\.tsx?$/.test(path) ||
    /^apps\/server\/src\/(testing|roles\/money-crash)\//.test(path) ||
    /^packages\/(testkit|test-chain)\//.test(path) ||
    /^(e2e|bench)\//.test(path)
  );
}

/** Which of the house's packages each part may import. Tests may import more, see `TEST_PACKAGES`. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "packages/domain": [],
  "packages/ui": [],
  "packages/i18n": [],
  "packages/postgres": [],
  "packages/transparency": ["domain"],
  "packages/protocol": ["domain"],
  "packages/client": ["protocol", "domain"],
  "packages/test-chain": ["domain"],
  "packages/testkit": ["protocol", "domain", "postgres"],
  "apps/member": ["client", "ui", "i18n", "protocol", "domain", "transparency"],
  "apps/backoffice": ["client", "ui", "i18n", "protocol", "domain"],
  "apps/server": ["i18n", "protocol", "domain", "transparency", "postgres"],
  "apps/signer": ["domain"],
};

const TEST_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "apps/server": ["signer", "test-chain", "testkit"],
};

const partOf = (path: string): string => path.split("/").slice(0, 2).join("/");
const packageNamed = (specifier: string): string | null => /^@fairtick\/([a-z0-9-]+)/.exec(specifier)?.[1] ?? null;
const featureOf = (path: string): string | null => /^apps\/server\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
const screenOf = (path: string): string | null => /^apps\/member\/src\/screens\/([^/]+)\//.exec(path)?.[1] ?? null;
const layerOf = (path: string): string | null => /^apps\/member\/src\/([a-z]+)\//.exec(path)?.[1] ?? null;

/** The member app's layers, each with the layers it must not import. */
const ABOVE: Readonly<Record<string, readonly string[]>> = {
  screens: ["app"],
  components: ["app", "screens"],
  data: ["app", "screens", "components"],
  shared: ["app", "screens", "components", "data"],
};

/** Features from a member's withdrawal request to the payment of it: each may only import earlier ones. */
const PAYING: readonly (string | null)[] = ["signer", "withdrawals", "payouts", "sweeps"];

/** Returns whether `name` comes later in `order` than `than`. */
function isAbove(order: readonly (string | null)[], name: string | null, than: string | null): boolean {
  return order.includes(than) && order.indexOf(name) > order.indexOf(than);
}

const NODE_IN_DOMAIN = new Set([
  "packages/domain/src/log/node-hashes.ts",
  "packages/domain/src/log/node-signatures.ts",
]);

export const WALLS: readonly Wall[] = [
  {
    name: "packages depend in one direction",
    message:
      "Packages depend in one direction: apps → client, ui, i18n → protocol → domain (docs/architecture.md). " +
      "Move what both need down, or pass it in.",
    forbids({ from, specifier }) {
      const own = partOf(from);
      const allowed = PACKAGES[own];
      const wanted = packageNamed(specifier);
      if (allowed === undefined || wanted === null || own === `packages/${wanted}`) return false;
      if (allowed.includes(wanted)) return false;
      return !(isTestFile(from) && TEST_PACKAGES[own]?.includes(wanted));
    },
  },
  {
    name: "packages meet at their doors",
    message: "Import another package by its name and its exports, never by a path into its folder.",
    forbids({ from, file }) {
      if (file === null || !/^(apps|packages)\//.test(from) || !/^(apps|packages)\//.test(file)) return false;
      return partOf(from) !== partOf(file);
    },
  },
  {
    name: "domain is pure",
    message:
      "The rules in packages/domain do no I/O and know no library: hand the value or the effect's result in. " +
      "Only node-hashes.ts and node-signatures.ts use Node.",
    forbids({ from, specifier, file }) {
      if (partOf(from) !== "packages/domain" || isTestFile(from) || file !== null) return false;
      return !(NODE_IN_DOMAIN.has(from) && specifier === "node:crypto");
    },
  },
  {
    name: "the verifier runs in browsers",
    message: "The verifier runs in browsers too: hand files and Node's hashes in. Only src/cli uses Node.",
    forbids({ from, specifier }) {
      if (partOf(from) !== "packages/transparency" || isTestFile(from)) return false;
      if (!from.startsWith("packages/transparency/src/") || from.startsWith("packages/transparency/src/cli/"))
        return false;
      return specifier.startsWith("node:") || specifier.endsWith("/node") || specifier.endsWith("/node-signatures");
    },
  },
  {
    name: "features meet at their doors",
    message: "Import ../<feature>/index.ts, or move what both features need to platform.",
    forbids({ from, file }) {
      const own = featureOf(from);
      const other = file === null ? null : featureOf(file);
      if (own === null || other === null || own === other || isTestFile(from)) return false;
      return file !== `apps/server/src/features/${other}/index.ts`;
    },
  },
  {
    name: "withdrawals are asked for, paid and refilled in one direction",
    message:
      "signer ← withdrawals ← payouts ← sweeps: a request knows no payment, a payment no sweep. " +
      "Tell it by the tables and the bus, or have the role hand it in.",
    forbids: ({ from, file }) =>
      !isTestFile(from) && file !== null && isAbove(PAYING, featureOf(file), featureOf(from)),
  },
  {
    name: "desks stand on features",
    message:
      "A desk is where operators use a feature; no feature knows its desk. Move what both need into the feature.",
    forbids({ from, file }) {
      const [own, other] = [featureOf(from), file === null ? null : featureOf(file)];
      if (own === null || other === null || own === other || isTestFile(from)) return false;
      return other.endsWith("-desk");
    },
  },
  {
    name: "roles start features",
    message: "Roles start features, never the other way round: hand in what the feature needs.",
    forbids: ({ from, file }) =>
      featureOf(from) !== null && !isTestFile(from) && file !== null && file.startsWith("apps/server/src/roles/"),
  },
  {
    name: "platform knows no feature",
    message: "platform is handed to features and knows none of them: take the value as an argument.",
    forbids: ({ from, file }) =>
      from.startsWith("apps/server/src/platform/") &&
      !isTestFile(from) &&
      file !== null &&
      /^apps\/server\/src\/(features|roles)\//.test(file),
  },
  {
    name: "screens never import each other",
    message: "What two screens need moves down to components, data or shared.",
    forbids({ from, file }) {
      const own = screenOf(from);
      const other = file === null ? null : screenOf(file);
      return own !== null && other !== null && own !== other;
    },
  },
  {
    name: "the member app's layers point down",
    message: "app → screens → components → data → shared: nothing points back. Pass it in, or move it down.",
    forbids({ from, file }) {
      const own = layerOf(from);
      const other = file === null ? null : layerOf(file);
      if (own === null || other === null || isTestFile(from)) return false;
      return ABOVE[own]?.includes(other) ?? false;
    },
  },
  {
    name: "screens reach the server through data",
    message: "Screens and components reach the server through src/data, which is their facade.",
    forbids: ({ from, specifier }) =>
      /^apps\/member\/src\/(screens|components)\//.test(from) && packageNamed(specifier) === "client",
  },
  {
    name: "the product does not lean on its tests",
    message: "This file is for tests alone: move what the product needs into a file of its own.",
    forbids({ from, specifier, file }) {
      if (!/^(apps|packages)\//.test(from) || isTestFile(from)) return false;
      if (packageNamed(specifier) === "testkit") return true;
      return file !== null && isTestFile(file);
    },
  },
];
