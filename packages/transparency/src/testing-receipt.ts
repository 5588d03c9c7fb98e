import { calculateResult, formerOrderJson, privateJson, termsJson, termsOf, toHex, type Tick } from "@fairtick/domain";
import { signBatchRoot, signSlotHead } from "./acceptance.ts";
import { toBase64 } from "./base64.ts";
import type { Decided } from "./decide-order.ts";
import { ED25519_TYPE, signerKey } from "./keys.ts";
import { TEST_DEVICE } from "./testing-device.ts";
import type { Quotes } from "./testing-quotes.ts";
import { byMinute, configBody, linesOf, MINUTE, type Placed } from "./testing-house.ts";
import type { Slot } from "./testing-slots.ts";

// For tests: an order's receipt from an honest house.

export const ORIGIN = "fairtick.example/log";
export const acceptanceKey = signerKey(`${ORIGIN}/acceptance`, ED25519_TYPE, new Uint8Array(32).fill(2));

export interface ReceiptParts {
  readonly placed: readonly Placed[];
  readonly ticks: ReadonlyMap<string, readonly Tick[]>;
  readonly slots: readonly Slot[];
  readonly quotes: Quotes | null;
  /** True if the log names the sources of prices. */
  readonly isStated: boolean;
  /** Returns the first entry of a kind for which `holds` is true, with its proof. */
  readonly logged: (kind: string, holds?: (text: string) => boolean) => Promise<{ entry: string; proof: string }>;
}

export async function makeReceipt(parts: ReceiptParts, index: number): Promise<Record<string, unknown>> {
  const { placed, ticks, slots, logged } = parts;
  const mine = placed[index];
  const decided = mine?.decided;
  if (mine === undefined || decided === undefined || decided === null) throw new Error(`no settled order ${index}`);
  const { order, batch, place } = mine;
  const isFormer = batch.version === 1;
  const all = ticks.get(order.symbol) ?? [];
  const ends = [mine.acceptedAt, decided.entry?.time, decided.exit?.time, decided.exit && decided.exit.time + 500n];
  const minutes = [...byMinute(all)].filter(([minute]) =>
    ends.some((time) => time && time >= minute && time < minute + MINUTE),
  );
  const slotAt = (tick: Tick | null) => slots.find((slot) => slot.time === tick?.time) ?? null;
  const bound = slots.find((slot) => slot.roots.includes(batch.root));
  if (bound === undefined) throw new Error("not bound");
  const { sealed } = order;
  const seen = sealed === null ? null : slots.find(({ k }) => k === Number(sealed.seenSlot));
  const shown = [bound, slotAt(decided.entry), slotAt(decided.exit), ...(seen ? [seen] : [])];
  const { profit, credit } = calculateResult(order, decided.outcome);
  return {
    ...(isFormer ? formerTexts(mine) : await presentTexts(mine, logged)),
    acceptance: {
      ...(!isFormer && { accepted: batch.commitments.length }),
      acceptedAt: Number(mine.acceptedAt),
      batch: batch.number,
      commitment: toHex(batch.commitments[place] ?? new Uint8Array(32)),
      count: batch.commitments.length,
      key: toHex(acceptanceKey.verifier.id),
      path: batch.tree.pathOf(place).map(toHex),
      place,
      root: toHex(batch.root),
      signature: toBase64(signBatchRoot(acceptanceKey, batch.root)),
    },
    config: { body: configBody, logged: await logged("config") },
    accepted: await logged("orders.accept", (text) => text.includes(`"batch":${batch.number},`)),
    result: {
      credit: Number(credit),
      entry: tickJson(decided.entry),
      exit: tickJson(decided.exit),
      outcome: decided.outcome,
      profit: Number(profit),
      voidReason: decided.voidReason,
    },
    settled: await logged("orders.settle", (text) => holdsOrder(text, batch.number, place)),
    slots: {
      bound: slotJson(bound),
      entry: slotJson(shown[1]),
      exit: slotJson(shown[2]),
      ...(seen && { seen: slotJson(seen) }),
      logged: await Promise.all(
        [...new Set(shown.map((slot) => Math.floor(((slot ?? bound).k - 1) / 120)))].map((nth) =>
          logged("heads", (text) => text.includes(`"from":${nth * 120 + 1},`)),
        ),
      ),
    },
    minutes: await Promise.all(
      minutes.map(async ([minute, held]) => ({
        lines: linesOf(held),
        logged: await logged("ticks", (text) => text.includes(`"symbol":"${order.symbol}","time":${minute},`)),
      })),
    ),
    ...(parts.isStated && {
      sources: [await logged("source", (text) => text.includes(`"symbol":"${order.symbol}"`))],
    }),
    ...(parts.quotes?.symbol === order.symbol
      ? { epochs: [], source: "outside", quotes: await quotesOf(parts.quotes, parts.logged, decided) }
      : { epochs: [await epochOf(logged)], source: "SM1" }),
  };
}

function holdsOrder(entry: string, batch: number, place: number): boolean {
  const { orders } = JSON.parse(entry) as { orders: { batch: number; place: number }[] };
  return orders.some((each) => each.batch === batch && each.place === place);
}

function formerTexts({ order, openings }: Placed): Record<string, unknown> {
  return { v: 1, order: formerOrderJson(order), nonce: toHex(openings.terms) };
}

async function presentTexts(
  { order, choice, isRevealed, openings, acceptedAt }: Placed,
  logged: ReceiptParts["logged"],
): Promise<Record<string, unknown>> {
  const opened = { ...choice, limitPrice: choice.limitPrice === null ? null : Number(choice.limitPrice) };
  return {
    v: 2,
    terms: { json: termsJson(termsOf(order)), nonce: toHex(openings.terms) },
    own: { json: privateJson(order), nonce: toHex(openings.own) },
    seal:
      order.sealed === null
        ? null
        : {
            device: {
              key: toBase64(TEST_DEVICE.key),
              logged: await logged("device.add"),
              nonce: toHex(TEST_DEVICE.nonce),
            },
            opened: isRevealed
              ? { ...opened, nonce: toHex(openings.seal), revealedAt: Number(acceptedAt) + 1_000 }
              : null,
          },
  };
}

async function epochOf(logged: ReceiptParts["logged"]): Promise<Record<string, unknown>> {
  return {
    commit: await logged("epoch.commit"),
    open: await logged("epoch.open"),
    params: await logged("params"),
    reveal: await logged("epoch.reveal"),
  };
}

async function quotesOf(
  quotes: Quotes,
  logged: ReceiptParts["logged"],
  { entry, exit }: Decided,
): Promise<Record<string, unknown>[]> {
  const params = await logged("params.pyth");
  return [entry, exit].filter((tick) => tick !== null).map((tick) => Object.assign(quotes.shown(tick), { params }));
}

function tickJson(tick: Tick | null): Record<string, number> | null {
  return tick === null ? null : { price: Number(tick.price), seq: Number(tick.seq), time: Number(tick.time) };
}

function slotJson(slot: Slot | null | undefined): Record<string, unknown> | null {
  if (slot === null || slot === undefined) return null;
  return {
    hash: toHex(slot.hash),
    k: slot.k,
    key: toHex(acceptanceKey.verifier.id),
    lines: slot.lines,
    previous: toHex(slot.previous),
    roots: slot.roots.map(toHex),
    signature: toBase64(signSlotHead(acceptanceKey, slot.k, slot.hash)),
  };
}
