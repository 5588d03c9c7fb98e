/** How long `waitFor` and its like wait: they end what hangs, and on a busy machine the usual second is soon over. */
export const PATIENCE_MS = 30_000;

if (typeof document !== "undefined") {
  // What browsers have and jsdom has not: a place that holds keys.
  await import("fake-indexeddb/auto");
  // And the means to make them.
  const { webcrypto } = await import("node:crypto");
  if ((globalThis.crypto as Partial<Crypto>).subtle === undefined)
    Object.defineProperty(globalThis, "crypto", { value: webcrypto, configurable: true });
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: PATIENCE_MS });
}
