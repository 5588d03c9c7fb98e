import type { Order } from "@fairtick/protocol";
import { useEffect, useRef, useState } from "react";
import { reportFailure } from "../../../data/failures.ts";
import { refreshInstruments } from "../../../data/instruments.ts";
import { dropPending, isOwn, keepPending, readPending, type PendingOrder } from "../../../data/pending-order.ts";
import { findOrder, placeOrder } from "../../../data/trading.ts";
import { CallError } from "../../../data/transport.ts";
import { text } from "../../../shared/i18n.ts";
import { serverNow } from "../../../shared/server-clock.ts";

export type PlaceState =
  | { readonly step: "idle" }
  | { readonly step: "placing" }
  /** The server said no; no id is bound and nothing is held. */
  | { readonly step: "refused"; readonly error: CallError }
  /** No readable answer: the order may be running. `asking` while the same order is sent again. */
  | { readonly step: "cut"; readonly asking: boolean }
  /** A look-up after a long absence found no such order. */
  | { readonly step: "notPlaced" };

/** Waits between sending again the same order whose answer was cut. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];
/** Older than this, an unanswered order is looked for but not sent again: its terms were agreed to in another minute. */
const RESEND_MS_MAX = 60_000;

const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Whether the answer leaves open if the order was placed: a cut, a time-out, a fault, a busy server. */
function leavesOpen(error: CallError): boolean {
  if (error.kind === "network" || error.kind === "timeout") return true;
  return error.kind === "refused" && (error.code >= 500 || error.code === 429);
}

/**
 * Places an order so that a cut answer never makes two: its id is kept before the first send, every retry and a
 * reload carry the same one. `onPlaced` hears of the order, also of one that an earlier page had sent, and whether the
 * screen that sent it is still open.
 */
export function usePlaceOrder(onPlaced: (order: Order, isOpen: boolean) => void): {
  readonly state: PlaceState;
  readonly place: (order: PendingOrder) => void;
  readonly askAgain: () => void;
  readonly reset: () => void;
} {
  const [state, setState] = useState<PlaceState>({ step: "idle" });
  const placed = useRef(onPlaced);
  placed.current = onPlaced;
  const alive = useRef(true);

  /** The answer came when somebody else was logged in: neither it nor a refusal is theirs to see. */
  function leaveIt(): "done" {
    if (alive.current) setState({ step: "idle" });
    return "done";
  }

  async function sendOnce(order: PendingOrder, isFirst: boolean): Promise<"done" | "open"> {
    try {
      const answer = await placeOrder(order);
      dropPending(order);
      if (!isOwn(order)) return leaveIt();
      setState({ step: "idle" });
      placed.current(answer, alive.current);
      return "done";
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (!isOwn(order)) return leaveIt();
      // The tries that follow by themselves say nothing new.
      if (isFirst || !leavesOpen(error)) reportFailure(error, text("order.cut"));
      if (leavesOpen(error)) return "open";
      dropPending(order);
      if (error.failure?.error === "QUOTE_CHANGED") void refreshInstruments();
      if (alive.current) setState({ step: "refused", error });
      return "done";
    }
  }

  async function send(order: PendingOrder): Promise<void> {
    if ((await sendOnce(order, true)) === "done") return;
    for (const wait of RETRY_AFTER_MS) {
      if (!alive.current) return;
      setState({ step: "cut", asking: true });
      await pause(wait);
      if (!alive.current || !isOwn(order)) return;
      if ((await sendOnce(order, false)) === "done") return;
    }
    if (alive.current) setState({ step: "cut", asking: false });
  }

  async function lookFor(order: PendingOrder): Promise<void> {
    setState({ step: "cut", asking: true });
    try {
      const found = await findOrder(order);
      if (!isOwn(order)) {
        leaveIt();
        return;
      }
      dropPending(order);
      if (!alive.current) return;
      if (found === null) {
        setState({ step: "notPlaced" });
      } else {
        setState({ step: "idle" });
        placed.current(found, true);
      }
    } catch (error) {
      reportFailure(error, text("order.cutLonger"));
      if (alive.current) setState({ step: "cut", asking: false });
    }
  }

  function resume(order: PendingOrder): void {
    setState({ step: "cut", asking: true });
    void (serverNow() - order.sentAt < RESEND_MS_MAX ? send(order) : lookFor(order));
  }

  useEffect(() => {
    alive.current = true;
    const unanswered = readPending();
    if (unanswered !== null) resume(unanswered);
    return () => {
      alive.current = false;
    };
    // Once, when the screen opens: what an earlier page left unanswered.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return {
    state,
    place: (order) => {
      keepPending(order);
      setState({ step: "placing" });
      void send(order);
    },
    askAgain: () => {
      const unanswered = readPending();
      if (unanswered !== null) resume(unanswered);
    },
    reset: () => {
      setState({ step: "idle" });
    },
  };
}
