/** A call that index.html made before the app ran, written by `vite/first-paint.ts`. */
export interface EarlyCall {
  /** Such as `market/instruments`; without any fields. */
  readonly path: string;
  /** The headers it was sent with. */
  readonly lang: string;
  readonly token: string | null;
  readonly answer: Promise<Response>;
}

declare global {
  var fairtickEarly: EarlyCall | undefined;
}

/**
 * Sends a request, or takes the answer to the same call that the page made before the app ran: a slow phone spends a second
 * loading the app first. An answer is taken once, and only if member and language are still the same.
 */
export async function sendOrTake(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const early = globalThis.fairtickEarly;
  if (early === undefined || input !== `/client/${early.path}`) return fetch(input, init);
  globalThis.fairtickEarly = undefined;
  const headers = new Headers(init.headers);
  const isSame = headers.get("Lang") === early.lang && headers.get("exchange2508Token") === early.token;
  if (!isSame) return fetch(input, init);
  return Promise.race([early.answer, rejectedBy(init.signal)]);
}

/** Returns a promise that rejects once the signal aborts, because the early request has none. */
function rejectedBy(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
