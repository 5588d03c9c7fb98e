import { clientOfPrimary, hostAddresses } from "@fairtick/postgres";
import pg from "pg";
import { isBehindPooler, proveAgain, proveRole } from "./prove-role.ts";

export type { Present } from "@fairtick/postgres";

/** The parts of the server with a pool of their own. Each pool takes its own database role and can do only that part's work. */
export const DATABASE_ROLES = [
  "market",
  "orders",
  "settlement",
  "money",
  "sessions",
  "reader",
  "jobs",
  "chain",
  "payout",
  "console",
  "log",
] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** How columns are read. int8 becomes bigint, so that money, instants and ids never pass through a float. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8) return (text: string) => BigInt(text);
    if (oid === INT8_ARRAY) return parseBigIntArray;
    return pg.types.getTypeParser(oid, format);
  },
};
const INT8 = 20;
const INT8_ARRAY = 1016;

function parseBigIntArray(text: string): (bigint | null)[] {
  if (text === "{}") return [];
  const items = text.slice(1, -1).split(",");
  return items.map((item) => (item === "NULL" ? null : BigInt(item)));
}

/** Something that runs a statement: a pool or a transaction. `name` makes it a prepared statement of that name. */
export interface Queryable {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in a READ COMMITTED transaction. If `work` throws, everything is rolled back and the error is rethrown. Also
   * throws if PostgreSQL turned the commit into a rollback. If the connection is lost during the commit, the outcome is unknown.
   */
  transaction<Value>(work: (transaction: Queryable) => Promise<Value>): Promise<Value>;
  /**
   * Checks out a connection in pipeline mode: statements sent without waiting go out in one flush. Return it with `release`. If
   * its state is unknown, pass the error, and it is closed.
   */
  connection(): Promise<Connection>;
  readonly pool: pg.Pool;
  end(): Promise<void>;
}

export interface Connection extends Queryable {
  release(error?: Error): void;
}

export interface PoolSettings {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly max: number;
  /** Runtime settings of each connection, for example `{ lock_timeout: "1s" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly pipeline?: boolean;
  /** Called when an idle connection broke, for example because PostgreSQL restarted. The next caller gets a new one. */
  readonly onError?: (error: Error) => void;
}

/** Opens a pool. Every connection has to prove its role before its first use. Nothing is connected until then. */
export function openDatabase(options: PoolSettings): Database {
  const pool = openPool(options);
  return {
    pool,
    async query<Row>(text: string, values?: readonly unknown[], name?: string) {
      if (!isBehindPooler(pool.options)) return run<Row>(pool, text, values, name);
      const client = await checkOut(pool);
      try {
        const rows = await run<Row>(client, text, values, name);
        client.release();
        return rows;
      } catch (error) {
        client.release(error instanceof Error ? error : true);
        throw error;
      }
    },
    transaction: async (work) => transact(await checkOut(pool), work),
    async connection() {
      const client = await checkOut(pool);
      return {
        query: (text, values, name) => run(client, text, values, name),
        release: (error) => client.release(error),
      };
    },
    end: () => pool.end(),
  };
}

function openPool(options: PoolSettings): pg.Pool {
  const settings = { role: `fairtick_${options.role}`, ...options.settings };
  const hosts = hostAddresses(options.url);
  const address = splitOptions(hosts[0]);
  const started = [...address.options, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)];
  const pool = new pg.Pool({
    connectionString: address.url,
    ...(hosts.length > 1 && { Client: clientOfPrimary(options.url) }),
    max: options.max,
    types: columnTypes,
    pipeline: options.pipeline ?? false,
    application_name: `fairtick ${options.role}`,
    options: started.join(" "),
    verify: (client, done) => void prove(client, pool, done),
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idleTimeoutMillis: IDLE_MS_MAX,
    keepAlive: true,
  });
  const onError = (error: Error) => options.onError?.(error);
  pool.on("error", onError);
  // The pool listens only to idle connections. Without this, one that breaks in use would end the whole process.
  pool.on("connect", (client) => {
    client.on("error", onError);
  });
  return pool;
}

async function prove(client: pg.PoolClient, pool: pg.Pool, done: (error?: Error) => void): Promise<void> {
  try {
    await proveRole(client, pool.options);
  } catch (error) {
    done(error instanceof Error ? error : new Error("the connection's role could not be asked", { cause: error }));
    return;
  }
  done();
}

/** Checks out a connection and makes sure that it has its role. */
async function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  try {
    await proveAgain(client, pool.options);
    return client;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}

/** Runs a transaction on a connection and returns the connection to the pool. */
async function transact<Value>(
  client: pg.PoolClient,
  work: (transaction: Queryable) => Promise<Value>,
): Promise<Value> {
  try {
    await client.query("BEGIN");
    const value = await work({ query: (text, values, name) => run(client, text, values, name) });
    const { command } = await client.query("COMMIT");
    // If a statement had failed before, PostgreSQL answers COMMIT with a rollback and not with an error.
    if (command !== "COMMIT") throw new Error("the transaction had failed before its commit and was rolled back");
    client.release();
    return value;
  } catch (error) {
    // A connection that can't even roll back is closed instead of returned.
    await client.query("ROLLBACK").then(
      () => client.release(),
      (broken: unknown) => client.release(broken instanceof Error ? broken : true),
    );
    throw error;
  }
}

const CONNECT_MS_MAX = 10_000;
const IDLE_MS_MAX = 60_000;

/** Splits the options off an address. The driver would let them replace ours, but both are needed. */
function splitOptions(address: string): { url: string; options: string[] } {
  const url = new URL(address);
  const options = url.searchParams.getAll("options");
  url.searchParams.delete("options");
  return { url: url.toString(), options };
}

async function run<Row>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<Row[]> {
  const result = await client.query({ text, values: [...values], ...(name && { name }) });
  return result.rows as Row[];
}

/** Returns the SQLSTATE (`23505`, `40P01`, …) of an error from the database; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
