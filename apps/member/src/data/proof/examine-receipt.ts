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

/** What is known beside a receipt: see `verifyReceipt`. */
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
/** Null where this browser starts none. */
let worker: Worker | null | undefined;

/**
 * Makes the receipt's own checks in a thread of their own, so that nothing on the page waits for them: the beacon's rounds of a minute
 * take a tenth of a second, and a slow phone half of one. Where there is no such thread they are made here.
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

/** The thread did not start, or broke: the page makes the checks from now on. */
function examineAllHere(): void {
  worker?.terminate();
  worker = null;
  const left = [...waiting.values()];
  waiting.clear();
  for (const { request, answer } of left) answer(examineHere(request));
}
