import { parseArgs } from "node:util";
import { ATTACKS, tryAll } from "./attack/all-attacks.ts";
import { SIZES } from "./attack/attack.ts";
import { openWorld, type World } from "./attack/world.ts";
import { startProduct } from "./own-product.ts";

// `npm run attack`: attacks a running product as strangers and members could, and reports which attacks it withstood.

const { values } = parseArgs({
  options: {
    large: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    url: { type: "string" },
    console: { type: "string", default: "http://127.0.0.1:8081" },
    help: { type: "boolean", default: false },
  },
});
const all = Object.keys(ATTACKS);
const names = values.only === "" ? all : values.only.split(",");
const unknown = names.filter((name) => !all.includes(name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no attack ${unknown.join(", ")}.`);
  console.log(
    `npm run attack -- [--large] [--only <name>,…] [--url <a running sandbox> --console <its console>]\nnames: ${all.join(", ")}`,
  );
  process.exit(unknown.length > 0 ? 2 : 0);
}

const size = values.large ? SIZES.large : SIZES.usual;
const begun = performance.now();
let broken = 0;
if (values.url === undefined) {
  // Per-minute limits would make a fuzz take hours. Waits that grow with wrong secrets stay as they are.
  const product = await startProduct({ RATE_LIMIT_FACTOR: "100000", LOG_LEVEL: "error" });
  try {
    broken = await attack(await openWorld({ url: product.base, console: product.console }, product.sql));
  } finally {
    await product.stop();
  }
} else {
  broken = await attack(await openWorld({ url: values.url, console: values.console }));
}
const seconds = Math.round((performance.now() - begun) / 1_000);
console.log(`${names.length - broken} of ${names.length} attacks held, ${broken} broken; ${seconds} s.`);
process.exitCode = broken > 0 ? 1 : 0;

async function attack(world: World): Promise<number> {
  try {
    return await tryAll(names, world, size, (line) => console.log(line));
  } finally {
    world.close();
  }
}
