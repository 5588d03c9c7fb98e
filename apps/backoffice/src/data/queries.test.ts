import { sessionMe } from "@fairtick/protocol/operator";
import { expect, it } from "vitest";
import { CallFailure } from "./call.ts";
import { makeQueries } from "./queries.ts";

const SELF = { operator: { login: "finance-1" } };
const fail = (status: number, error: string | null) => () =>
  Promise.reject(new CallFailure(status, "The server's words", error, {}));

it.each([
  [401, "SESSION_EXPIRED", null],
  [401, "LOGIN_REQUIRED", null],
  [401, "WRONG_PASSWORD", SELF],
  [403, "FORBIDDEN", SELF],
  [0, null, SELF],
] as const)("after %i %s, read or done, the one logged in is %j", async (status, error, left) => {
  const read = makeQueries();
  read.setQueryData([sessionMe.path], SELF);
  await read.fetchQuery({ queryKey: ["deposit/list"], queryFn: fail(status, error) }).catch(() => null);
  expect(read.getQueryData([sessionMe.path])).toEqual(left);

  const done = makeQueries();
  done.setQueryData([sessionMe.path], SELF);
  const mutation = done.getMutationCache().build(done, { mutationFn: fail(status, error) });
  await mutation.execute(undefined).catch(() => null);
  expect(done.getQueryData([sessionMe.path])).toEqual(left);
});
