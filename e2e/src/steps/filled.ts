import { randomUUID } from "node:crypto";
import {
  alertCreate,
  depositBank,
  depositCards,
  depositList,
  type Order,
  supportSend,
  withdrawCreate,
} from "@fairtick/protocol";
import { LIVELY, STEADY } from "./market.ts";
import { type Member, placeByCall, TRADE_PASSWORD, valueOf } from "./members.ts";
import { giveReal, newWallet } from "./real-money.ts";

/** Places two running orders and one that is voided at once, so that lists have rows. */
export async function fillMember(member: Member): Promise<{ readonly running: Order; readonly voided: Order }> {
  const long = { symbol: LIVELY.symbol, direction: "up", stake: "123.45", duration: 3600 } as const;
  const running = await placeByCall(member, long);
  await placeByCall(member, { ...long, direction: "down", stake: "1000.00" });
  const voided = await placeByCall(member, {
    symbol: STEADY.symbol,
    direction: "up",
    stake: "7.00",
    limitPrice: "100.0000",
  });
  return { running, voided };
}

export interface Money {
  readonly depositNo: string;
  /** Number of a withdrawal that waits for approval. */
  readonly withdrawNo: string;
}

/** Creates a pending deposit, remittance and withdrawal, an alert and a message to customer service. */
export async function fillMoney(member: Member): Promise<Money> {
  const { client } = member;
  await giveReal(member, "900");
  const deposits = valueOf(await client.call(depositList, {}));
  const [card] = valueOf(await client.call(depositCards, { region: "DE", currency: "EUR" }));
  valueOf(await client.call(depositBank, { cardId: card?.cardId ?? "", amount: "250.00", clientId: randomUUID() }));
  const { withdrawNo } = valueOf(
    await client.call(withdrawCreate, {
      chain: "test",
      address: newWallet(),
      amount: "700",
      tradePassword: TRADE_PASSWORD,
      clientId: randomUUID(),
    }),
  );
  valueOf(
    await client.call(alertCreate, {
      symbol: STEADY.symbol,
      price: "199.000",
      direction: "up",
      clientId: randomUUID(),
    }),
  );
  valueOf(await client.call(supportSend, { text: "EUR/USD 12.34", topic: "order", clientId: randomUUID() }));
  return { depositNo: deposits.items[0]?.depositNo ?? "", withdrawNo };
}
