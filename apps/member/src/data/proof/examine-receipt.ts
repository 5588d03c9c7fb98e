import {
  portableHashes,
  type Receipt,
  type ReceiptCheck,
  type VerifierPolicy,
  verifyReceipt,
} from "@fairtick/transparency";
import { trustedScript } from "../../shared/trusted-script.ts";
// oxlint-disable-next-line import/default -- the bundler makes it: where the built thread is served
import workerAddress from "./examine-worker.ts?worker&url";

/** What is known in addition to a receipt: see `verifyReceipt`. */
export type Beside = NonNullable<Parameters<typeof verifyReceipt>[3]>;

export interface ExamineRequest {
  readonly id: number;
  readonly receipt: Receipt;
  readonly policy: VerifierPolicy;
  readonly beside: Beside;
}

export interface ExamineAnswer {
  readonly id: number;
  readonly checks: readonly ReceiptCheck[];
}

interface Waiting {
  readonly request: ExamineRequest;
  readonly answer: (checks: readonly ReceiptCheck[]) => void;
}

const waiting = new Map<number, Waiting>();
let newest = 0;
/** Null if this browser can't start one. */
let worker: Worker | null | undefined;

/**
 * Runs a receipt's checks in a worker so that they don't block the page: verifying a minute of beacon rounds takes a
 * tenth of a second, and half a second on a slow phone. Without a worker they run here.
 */
export function examineReceipt(
  receipt: Receipt,
  policy: VerifierPolicy,
  beside: Beside = {},
): Promise<readonly ReceiptCheck[]> {
  worker ??= begin();
  newest += 1;
  const request = { id: newest, receipt, policy, beside };
  if (worker === null) return Promise.resolve(examineHere(request));
  const { promise, resolve } = Promise.withResolvers<readonly ReceiptCheck[]>();
  waiting.set(newest, { request, answer: resolve });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  worker.postMessage(request);
  return promise;
}

function examineHere({ receipt, policy, beside }: ExamineRequest): ReceiptCheck[] {
  return verifyReceipt(portableHashes, receipt, policy, beside);
}

function begin(): Worker | null {
  try {
    const begun = new Worker(trustedScript(workerAddress), { type: "module" });
    begun.addEventListener("message", ({ data }: MessageEvent<ExamineAnswer>) => {
      waiting.get(data.id)?.answer(data.checks);
      waiting.delete(data.id);
    });
    begun.addEventListener("error", examineAllHere);
    begun.addEventListener("messageerror", examineAllHere);
    return begun;
  } catch {
    return null;
  }
}

/** Runs all checks on the page from now on, because the worker failed to start or crashed. */
function examineAllHere(): void {
  worker?.terminate();
  worker = null;
  const left = [...waiting.values()];
  waiting.clear();
  for (const { request, answer } of left) answer(examineHere(request));
}
