export { depositRoutes } from "./deposit-routes.ts";
export { type AddressMaker, createAddressMaker } from "./derive-address.ts";
export { expireRemittances, startExpiring } from "./expire-remittances.ts";
export { refuseNewDeposit } from "./may-deposit.ts";
export { readDeposits } from "./list-deposits.ts";
export { type DepositContext } from "./show-address.ts";
export { parseDepositNo, formatDepositNo } from "./deposit-view.ts";
export { type CardRow, formatCardId, parseCardId, seedReceivingCards } from "./receiving-cards.ts";
