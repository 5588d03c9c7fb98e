import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { breaches, examine, readManifests } from "./check-walls.ts";
import { type Manifest, undeclared, unused } from "./declared.ts";
import { importsOf } from "./import-graph.ts";
import { WALLS } from "./walls.ts";

const PROJECT = join(import.meta.dirname, "../..");

/** Breaches of each wall, in every form an import can take. The first name is the wall that must refuse it. */
const PLANTED: readonly (readonly [wall: string, path: string, text: string])[] = [
  ["packages depend in one direction", "packages/transparency/src/x.ts", `import { CALLS } from "@fairtick/protocol";`],
  ["packages depend in one direction", "packages/domain/src/x.test.ts", `import { CALLS } from "@fairtick/protocol";`],
  ["packages depend in one direction", "packages/protocol/src/x.ts", `export * from "@fairtick/client";`],
  ["packages depend in one direction", "packages/client/src/x.ts", `import "@fairtick/ui/styles.css";`],
  ["packages depend in one direction", "packages/ui/src/x.tsx", `import type { Order } from "@fairtick/protocol";`],
  ["packages depend in one direction", "packages/i18n/src/x.ts", `import { formatUsd } from "@fairtick/domain";`],
  ["packages depend in one direction", "apps/member/src/data/x.ts", `const a = await import("@fairtick/server");`],
  ["packages depend in one direction", "apps/signer/src/x.ts", `type A = import("@fairtick/postgres").Server;`],
  ["packages depend in one direction", "apps/backoffice/src/x.ts", `import { verify } from "@fairtick/transparency";`],
  [
    "packages meet at their doors",
    "apps/server/src/x.ts",
    `import { a } from "../../../packages/domain/src/orders/quote.ts";`,
  ],
  ["domain is pure", "packages/domain/src/x.ts", `import { readFileSync } from "node:fs";`],
  ["domain is pure", "packages/domain/src/x.ts", `import pg from "pg";`],
  ["domain is pure", "packages/domain/src/x.ts", `import { createHash } from "node:crypto";`],
  ["domain is pure", "packages/domain/src/log/node-hashes.ts", `import { readFileSync } from "node:fs";`],
  ["the verifier runs in browsers", "packages/transparency/src/x.ts", `import { createHash } from "node:crypto";`],
  [
    "the verifier runs in browsers",
    "packages/transparency/src/x.ts",
    `import { nodeHashes } from "@fairtick/domain/node";`,
  ],
  [
    "features meet at their doors",
    "apps/server/src/features/orders/x.ts",
    `import { a } from "../market/tick-rows.ts";`,
  ],
  [
    "features meet at their doors",
    "apps/server/src/features/market/sources/x.ts",
    `import { a } from "../../orders/collector.ts";`,
  ],
  [
    "withdrawals are asked for, paid and refilled in one direction",
    "apps/server/src/features/withdrawals/x.ts",
    `import { startPayouts } from "../payouts/index.ts";`,
  ],
  [
    "withdrawals are asked for, paid and refilled in one direction",
    "apps/server/src/features/payouts/x.ts",
    `import { sweepRound } from "../sweeps/index.ts";`,
  ],
  [
    "withdrawals are asked for, paid and refilled in one direction",
    "apps/server/src/features/signer/x.ts",
    `import type { WithdrawalContext } from "../withdrawals/index.ts";`,
  ],
  [
    "desks stand on features",
    "apps/server/src/features/withdrawals/x.ts",
    `import { withdrawalDeskRoutes } from "../withdrawal-desk/index.ts";`,
  ],
  ["desks stand on features", "apps/server/src/features/vip-desk/x.ts", `export * from "../deposit-desk/index.ts";`],
  ["roles start features", "apps/server/src/features/orders/x.ts", `import { a } from "../../roles/server-role.ts";`],
  ["platform knows no feature", "apps/server/src/platform/x.ts", `import { a } from "../features/orders/index.ts";`],
  ["platform knows no feature", "apps/server/src/platform/http/x.ts", `import { a } from "../../roles/server.ts";`],
  [
    "screens never import each other",
    "apps/member/src/screens/trade-tab/x.tsx",
    `import { a } from "../order/ticket.ts";`,
  ],
  [
    "the member app's layers point down",
    "apps/member/src/screens/home/x.tsx",
    `import { a } from "../../app/tabs.tsx";`,
  ],
  [
    "the member app's layers point down",
    "apps/member/src/components/x.tsx",
    `import { a } from "../screens/home/Home.tsx";`,
  ],
  ["the member app's layers point down", "apps/member/src/data/x.ts", `export { a } from "../components/qr/Qr.tsx";`],
  ["the member app's layers point down", "apps/member/src/shared/x.ts", `import { a } from "../data/orders.ts";`],
  [
    "screens reach the server through data",
    "apps/member/src/screens/home/x.tsx",
    `import { a } from "@fairtick/client";`,
  ],
  [
    "the product does not lean on its tests",
    "apps/server/src/features/orders/x.ts",
    `import { a } from "./test-world.ts";`,
  ],
  ["the product does not lean on its tests", "apps/server/src/platform/x.ts", `import { a } from "@fairtick/testkit";`],
];

