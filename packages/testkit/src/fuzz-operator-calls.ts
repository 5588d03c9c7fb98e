import { ERROR_NAMES } from "@fairtick/domain";
import type { OperatorCall } from "@fairtick/protocol/operator";
import fc from "fast-check";
import { allowedJson, HOSTILE_JSON, operatorFields } from "./broken-operator-messages.ts";

/** The console's answer. `data` is null for bytes. */
export interface OperatorAnswer {
  readonly status: number;
  readonly data: unknown;
}

export interface OperatorFuzzOptions {
  /** Sends a body as an operator who may make the call and stays logged in. */
  readonly send: (body: string) => Promise<OperatorAnswer>;
  /** Number of messages sent for each call. */
  readonly runs: number;
  readonly seed?: number;
}

/**
 * Sends a back-office call `runs` messages generated from its schema, some valid and most not. Throws with the smallest
 * message that causes an internal error, ends the session, or is refused with a name that isn't in the catalogue.
 */
export async function fuzzOperatorCall(call: OperatorCall, { send, runs, seed }: OperatorFuzzOptions): Promise<void> {
  const messages = fc.asyncProperty(messageOf(call), async (body) => hold(body, await send(body)));
  await fc.assert(messages, { numRuns: runs, ...(seed !== undefined && { seed }), endOnFailure: true });
}

function messageOf(call: OperatorCall): fc.Arbitrary<string> {
  const fields = Object.entries(operatorFields(call)).map(([name, schema]) =>
    fc.oneof(
      { weight: 8, arbitrary: allowedJson(schema).map((value) => [[name, JSON.stringify(value)]]) },
      { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_JSON).map((json) => [[name, json]]) },
      { weight: 1, arbitrary: fc.constant<string[][]>([]) },
    ),
  );
  return fc.tuple(...fields).map(
    (parts) =>
      `{${parts
        .flat()
        .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
        .join(",")}}`,
  );
}

function hold(body: string, { status, data }: OperatorAnswer): void {
  const what = `${status} ${JSON.stringify(data ?? null).slice(0, 300)} to ${body.slice(0, 300)}`;
  if (status >= 500 && status !== 503) throw new Error(`a fault of ours: ${what}`);
  if (status === 401) throw new Error(`the session is over: ${what}`);
  if (status === 200) return;
  const { error } = { ...Object(data) } as { readonly error?: unknown };
  if (!ERROR_NAMES.some((name) => name === error)) throw new Error(`not an error of the catalogue: ${what}`);
}
