import type { LogReader } from "@fairtick/transparency";

const TIMEOUT_MS = 20_000;

/** The public log as this browser fetches it. Rejects for anything but "not there". */
export const publicLog: LogReader = {
  async read(path) {
    // What changes is asked for anew; what never changes may come from the browser's own store.
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
