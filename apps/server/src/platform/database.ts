import pg from "pg";

/** Which part of the server a pool serves: each takes on its own role and can do that part's work only. */
export const DATABASE_ROLES = ["market", "orders", "settlement", "money", "sessions", "reader", "jobs"] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** int8 is read as bigint: money, instants and ids never pass through a float. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8) return (text: string) => BigInt(text);
    if (oid === INT8_ARRAY) return (text: string) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(BigInt));
    return pg.types.getTypeParser(oid, format);
  },
};
const INT8 = 20;
const INT8_ARRAY = 1016;

/** What runs one statement: a pool or a transaction in it. `name` makes it a prepared statement of that name. */
export interface Queryable {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** READ COMMITTED. What `work` throws rolls everything back and is thrown on. */
  transaction<Value>(work: (transaction: Queryable) => Promise<Value>): Promise<Value>;
  /**
   * A connection of one's own, in pipeline mode: statements sent without waiting travel in one flush.
   * Give it back with `release`; pass the error when its state is unknown, and it is closed.
   */
  lane(): Promise<Lane>;
  readonly pool: pg.Pool;
  end(): Promise<void>;
}

export interface Lane extends Queryable {
  release(error?: Error): void;
}

export interface PoolSettings {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly max: number;
  /** Runtime settings of each connection, `{ lock_timeout: "1s" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly pipeline?: boolean;
  /** A connection broke while idle; the pool makes a new one when it is next asked. */
  readonly onError?: (error: Error) => void;
}

/** Opens a pool whose every connection has taken on its role. Nothing is connected before the first use. */
export function openDatabase(options: PoolSettings): Database {
  const settings = { role: `fairtick_${options.role}`, ...options.settings };
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    types,
    pipeline: options.pipeline ?? false,
    application_name: `fairtick ${options.role}`,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  });
  pool.on("error", (error) => options.onError?.(error));

  return {
    pool,
    query: (text, values, name) => run(pool, text, values, name),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        const value = await work({ query: (text, values, name) => run(client, text, values, name) });
        await client.query("COMMIT");
        client.release();
        return value;
      } catch (error) {
        // A connection that cannot even roll back is not given back to the pool.
        await client.query("ROLLBACK").then(
          () => client.release(),
          (broken: unknown) => client.release(broken instanceof Error ? broken : true),
        );
        throw error;
      }
    },
    async lane() {
      const client = await pool.connect();
      return {
        query: (text, values, name) => run(client, text, values, name),
        release: (error) => client.release(error),
      };
    },
    end: () => pool.end(),
  };
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

/** SQLSTATE of an error that the database answered, or undefined: `23505`, `40P01`, … */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
