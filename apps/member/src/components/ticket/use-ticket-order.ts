import type { Instrument, Order } from "@fairtick/protocol";
import { useEffect, useRef, useState } from "react";
import { useConnection } from "../../data/connection.ts";
import { storedMemberId } from "../../data/member-id.ts";
import { newClientId, type PendingOrder } from "../../data/pending-order.ts";
import { useSettings } from "../../data/settings.ts";
import { useQuote } from "../../data/trading.ts";
import { useWallet } from "../../data/wallet.ts";
import { typedDecimal } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { serverNow } from "../../shared/server-clock.ts";
import {
  calculateSummary,
  withTerms,
  type OrderTicket,
  type TicketError,
  type TicketMarket,
  type TicketSummary,
} from "./order-ticket.ts";
import { offerOneTap } from "./one-tap-offer.ts";
import type { PlaceState } from "./order-dispatch.ts";
import { refusalOnButton, refusalSentence } from "./refusal-words.ts";
import { usePlaceOrder } from "./use-place-order.ts";
import { useTicket, type Ticket, type TicketStart } from "./use-ticket.ts";

/**
 * After an order was sent at one press, another press within this time is the second of a double click. The order may
 * have been accepted by then, so that nothing else would stop a second one.
 */
const DOUBLE_PRESS_MS = 500;

/** The server's terms, if they differ from the ones on the screen. */
export interface ChangedTerms {
  readonly payoutRate: string;
  readonly fee: string;
}

/** Why nothing can be placed now: two or three words for a button, and a sentence. */
export interface OffReason {
  readonly words: string;
  readonly sentence: string;
  /** Whether the field that it concerns shows it. It is then repeated nowhere else, except after a press on the button. */
  readonly isAtField: boolean;
  /** Whether it is the connection, which no field or button says. */
  readonly isConnection?: boolean;
}

/** The terms needed to repeat an order. */
export type RepeatedOrder = Pick<Order, "direction" | "stake" | "duration" | "payoutRate" | "fee">;

/** A ticket and its actions up to a running order: everything that a ticket's parts are rendered from. */
export interface TicketOrder {
  readonly form: Ticket;
  /** The ticket's figures, under the server's terms once those differ. */
  readonly summary: TicketSummary;
  readonly changed: ChangedTerms | null;
  readonly state: PlaceState;
  /** Why the direction buttons are disabled; null while an order can be placed. */
  readonly off: OffReason | null;
  /** Whether a direction was chosen and waits for its confirmation. */
  readonly isConfirming: boolean;
  /**
   * Whether the direction was chosen on another screen, for example before the login. The confirmation must not take the
   * focus then, since the member hasn't pressed anything here.
   */
  readonly isLedHere: boolean;
  /** The direction whose confirmation was left last. Its button gets the focus. */
  readonly left: "up" | "down" | null;
  /** Chooses a direction: opens the confirmation, or places at once if the member turned it off. */
  readonly choose: (direction: "up" | "down") => void;
  /** Opens the confirmation of the ticket as it is. */
  readonly confirm: () => void;
  /** Places the ticket as it is shown. */
  readonly place: () => void;
  /** Places an earlier order's terms again at once, or opens the confirmation if rate or fee have changed since. */
  readonly repeat: (order: RepeatedOrder) => void;
  /** Leaves the confirmation. Nothing was held. */
  readonly leave: () => void;
  readonly allowDevice: (tradePassword: string) => void;
  readonly askAgain: () => void;
}

/**
 * One ticket for a product, with its state and actions.
 *
 * @param start what it opens with; `clearsDirection` for tickets that get their direction by placing: a direction in `start`
 *   opens the confirmation
 * @param onPlaced gets the order and whether the screen that sent it is still open
 */
export function useTicketOrder(
  instrument: Instrument,
  start: TicketStart & { readonly clearsDirection?: boolean },
  onPlaced: (order: Order, isOpen: boolean) => void,
): TicketOrder {
  const t = useText();
  const wallet = useWallet();
  const { confirmOrders } = useSettings();
  const { lostAt } = useConnection();
  const [isLedHere, setLedHere] = useState(start.clearsDirection === true && start.direction !== null);
  const [isAsked, setConfirming] = useState(isLedHere);
  const [left, setLeft] = useState<"up" | "down" | null>(null);
  const form = useTicket(instrument, start);
  const { tradePasswordSet } = form.market;
  const isConfirming = isAsked && (isLedHere ? tradePasswordSet === true : tradePasswordSet !== false);
  const placing = usePlaceOrder((order, isOpen) => {
    setConfirming(false);
    if (start.clearsDirection) form.change({ direction: null });
    offerOneTap();
    onPlaced(order, isOpen);
  });
  const { state } = placing;
  const shown = usePlaceable(instrument, form, state, isConfirming);
  const { summary, changed } = shown;
  const off = offReason(t, form.errors, instrument.decimals, lostAt !== null);

  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  const isSecondPress = () => performance.now() - sentAt.current < DOUBLE_PRESS_MS;
  const send = (ticket: OrderTicket, terms: TicketSummary) => {
    const order = orderOf(ticket, terms, { wallet, symbol: instrument.symbol });
    if (order === null) return;
    sentAt.current = performance.now();
    placing.place(order);
  };
  const change: Ticket["change"] = (changed) => {
    // The refusal was about the ticket before this change.
    if (state.step === "refused") placing.reset();
    form.change(changed);
  };
  const confirm = () => {
    placing.reset();
    setLedHere(false);
    setConfirming(true);
  };
  const leave = () => {
    // An order on its way can't be taken back, and its device may still have to be allowed here.
    if (start.clearsDirection && state.step === "placing") return;
    setLeft(form.ticket.direction);
    if (state.step === "refused" || state.step === "newDevice") placing.reset();
    if (start.clearsDirection) form.change({ direction: null });
    setConfirming(false);
  };
  useConfirmWhereAsked(state, setConfirming);
  return {
    form: { ...form, change },
    summary,
    changed,
    state,
    off,
    isConfirming,
    isLedHere,
    left,
    choose: (direction) => {
      if (isSecondPress()) return;
      form.change({ direction });
      if (confirmOrders) confirm();
      else send({ ...form.plain, direction }, summary);
    },
    confirm,
    place: () => send(form.plain, summary),
    repeat: (order) => {
      if (isSecondPress()) return;
      const { direction, stake, duration } = order;
      const again = repeatTerms(form.market, order);
      form.change({ direction, stake: typedDecimal(stake), duration, limitOn: false });
      if (again.isSame) send(again.ticket, again.summary);
      else confirm();
    },
    leave,
    allowDevice: placing.allowDevice,
    askAgain: placing.askAgain,
  };
}

