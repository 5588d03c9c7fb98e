/** How long `waitFor` and its like wait: they end what hangs, and on a busy machine the usual second is soon over. */
export const PATIENCE_MS = 30_000;

if (typeof document !== "undefined") {
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: PATIENCE_MS });
}
