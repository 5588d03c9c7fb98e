import { setFlagsFromString } from "node:v8";

/**
 * Has V8 make all objects in its young generation. While a batch is in flight everything made for its orders is alive: a collection
 * at that moment takes such objects for long-lived ones and has their kind made in the old generation from then on, where each
 * dead one keeps young ones alive until the next full collection. V8 reads this flag when a collection ends, so it may be
 * set while the program runs.
 */
export function keepObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
