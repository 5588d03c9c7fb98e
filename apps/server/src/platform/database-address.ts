import * as v from "valibot";

const SEVERAL_HOSTS =
  "names several hosts, and Fairtick connects to one: let it name an address that always leads to the primary " +
  "(HAProxy, Patroni's or your provider's primary endpoint, PgBouncer in session mode). Connections are made anew after a failover";
const SESSION_ATTRIBUTES =
  "has target_session_attrs, which is for addresses of several hosts: leave it out, and name an address that always leads to the primary";

/**
 * The address of one PostgreSQL. libpq takes several hosts and finds out which of them is the primary; the driver would
 * take the list for the name of one host, and a standby for a primary.
 */
export const databaseAddress = v.pipe(
  v.string(),
  v.check((text) => !namesSeveralHosts(text), SEVERAL_HOSTS),
  v.check((text) => !/[?&]target_session_attrs=/.test(text), SESSION_ATTRIBUTES),
  v.url("is to be an address with its scheme, as in postgresql://host/name or https://host"),
);

/** In the address itself, or as `host` or `port` behind it. */
function namesSeveralHosts(text: string): boolean {
  const [place = "", query = ""] = text.split("?");
  const hosts = /^[a-z]+:\/\/(?:[^@/]*@)?([^/]*)/.exec(place)?.[1] ?? "";
  const named = new URLSearchParams(query);
  return [hosts, ...named.getAll("host"), ...named.getAll("port")].some((each) => each.includes(","));
}
