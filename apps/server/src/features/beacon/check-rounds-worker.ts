import { parentPort } from "node:worker_threads";
import { nodeHashes } from "@fairtick/domain/node";
import { wrongRounds } from "@fairtick/transparency";
import type { CheckAnswer, CheckRequest } from "./check-rounds.ts";

// Worker thread of `check-rounds.ts`, because each pairing takes tens of milliseconds.
parentPort?.on("message", ({ id, publicKey, rounds }: CheckRequest) => {
  const wrong = wrongRounds(nodeHashes, publicKey, rounds);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage({ id, wrong } satisfies CheckAnswer);
});