/** Returns the order to send for a ticket under these terms; null if it is incomplete. */
function orderOf(
  { direction, duration, limitOn, limitPrice }: OrderTicket,
  { stake, payoutRate, fee }: TicketSummary,
  of: Pick<PendingOrder, "wallet" | "symbol">,
): PendingOrder | null {
  if (direction === null || duration === null || stake === null || payoutRate === null || fee === null) return null;
  return {
    clientOrderId: newClientId(),
    member: storedMemberId(),
    ...of,
    direction,
    stake,
    duration,
    ...(limitOn && { limitPrice }),
    // The terms as shown. If others are in force at acceptance, the order is refused with QUOTE_CHANGED.
    payoutRate,
    fee,
    sentAt: Math.floor(serverNow()),
  };
}

/** Opens the confirmation if a device must be authorized or terms have changed, because it handles both. */
function useConfirmWhereAsked(state: PlaceState, setConfirming: (on: boolean) => void): void {
  const open = useRef(setConfirming);
  const asks =
    state.step === "newDevice" || (state.step === "refused" && state.error.failure?.error === "QUOTE_CHANGED");
  useEffect(() => {
    if (asks) open.current(true);
  }, [asks]);
}

/** The terms that an order would be sent with now: the ticket's own, or the server's if they differ. */
function usePlaceable(
  { symbol }: Instrument,
  form: Ticket,
  state: PlaceState,
  isConfirming: boolean,
): { readonly summary: TicketSummary; readonly changed: ChangedTerms | null } {
  const wallet = useWallet();
  const { duration } = form.ticket;
  const { stake } = form.summary;
  const isAsked = isConfirming && duration !== null && stake !== null && form.errors.length === 0;
  const quote = useQuote(isAsked ? { symbol, wallet, stake, duration } : null).data;
  const changed = changedTerms(state, quote, form.summary);
  return { summary: changed === null ? form.summary : withTerms(form.summary, changed), changed };
}

/** Returns the server's terms if they differ from the ones on the screen; otherwise null. */
function changedTerms(state: PlaceState, quote: ChangedTerms | undefined, summary: TicketSummary): ChangedTerms | null {
  const failure = state.step === "refused" ? state.error.failure : null;
  if (failure?.error === "QUOTE_CHANGED") {
    const { payoutRate, fee } = failure.params ?? {};
    if (typeof payoutRate === "string" && typeof fee === "string") return { payoutRate, fee };
  }
  return quote !== undefined && summary.stake !== null && !areSame(quote, summary)
    ? { payoutRate: quote.payoutRate, fee: quote.fee }
    : null;
}

function areSame(
  one: ChangedTerms,
  other: { readonly payoutRate: string | null; readonly fee: string | null },
): boolean {
  return Number(one.payoutRate) === Number(other.payoutRate) && Number(one.fee) === Number(other.fee);
}

/** Returns an earlier order's terms as a current ticket, and whether they still pay and cost the same. */
function repeatTerms(
  market: TicketMarket,
  { direction, stake, duration, payoutRate, fee }: RepeatedOrder,
): { readonly ticket: OrderTicket; readonly summary: TicketSummary; readonly isSame: boolean } {
  const ticket: OrderTicket = { direction, stake, duration, limitOn: false, limitPrice: "" };
  const summary = calculateSummary(ticket, market);
  return { ticket, summary, isSame: summary.stake !== null && areSame({ payoutRate, fee }, summary) };
}

/** Returns why nothing can be placed, the connection first. A missing direction doesn't count. */
function offReason(t: Text, errors: readonly TicketError[], decimals: number, isLost: boolean): OffReason | null {
  if (isLost)
    return { words: t("ticket.offline"), sentence: t("ticket.offline"), isAtField: false, isConnection: true };
  const first = errors.find(({ field }) => field !== "direction");
  if (first === undefined) return null;
  return {
    words: refusalOnButton(t, first),
    sentence: refusalSentence(t, first, decimals),
    isAtField: first.field === "stake" || first.field === "limitPrice",
  };
}
