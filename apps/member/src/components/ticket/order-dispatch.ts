import type { Order } from "@fairtick/protocol";
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
  /** The server refused. The id isn't used up and nothing is held. */
  | { readonly step: "refused"; readonly error: CallError }
  /**
   * The member has another device, so this one needs their transaction password. `wrong` says what was wrong with it.
   */
  | { readonly step: "newDevice"; readonly wrong: string | null }
  /** No readable answer, so the order may be running. `asking` while the same order is sent again. */
  | { readonly step: "cut"; readonly asking: boolean }
  /** A look-up after a long absence found no such order. */
  | { readonly step: "notPlaced" };

/** Delays before an unanswered order is sent again. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];
/** Older than this, an unanswered order is only looked up, not sent again: its terms were agreed to too long ago. */
const RESEND_MS_MAX = 60_000;

const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * Returns whether the order may have been placed despite the error: a lost connection, a time-out, a fault, a busy
 * server.
 */
function leavesOpen(error: CallError): boolean {
  if (error.kind === "network" || error.kind === "timeout") return true;
  return error.kind === "refused" && (error.code >= 500 || error.code === 429);
}

/** Returns whether the transaction password was wrong or is locked. */
function isAboutPassword({ failure }: CallError): boolean {
  const name = failure?.error ?? "";
  return name.startsWith("TRADE_PASSWORD_") || failure?.fields["tradePassword"] !== undefined;
}

/** Converts the reason why nothing was sent to a refusal with a message. */
function unsealedError(fault: unknown): CallError {
  if (fault instanceof CallError) return fault;
  if (fault instanceof NoKeysHere) return new CallError("refused", text("order.noKeys"));
  if (fault instanceof ShelfClosed) return new CallError("refused", text("order.noShelf"));
  if (fault instanceof NoHead) return new CallError("refused", text("errors.PRICE_STALE"));
  throw fault;
}

/**
 * Sends an order so that a lost answer never leads to a second one: its id is stored before the first send, and every
 * retry and reload uses the same one. It belongs to one screen, from `open` until the function that returns is called.
 * After that, an order being sent continues, but its state is no longer reported.
 */
export class OrderDispatch {
  #state: PlaceState = { step: "idle" };
  #isOpen = false;
  #onPlaced: (order: Order, isOpen: boolean) => void = () => undefined;
  readonly #watchers = new Set<() => void>();

  readonly state = (): PlaceState => this.#state;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /**
   * Sets the callback for each placed order, including those sent by an earlier page, with whether the screen is still
   * open.
   */
  tell(onPlaced: (order: Order, isOpen: boolean) => void): void {
    this.#onPlaced = onPlaced;
  }

  /** Opens the screen and continues with an order that an earlier page left unanswered. */
  open(): () => void {
    this.#isOpen = true;
    this.askAgain();
    return () => {
      this.#isOpen = false;
    };
  }

  place(order: PendingOrder): void {
    keepPending(order);
    this.#set({ step: "placing" });
    void this.#send(order);
  }

  /** Continues with the order that waits for the transaction password. */
  allowDevice(tradePassword: string): void {
    const waiting = readPending();
    if (waiting === null) return;
    this.#set({ step: "placing" });
    void this.#send(waiting, tradePassword);
  }

  askAgain(): void {
    const unanswered = readPending();
    if (unanswered === null) return;
    this.#set({ step: "cut", asking: true });
    void (serverNow() - unanswered.sentAt < RESEND_MS_MAX ? this.#send(unanswered) : this.#lookFor(unanswered));
  }

  reset(): void {
    // An order that waits for the password hasn't been sent.
    if (this.#state.step === "newDevice") dropPending();
    this.#set({ step: "idle" });
  }

  #set(state: PlaceState): void {
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }

  #setIfOpen(state: PlaceState): "done" {
    if (this.#isOpen) this.#set(state);
    return "done";
  }

  async #send(order: PendingOrder, password?: string): Promise<void> {
    if ((await this.#sendOnce(order, true, password)) === "done") return;
    for (const wait of RETRY_AFTER_MS) {
      if (!this.#isOpen) return;
      this.#set({ step: "cut", asking: true });
      await pause(wait);
      if (!this.#isOpen || !isOwn(order)) return;
      if ((await this.#sendOnce(order, false)) === "done") return;
    }
    this.#setIfOpen({ step: "cut", asking: false });
  }

  async #sendOnce(order: PendingOrder, isFirst: boolean, password?: string): Promise<"done" | "open"> {
    try {
      const answer = await placeOrder(order, password);
      dropPending(order);
      if (!isOwn(order)) return this.#leave();
      this.#set({ step: "idle" });
      this.#onPlaced(answer, this.#isOpen);
      return "done";
    } catch (fault) {
      if (!isOwn(order)) return this.#leave();
      if (fault instanceof DeviceNeedsPassword) return this.#setIfOpen({ step: "newDevice", wrong: null });
      const error = unsealedError(fault);
      if (isAboutPassword(error)) return this.#setIfOpen({ step: "newDevice", wrong: error.message });
      if (error.failure?.error === "DEVICE_UNKNOWN" && password === undefined) return this.#sendAsNewDevice(order);
      // Automatic retries don't report the same failure again.
      if (isFirst || !leavesOpen(error)) reportFailure(error, text("order.cut"));
      if (leavesOpen(error)) return "open";
      dropPending(order);
      await noteRefused(order.clientOrderId, error.failure?.refusal !== undefined);
      if (error.failure?.error === "QUOTE_CHANGED") void refreshInstruments();
      return this.#setIfOpen({ step: "refused", error });
    }
  }

  /** Sends the order with a new device key, because the device in this browser was removed. */
  async #sendAsNewDevice(order: PendingOrder): Promise<"done" | "open"> {
    await forgetOwnDevice(order.member);
    return this.#sendOnce(order, true);
  }

  /** Ignores an answer that came after someone else logged in, because it isn't theirs to see. */
  #leave(): "done" {
    return this.#setIfOpen({ step: "idle" });
  }

  async #lookFor(order: PendingOrder): Promise<void> {
    try {
      const found = await findOrder(order);
      if (!isOwn(order)) {
        this.#leave();
        return;
      }
      dropPending(order);
      if (!this.#isOpen) return;
      if (found === null) {
        this.#set({ step: "notPlaced" });
      } else {
        this.#set({ step: "idle" });
        this.#onPlaced(found, true);
      }
    } catch (error) {
      reportFailure(error, text("order.cutLonger"));
      this.#setIfOpen({ step: "cut", asking: false });
    }
  }
}
