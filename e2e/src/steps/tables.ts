import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** Opens the product's database as its owner, for states that only arise on a chain or in a signer and have no API. */
export async function withTables<Value>(work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns `DATABASE_URL` if set, else the address that the embedded database has written down. */
async function databaseUrl(): Promise<string> {
  const given = process.env["DATABASE_URL"];
  if (given) return given;
  const dataDir = process.env["JOURNEY_DATA_DIR"];
  if (!dataDir) throw new Error("JOURNEY_DATA_DIR is set by the global setup");
  const folder = join(dataDir, "postgres");
  const [, , , port] = (await readFile(join(folder, "data", "postmaster.pid"), "utf8")).split("\n");
  const password = await readFile(join(folder, "fairtick.password"), "utf8");
  return `postgresql://fairtick:${encodeURIComponent(password)}@127.0.0.1:${port}/fairtick`;
}
