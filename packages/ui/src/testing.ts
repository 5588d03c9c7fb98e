/**
 * Time limit of `waitFor` and similar functions. It only ends tests that hang; the default of a second is too short on
 * a busy machine.
 */
export const PATIENCE_MS = 30_000;

if (typeof document !== "undefined") {
  // jsdom lacks IndexedDB, which stores keys.
  await import("fake-indexeddb/auto");
  // It also lacks WebCrypto, which makes them.
  const { webcrypto } = await import("node:crypto");
  if ((globalThis.crypto as Partial<Crypto>).subtle === undefined)
    Object.defineProperty(globalThis, "crypto", { value: webcrypto, configurable: true });
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: PATIENCE_MS });
}
