import { portableHashes, verifyReceipt } from "@fairtick/transparency";
import type { ExamineAnswer, ExamineRequest } from "./examine-receipt.ts";

// The worker of `examine-receipt.ts`.
globalThis.addEventListener("message", ({ data }: MessageEvent<ExamineRequest>) => {
  const { id, receipt, policy, beside } = data;
  const answer: ExamineAnswer = { id, checks: verifyReceipt(portableHashes, receipt, policy, beside) };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  globalThis.postMessage(answer);
});
