import type { LogReader } from "@fairtick/transparency";

const TIMEOUT_MS = 20_000;

/** Reads the public log over HTTP. Rejects for any failure except a missing file. */
export const publicLog: LogReader = {
  async read(path) {
    // Files that change bypass the cache; immutable ones may come from it.
    const changes = !/^(?:tile|prices|config)\//.test(path);
    const answer = await fetch(`${location.origin}/log/${path}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credentials: "omit",
      redirect: "error",
      ...(changes && { cache: "no-store" as const }),
    });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`/log/${path}: HTTP ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  },
};