const ALLOWED: readonly (readonly [path: string, text: string])[] = [
  [
    "apps/server/src/features/orders/x.ts",
    `import { a } from "../market/index.ts"; import { b } from "./collector.ts";`,
  ],
  [
    "apps/server/src/features/orders/x.test.ts",
    `import { a } from "../market/testing.ts"; import "@fairtick/testkit";`,
  ],
  ["apps/server/src/roles/x.ts", `import { a } from "../features/orders/index.ts";`],
  ["apps/member/src/screens/home/x.tsx", `import { a } from "../../data/orders.ts"; import { b } from "./Row.tsx";`],
  ["packages/domain/src/log/node-hashes.ts", `import { createHash } from "node:crypto";`],
  ["packages/domain/src/x.test.ts", `import { it } from "vitest"; import { createHash } from "node:crypto";`],
  ["packages/transparency/src/cli/x.ts", `import { readFileSync } from "node:fs"; import "@fairtick/domain/node";`],
];

describe("the walls of the house", () => {
  it.each(PLANTED)("%s: refuses an import planted in %s: %s", (wall, path, text) => {
    const refused = breaches(importsOf({ path, text }));
    expect(refused.join("\n")).toContain(`(${wall})`);
  });

  it("has a planted error for every wall", () => {
    expect(new Set(PLANTED.map(([wall]) => wall))).toEqual(new Set(WALLS.map(({ name }) => name)));
  });

  it.each(ALLOWED)("accepts imports within the rules: %s", (path, text) => {
    expect(breaches(importsOf({ path, text }))).toEqual([]);
  });

  it("says file and line, and what to do instead", () => {
    const text = `import { a } from "./a.ts";\n\nimport { b } from "../market/tick-rows.ts";`;
    expect(breaches(importsOf({ path: "apps/server/src/features/orders/x.ts", text }))).toEqual([
      "apps/server/src/features/orders/x.ts:3 imports ../market/tick-rows.ts (features meet at their doors). " +
        "Import ../<feature>/index.ts, or move what both features need to platform.",
    ]);
  });

  it("hold in the whole project, with every package declared and none unused", () => {
    expect(examine(PROJECT)).toEqual([]);
  });
});

describe("declared packages", () => {
  const manifest = (dependencies: string[], devDependencies: string[]): Manifest => ({
    folder: "packages/a",
    name: "@fairtick/a",
    dependencies: new Set(dependencies),
    devDependencies: new Set(devDependencies),
  });
  const imports = (path: string, text: string) => importsOf({ path, text });

  it("refuses a package that is only installed because of another one", () => {
    const found = imports("packages/a/src/x.ts", `import { x } from "@scope/left-pad/deep";`);
    expect(undeclared(found, [manifest([], [])])).toEqual([
      "packages/a/src/x.ts:1 imports @scope/left-pad, which is not in the dependencies of packages/a/package.json",
    ]);
  });

  it("refuses a development package in code that ships, and allows it in a test", () => {
    const text = `const { x } = await import("viem/accounts");`;
    expect(undeclared(imports("packages/a/src/x.ts", text), [manifest([], ["viem"])])).toHaveLength(1);
    expect(undeclared(imports("packages/a/src/x.test.ts", text), [manifest([], ["viem"])])).toEqual([]);
  });

  it("names a package that nothing imports", () => {
    const found = imports("packages/a/src/x.ts", `import { x } from "used";`);
    expect(unused(found, [manifest(["used", "idle"], [])])).toEqual([
      "packages/a/package.json declares idle, which nothing there imports",
    ]);
  });

  it("covers all workspaces", () => {
    const folders = readManifests(PROJECT).map(({ folder }) => folder);
    expect(folders).toEqual(expect.arrayContaining(["", "packages/domain", "apps/server", "e2e"]));
  });
});
