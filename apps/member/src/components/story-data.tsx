import type { Instrument, Order } from "@fairtick/protocol";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Deposit } from "../data/deposits.ts";
import { useInstrument } from "../data/instruments.ts";
import type { Withdrawal } from "../data/withdrawals.ts";
import type { FieldState } from "../shared/use-form.ts";

/** Data for stories only. */
const NOON = Date.UTC(2026, 10, 24, 12);
/** So far ahead that nothing is reloaded. */
const LASTING_MS = 1e10;

export const ORDER: Order = {
  orderNo: "ord_01story",
  clientOrderId: "01890000-0000-7000-8000-000000000000",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  sealed: false,
  stake: "100.00",
  fee: "1.00",
  payoutRate: "0.85",
  limitPrice: null,
  duration: 60,
  state: "settled",
  outcome: "won",
  acceptedAt: NOON,
  entryAt: NOON + 500,
  entryPrice: "1.085012",
  expiresAt: NOON + 60_000,
  exitAt: NOON + 59_500,
  exitPrice: "1.085200",
  settledAt: NOON + 60_100,
  profit: "84.00",
  voidReason: null,
  configVersion: 1,
  serverTime: NOON,
};

export const DEPOSIT: Deposit = {
  depositNo: "dep_01story",
  method: "bank",
  state: "processing",
  stage: "awaiting_transfer",
  amount: "100.00",
  createdAt: NOON,
  stageAt: NOON,
  expiresAt: NOON + 14 * 86_400_000,
  reference: "FTX7K2M9QP4R",
  fiatAmount: "92.50",
  fiatCurrency: "EUR",
  card: {
    cardId: "crd_01",
    version: 1,
    bank: "Example Bank",
    bankCode: null,
    holder: "Fairtick Ltd",
    number: "DE89370400440532013000",
    note: "Transfers from your own account only.",
    rate: "0.925",
  },
};

export const WITHDRAWAL: Withdrawal = {
  withdrawNo: "wdr_01story",
  state: "processing",
  stage: "requested",
  currency: "USDT",
  amount: "50.00",
  fee: "1.00",
  receives: "49.00",
  chain: "test",
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  createdAt: NOON,
  stageAt: NOON,
  cancelable: true,
};

/** Renders with prepared `answers` by their keys. Anything else never loads. */
export function WithAnswers({
  answers,
  children,
}: {
  readonly answers: readonly (readonly [readonly unknown[], unknown])[];
  readonly children: ReactNode;
}) {
  const [client] = useState(() => {
    const made = new QueryClient({ defaultOptions: { queries: { retry: false, refetchInterval: false } } });
    for (const [key, answer] of answers) made.setQueryData(key, answer, { updatedAt: Date.now() + LASTING_MS });
    return made;
  });
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** Renders with an instrument as the running server sends it. */
export function WithInstrument({ children }: { readonly children: (instrument: Instrument) => ReactNode }) {
  const instrument = useInstrument("EURUSD");
  return instrument === undefined ? null : children(instrument);
}

/** The state of a standalone field. */
export function useField<Value>(first: Value, wrong?: string): FieldState<Value> {
  const [value, onChange] = useState(first);
  return { value, wrong, onChange };
}
