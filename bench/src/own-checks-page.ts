import {
  type Asked,
  checkAcceptance,
  parsePolicy,
  portableHashes,
  type AnsweredAcceptance,
  type AnsweredOrder,
} from "@fairtick/transparency";

/** An order as a device holds it: the request and the response, as JSON with encoded big integers and bytes. */
export interface HeldOrder {
  readonly asked: unknown;
  readonly order: AnsweredOrder;
  readonly acceptance: AnsweredAcceptance;
}

declare global {
  // oxlint-disable-next-line no-var -- only `var` names a property of the global object
  var checkOrders: (keys: string, orders: readonly HeldOrder[]) => number[];
}

/** Runs in the browser: makes the app's checks of each response and returns the times in ms. Throws if one fails. */
globalThis.checkOrders = (keys, orders) => {
  const policy = parsePolicy(keys);
  return orders.map(({ asked, order, acceptance }) => {
    // The app already holds them as objects, so parsing them isn't part of the measured time.
    const wishes = revive(asked) as Asked;
    const begun = performance.now();
    const fault = checkAcceptance(portableHashes, policy, wishes, order, acceptance);
    const ms = performance.now() - begun;
    if (fault !== null) throw new Error(`a response failed the checks: ${fault}`);
    return ms;
  });
};

/** Restores integers and bytes that were written as `{n: "…"}` and `{b: "…"}`. */
function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== "object" || value === null) return value;
  if ("n" in value && typeof value.n === "string") return BigInt(value.n);
  if ("b" in value && typeof value.b === "string")
    return Uint8Array.from(value.b.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revive(each)]));
}
