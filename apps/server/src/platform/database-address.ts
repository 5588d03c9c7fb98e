import { hostAddresses } from "@fairtick/postgres";
import * as v from "valibot";

/**
 * The address of PostgreSQL, of one host or of several as libpq takes them: of these the primary is looked for. Every
 * value of `target_session_attrs` that allows a primary means the same, since nothing else is connected to.
 */
export const databaseAddress = v.pipe(
  v.string(),
  v.check(
    (text) => !/[?&](host|port)=[^&]*,/.test(text),
    "names several hosts behind the question mark: name them before the database, as in postgresql://me@one:5432,two:5432/fairtick",
  ),
  v.check(
    (text) => !/[?&]target_session_attrs=(?!(any|read-write|primary|prefer-standby)(&|$))/.test(text),
    "has target_session_attrs that allow no primary: leave them out, or let them be read-write",
  ),
  v.check(
    (text) => hostAddresses(text).every((address) => URL.canParse(address)),
    "is to be an address with its scheme, as in postgresql://host/name or https://host",
  ),
);
