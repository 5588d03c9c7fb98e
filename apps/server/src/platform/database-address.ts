import { hostAddresses } from "@fairtick/postgres";
import * as v from "valibot";

/**
 * Parses the address of PostgreSQL, with one host or several as in libpq. With several, the primary is used. Every value of
 * `target_session_attrs` that allows a primary means the same, because only a primary is ever used.
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
