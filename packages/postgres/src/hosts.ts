import pg from "pg";
import { messageOf, PostgresProblem } from "./problem.ts";

/** Time limit for a host's answer, so that one that never answers doesn't delay the others. */
const ANSWER_MS_MAX = 2_000;
/** How long an answer is cached, so that pools that reconnect at the same time ask only once. */
const KNOWN_MS = 1_000;

const ADDRESS = /^(?<before>postgres(?:ql)?:\/\/(?:[^@/?]*@)?)(?<hosts>[^/?]*)(?<rest>[^?]*)(?:\?(?<query>.*))?$/s;

/**
 * Splits an address with several hosts, in libpq's form (`postgresql://me@one:5432,two/fairtick`), into addresses with
 * one host each, in order. `target_session_attrs` is dropped from them, because only a primary is ever connected to.
 */
export function hostAddresses(address: string): readonly [string, ...string[]] {
  const { before, hosts, rest, query } = ADDRESS.exec(address)?.groups ?? {};
  if (before === undefined || hosts === undefined || rest === undefined) return [address];
  const options = (query ?? "")
    .split("&")
    .filter((option) => option !== "" && !option.startsWith("target_session_attrs="));
  const end = `${rest}${options.length > 0 ? `?${options.join("&")}` : ""}`;
  const [first = "", ...others] = hosts.split(",");
  return [`${before}${first}${end}`, ...others.map((host) => `${before}${host}${end}`)];
}

const known = new Map<string, { readonly atMs: number; readonly found: Promise<string> }>();

/**
 * Finds the host that accepts writes among those of an address, asking them in order, since a failover changes it.
 * Returns that host's own address. Throws a `PostgresProblem` that says for each host why it isn't the primary.
 */
export function findPrimary(address: string): Promise<string> {
  const hosts = hostAddresses(address);
  if (hosts.length === 1) return Promise.resolve(hosts[0]);
  const before = known.get(address);
  if (before !== undefined && performance.now() - before.atMs < KNOWN_MS) return before.found;
  const found = askEach(hosts);
  known.set(address, { atMs: performance.now(), found });
  // A failure isn't cached, so the next call asks again.
  found.catch(() => known.delete(address));
  return found;
}

async function askEach(hosts: readonly string[]): Promise<string> {
  const reasons: string[] = [];
  for (const host of hosts) {
    const reason = await whyNotPrimary(host);
    if (reason === null) return host;
    reasons.push(`${new URL(host).host}: ${reason}`);
  }
  throw new PostgresProblem(`No host of DATABASE_URL takes writes. ${reasons.join("; ")}.`);
}

async function whyNotPrimary(host: string): Promise<string | null> {
  const client = new pg.Client({
    connectionString: host,
    connectionTimeoutMillis: ANSWER_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await takesWrites(client)) ? null : "it takes no writes (a standby?)";
  } catch (error) {
    return messageOf(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function takesWrites(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
  return rows[0]?.transaction_read_only === "off";
}

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * Makes a client class for pools that looks for the primary whenever it connects. Its settings name one of the hosts;
 * user, database and password are the same for all.
 */
export function clientOfPrimary(address: string): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: unknown): Promise<pg.Client> | void {
      const connected = this.connectToPrimary();
      if (callback === undefined) return connected;
      const tell = callback as Connected;
      connected.then(
        (client) => tell(null, client),
        (error: unknown) => tell(error instanceof Error ? error : new Error("no connection", { cause: error })),
      );
    }

    private async connectToPrimary(): Promise<pg.Client> {
      const { hostname, port } = new URL(await findPrimary(address));
      Object.assign(this, { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || "5432") });
      await super.connect();
      // The primary may have changed since it was found, and a pool must not keep a connection that can't write.
      if (await takesWrites(this)) return this;
      known.delete(address);
      await this.end();
      throw new PostgresProblem(`${hostname}:${port} was the primary a moment ago and takes no writes now.`);
    }
  };
}
