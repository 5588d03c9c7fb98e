import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { APP_NAMES, buildAppAnew } from "./build-app.ts";
import { packVerifierAnew } from "./pack-verifier.ts";
import { writeBill } from "./supply-chain/write-bill.ts";

const PROJECT = join(import.meta.dirname, "..");
mkdirSync(join(PROJECT, "artifacts"), { recursive: true });

for (const name of APP_NAMES) {
  const started = performance.now();
  await buildAppAnew(name);
  console.log(`apps/${name}/dist is built (${((performance.now() - started) / 1000).toFixed(1)} s).`);
}

const sha256 = await packVerifierAnew();
console.log(`packages/transparency/dist/verifier.tgz is packed (SHA-256 ${sha256}).`);

const bill = writeBill(PROJECT, join(PROJECT, "artifacts/sbom.cdx.json"));
console.log(`artifacts/sbom.cdx.json lists the ${bill.components} packages that ship.`);
