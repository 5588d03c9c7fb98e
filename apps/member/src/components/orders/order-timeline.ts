import type { Order } from "@fairtick/protocol";

/** An event in an order's timeline, past or still to come. */
export interface OrderEvent {
  readonly kind: "accepted" | "entry" | "delivery" | "exit" | "settled";
  /** Ms; null if it is still to come at an unknown time. */
  readonly at: number | null;
  /** Ms since the previous event; null for the first one and for those to come. */
  readonly afterMs: number | null;
  readonly later: boolean;
}

/**
 * Returns an order's events: accepted → entry → exit → settled. While it runs, the delivery is in the exit's place. An
 * order voided without an entry or exit tick lacks that event.
 */
export function timelineOf(order: Order): readonly OrderEvent[] {
  const settled = order.state === "settled";
  const steps: { kind: OrderEvent["kind"]; at: number | null; later: boolean }[] = [
    { kind: "accepted", at: order.acceptedAt, later: false },
  ];
  if (order.entryAt !== null) steps.push({ kind: "entry", at: order.entryAt, later: false });
  else if (!settled) steps.push({ kind: "entry", at: null, later: true });
  if (order.exitAt !== null) steps.push({ kind: "exit", at: order.exitAt, later: false });
  else if (!settled) steps.push({ kind: "delivery", at: order.expiresAt, later: true });
  steps.push({ kind: "settled", at: order.settledAt, later: !settled });
  return steps.map((step, place) => {
    const before = steps[place - 1]?.at ?? null;
    const afterMs = step.later || step.at === null || before === null ? null : step.at - before;
    return { kind: step.kind, at: step.at, later: step.later, afterMs };
  });
}
