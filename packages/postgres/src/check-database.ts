import pg from "pg";
import { isPooled, refuseTransactionPooling } from "./pooling.ts";
import { codeOf, messageOf, PostgresProblem } from "./problem.ts";
import type { Present } from "./statements/present.ts";

/** The oldest major version with which the product's SQL is tested. */
export const MAJOR_MIN = 15;

/**
 * Connects once to a database that someone else runs, and returns its version (`18.4`). Throws a `PostgresProblem` that
 * names the variable, the server and what to do if it can't be used.
 */
export async function checkDatabase(url: string, variable = "DATABASE_URL"): Promise<string> {
  const where = describe(url, variable);
  // Pools set this option when they connect, and not every pooler accepts it, so the check sets it too.
  const options = { connectionString: url, connectionTimeoutMillis: 10_000, options: "-c statement_timeout=30s" };
  const client = new pg.Client(options);
  // It doesn't matter if the connection breaks after the answer.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{
      number: number;
      version: string;
      // The current user always has a row in pg_roles.
      may_make_roles: Present<boolean>;
      pid: number;
    }>(
      `SELECT pg_backend_pid() AS pid, current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
              (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user)
                OR (SELECT count(*) > 0 FROM pg_roles WHERE rolname = 'fairtick_orders') AS may_make_roles`,
    );
    const row = rows[0];
    if (!row || row.number < MAJOR_MIN * 10_000) {
      throw new PostgresProblem(
        `${where} is PostgreSQL ${row?.version ?? "of unknown version"}; Fairtick needs ${MAJOR_MIN} or later. ` +
          `Point ${variable} at a newer server, or unset it to use the embedded one.`,
      );
    }
    if (!row.may_make_roles) {
      throw new PostgresProblem(
        `The user of ${variable} may not make roles at ${where}. ` +
          `Give it that right once (ALTER ROLE … CREATEROLE), or let an administrator run the migrations.`,
      );
    }
    if (isPooled(client, row.pid)) await refuseTransactionPooling(client, options, where);
    return row.version;
  } catch (error) {
    throw error instanceof PostgresProblem ? error : new PostgresProblem(sentence(error, where, variable));
  } finally {
    await client.end().catch(() => undefined);
  }
}

function describe(url: string, variable: string): string {
  try {
    const { protocol, hostname, port, pathname, searchParams } = new URL(url);
    if (protocol !== "postgres:" && protocol !== "postgresql:") throw new Error("another kind of address");
    return `${searchParams.get("host") ?? hostname}:${port === "" ? "5432" : port}${pathname}`;
  } catch {
    throw new PostgresProblem(
      `${variable} is no address of a PostgreSQL database. It looks like postgresql://user:password@host:5432/database.`,
    );
  }
}

function sentence(error: unknown, where: string, variable: string): string {
  const refused = /unsupported startup parameter(?: in options)?: (\S+)/.exec(messageOf(error))?.[1];
  if (refused !== undefined) {
    return (
      `The pooler at ${where} refuses the startup parameter "${refused}". ` +
      `Add it to ignore_startup_parameters in its settings (PgBouncer), or let ${variable} name PostgreSQL itself.`
    );
  }
  const unset = `or unset ${variable} to use the embedded PostgreSQL`;
  switch (codeOf(error) ?? "") {
    case "ECONNREFUSED":
    case "ENOENT":
      return `No PostgreSQL answers at ${where}. Start it, correct ${variable}, ${unset}.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The host of ${where} is not known here. Correct ${variable}, ${unset}.`;
    case "28P01":
    case "28000":
      return `PostgreSQL at ${where} refuses the user or password of ${variable}. Correct them, ${unset}.`;
    case "3D000":
      return `There is no such database at ${where}. Make it (createdb), correct ${variable}, ${unset}.`;
    case "53300":
      return `PostgreSQL at ${where} has no connection left. Raise its max_connections, or stop what holds them.`;
    default:
      return `PostgreSQL at ${where} cannot be used: ${messageOf(error)}. Correct ${variable}, ${unset}.`;
  }
}
