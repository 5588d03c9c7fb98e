import { isPooled, PostgresProblem, refuseTransactionPooling } from "@fairtick/postgres";
import type pg from "pg";

/** Thrown if a connection doesn't have its pool's role. It must not be used. */
export class WrongRoleError extends PostgresProblem {}

type Config = Pick<pg.ClientConfig, "options" | "connectionString">;

/** Connections through a pooler, with the PostgreSQL process that each got. */
const pooled = new WeakMap<pg.ClientBase, number>();
/** Settings of pools whose connections go through a pooler. */
const behindPooler = new WeakSet<Config>();

/** Whether a connection with these settings was seen to go through a pooler. */
export function isBehindPooler(config: Config): boolean {
  return behindPooler.has(config);
}

/**
 * Makes sure that a new connection has the role that its startup options name, before it is used. A pooler may drop these
 * options, so that every connection would be the owner of all tables. In that case they are set here. Throws `WrongRoleError` if
 * the connection can't get the role, and `PostgresProblem` for a pooler in transaction mode.
 */
export async function proveRole(client: pg.ClientBase, config: Config): Promise<void> {
  const wanted = settingsOf(config.options ?? "");
  const role = wanted.get("role");
  const found = await identify(client);
  const isThroughPooler = isPooled(client, found.backend);
  if (found.user === role && !isThroughPooler) return;
  await client.query("SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS u(name, value)", [
    [...wanted.keys()],
    [...wanted.values()],
  ]);
  const { user, backend } = await identify(client);
  if (user !== role || backend !== found.backend) throw wrongRole(user, role);
  if (!isThroughPooler) return;
  if (!behindPooler.has(config)) {
    await refuseTransactionPooling(client, config, placeOf(config));
    behindPooler.add(config);
  }
  pooled.set(client, backend);
}

/** Checks the role again when a connection through a pooler is taken from the pool. Other connections need no check. */
export async function proveAgain(client: pg.ClientBase, config: Config): Promise<void> {
  const given = pooled.get(client);
  if (given === undefined) return;
  const { user, backend } = await identify(client);
  const role = settingsOf(config.options ?? "").get("role");
  if (user !== role || backend !== given) throw wrongRole(user, role);
}

async function identify(client: pg.ClientBase): Promise<{ readonly user: string; readonly backend: number }> {
  const { rows } = await client.query<{ user: string; backend: number }>(
    "SELECT current_user AS user, pg_backend_pid() AS backend",
  );
  return rows[0] ?? { user: "", backend: 0 };
}

/** Parses startup options `-c name=value` into a map by name. */
function settingsOf(options: string): ReadonlyMap<string, string> {
  return new Map([...options.matchAll(/-c\s*([\w.]+)=(\S*)/g)].map(([, name = "", value = ""]) => [name, value]));
}

function placeOf({ connectionString }: Config): string {
  return connectionString === undefined ? "DATABASE_URL" : new URL(connectionString).host;
}

function wrongRole(user: string, role: string | undefined): WrongRoleError {
  return new WrongRoleError(
    `A connection to the database is ${user} where it has to be ${role ?? "of a role"}: it is not used. ` +
      `Let DATABASE_URL name PostgreSQL itself, or a pooler with pool_mode = session.`,
  );
}
