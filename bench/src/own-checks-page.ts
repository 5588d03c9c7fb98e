import {
  type Asked,
  checkAcceptance,
  parsePolicy,
  portableHashes,
  type AnsweredAcceptance,
  type AnsweredOrder,
} from "@fairtick/transparency";

/** One order as a device holds it: what it asked, and what it was answered. JSON without numbers that JSON cannot hold. */
export interface HeldOrder {
  readonly asked: unknown;
  readonly order: AnsweredOrder;
  readonly acceptance: AnsweredAcceptance;
}

declare global {
  // oxlint-disable-next-line no-var -- only `var` names a property of the global object
  var checkOrders: (keys: string, orders: readonly HeldOrder[]) => number[];
}

/** Runs in the browser: what the app checks of each answer, as milliseconds for each. Throws where one does not hold. */
globalThis.checkOrders = (keys, orders) => {
  const policy = parsePolicy(keys);
  return orders.map(({ asked, order, acceptance }) => {
    // An app holds them as they are: reading them from text is the benchmark's own work.
    const wishes = revive(asked) as Asked;
    const begun = performance.now();
    const fault = checkAcceptance(portableHashes, policy, wishes, order, acceptance);
    const ms = performance.now() - begun;
    if (fault !== null) throw new Error(`an answer does not hold: ${fault}`);
    return ms;
  });
};

/** Integers and bytes were written as `{n: "…"}` and `{b: "…"}`. */
function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== "object" || value === null) return value;
  if ("n" in value && typeof value.n === "string") return BigInt(value.n);
  if ("b" in value && typeof value.b === "string")
    return Uint8Array.from(value.b.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revive(each)]));
}
