import pg from "pg";
import { type Catalog, queryIn, readCatalog } from "./catalog.ts";
import { Nullability } from "./nullability.ts";
import type { Present } from "./present.ts";
import type { Nullness } from "./scope.ts";

/** A column of a statement's result. */
export interface StatementColumn {
  readonly name: string;
  /** The oid that the driver is told; for a domain, that of its base type. */
  readonly type: number;
  readonly nullness: Nullness;
}

/** PostgreSQL's description of a statement that wasn't run. */
export interface StatementDescription {
  /** Oids of its parameters' types, in order. */
  readonly parameters: readonly number[];
  readonly columns: readonly StatementColumn[];
}

/** PostgreSQL's reason for refusing a statement. */
export class StatementRefusal extends Error {
  /** Position in the statement, from 0; undefined if PostgreSQL gives none. */
  readonly place: number | undefined;

  constructor(cause: pg.DatabaseError, offset: number) {
    super([cause.message, cause.detail, cause.hint].filter(Boolean).join(". "), { cause });
    const position = Number(cause.position ?? 0) - 1 - offset;
    this.place = position >= 0 ? position : undefined;
  }
}

export interface Describer {
  readonly catalog: Catalog;
  /**
   * Describes a statement that PREPARE accepts (SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES) without running it. With
   * `parameters`, its columns are left out, which takes half the time.
   *
   * @throws StatementRefusal if PostgreSQL refuses it: a table, column or function doesn't exist, or types don't fit.
   */
  describe(text: string, part?: "parameters"): Promise<StatementDescription>;
  close(): Promise<void>;
}

/** Sent in one message with the transaction's BEGIN, which saves time because there are hundreds of statements. */
const PREPARE = "BEGIN; PREPARE described AS ";

/** Opens a connection that describes statements for the schema of a migrated database. */
export async function openDescriber(url: string): Promise<Describer> {
  const client = new pg.Client({ connectionString: url, application_name: "fairtick statements" });
  await client.connect();
  const catalog = await readCatalog(client);
  const nullability = new Nullability(catalog);

  async function describe(text: string, part?: "parameters"): Promise<StatementDescription> {
    const statement = text.replace(/[\s;]+$/, "");
    await client.query(PREPARE + statement);
    const { rows } = await client.query<{
      parameters: Present<number[]>;
      names: Present<string[]>;
      results: number[] | null;
    }>(
      `SELECT parameter_types::oid[]::int8[]::int[] AS parameters, parameter_types::text[] AS names,
         result_types::oid[]::int8[]::int[] AS results
       FROM pg_prepared_statements WHERE name = 'described'`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error("PostgreSQL prepared a statement and doesn't know it");
    if (found.results === null || part === "parameters") return { parameters: found.parameters, columns: [] };
    // A function's body is stored as PostgreSQL parsed it, with its parameters, and shows which joins may find nothing.
    await client.query(
      `CREATE FUNCTION pg_temp.described(${found.names.join(", ")}) RETURNS void LANGUAGE sql BEGIN ATOMIC ${statement}; END`,
    );
    const { rows: bodies } = await client.query<{ body: Present<string> }>(
      "SELECT prosqlbody::text AS body FROM pg_proc WHERE proname = 'described' AND pronamespace = pg_my_temp_schema()",
    );
    const columns = nullability.columnsOf(queryIn(bodies[0]?.body ?? ""));
    const types = found.results.map((type) => catalog.types.get(type)?.base ?? type);
    return {
      parameters: found.parameters,
      columns: columns.map(({ name, nullness }, index) => ({ name, nullness, type: types[index] ?? 0 })),
    };
  }

  return {
    catalog,
    async describe(text, part) {
      try {
        return await describe(text, part);
      } catch (error) {
        if (error instanceof pg.DatabaseError) throw new StatementRefusal(error, PREPARE.length);
        throw error;
      } finally {
        await client.query("ROLLBACK; DEALLOCATE ALL");
      }
    },
    close: () => client.end(),
  };
}
