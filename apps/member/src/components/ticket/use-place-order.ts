import type { Order } from "@fairtick/protocol";
import { useEffect, useRef, useState } from "react";
import { reportFailure } from "../../data/failures.ts";
import { refreshInstruments } from "../../data/instruments.ts";
import { dropPending, isOwn, keepPending, readPending, type PendingOrder } from "../../data/pending-order.ts";
import { findOrder, placeOrder } from "../../data/place-order.ts";
import { noteRefused } from "../../data/sealed/open-orders.ts";
import { DeviceNeedsPassword, forgetOwnDevice, NoKeysHere } from "../../data/sealed/own-device.ts";
import { NoHead } from "../../data/sealed/place-sealed.ts";
import { ShelfClosed } from "../../data/sealed/shelf.ts";
import { CallError } from "../../data/transport.ts";
import { text } from "../../shared/i18n.ts";
import { serverNow } from "../../shared/server-clock.ts";

export type PlaceState =
  | { readonly step: "idle" }
  | { readonly step: "placing" }
  /** The server said no; no id is bound and nothing is held. */
  | { readonly step: "refused"; readonly error: CallError }
  /** The member has another device: this one signs nothing before their transaction password. `wrong` says what was wrong with it. */
  | { readonly step: "newDevice"; readonly wrong: string | null }
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

/** Whether the transaction password was wrong, or is locked. */
function isAboutPassword({ failure }: CallError): boolean {
  const name = failure?.error ?? "";
  return name.startsWith("TRADE_PASSWORD_") || failure?.fields["tradePassword"] !== undefined;
}

/** Why nothing was sent, as a refusal with the sentence to show. */
function unsealedError(fault: unknown): CallError {
  if (fault instanceof CallError) return fault;
  if (fault instanceof NoKeysHere) return new CallError("refused", text("order.noKeys"));
  if (fault instanceof ShelfClosed) return new CallError("refused", text("order.noShelf"));
  if (fault instanceof NoHead) return new CallError("refused", text("errors.PRICE_STALE"));
  throw fault;
}

/**
 * Places an order so that a cut answer never makes two: its id is kept before the first send, every retry and a
 * reload carry the same one. `onPlaced` hears of the order, also of one that an earlier page had sent, and whether the
 * screen that sent it is still open.
 */
export function usePlaceOrder(onPlaced: (order: Order, isOpen: boolean) => void): {
  readonly state: PlaceState;
  readonly place: (order: PendingOrder) => void;
  /** Goes on with the order that waits for the transaction password. */
  readonly allowDevice: (tradePassword: string) => void;
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

  async function sendOnce(order: PendingOrder, isFirst: boolean, password?: string): Promise<"done" | "open"> {
    try {
      const answer = await placeOrder(order, password);
      dropPending(order);
      if (!isOwn(order)) return leaveIt();
      setState({ step: "idle" });
      placed.current(answer, alive.current);
      return "done";
    } catch (fault) {
      if (!isOwn(order)) return leaveIt();
      if (fault instanceof DeviceNeedsPassword) return askForPassword(null);
      const error = unsealedError(fault);
      if (isAboutPassword(error)) return askForPassword(error.message);
      if (error.failure?.error === "DEVICE_UNKNOWN" && password === undefined) return await sendAsNewDevice(order);
      // The tries that follow by themselves say nothing new.
      if (isFirst || !leavesOpen(error)) reportFailure(error, text("order.cut"));
      if (leavesOpen(error)) return "open";
      dropPending(order);
      await noteRefused(order.clientOrderId);
      if (error.failure?.error === "QUOTE_CHANGED") void refreshInstruments();
      if (alive.current) setState({ step: "refused", error });
      return "done";
    }
  }

  function askForPassword(wrong: string | null): "done" {
    if (alive.current) setState({ step: "newDevice", wrong });
    return "done";
  }

  /** The device in this browser was removed: the order goes on with a new one. */
  async function sendAsNewDevice(order: PendingOrder): Promise<"done" | "open"> {
    await forgetOwnDevice(order.member);
    return sendOnce(order, true);
  }

  async function send(order: PendingOrder, password?: string): Promise<void> {
    if ((await sendOnce(order, true, password)) === "done") return;
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
    allowDevice: (tradePassword) => {
      const waiting = readPending();
      if (waiting === null) return;
      setState({ step: "placing" });
      void send(waiting, tradePassword);
    },
    askAgain: () => {
      const unanswered = readPending();
      if (unanswered !== null) resume(unanswered);
    },
    reset: () => {
      // Nothing was sent of an order that waits for the password.
      if (state.step === "newDevice") dropPending();
      setState({ step: "idle" });
    },
  };
}
