export { APP_VERSION } from "./app-version.ts";
export * from "./call.ts";
export * from "./calls/index.ts";
export * from "./catalogue.ts";
export * from "./envelope.ts";
export { fairness, type Fairness, fairnessDay, type FairnessDay } from "./fairness.ts";
export { LANGUAGE_CODES, EMAIL, PHONE, unitsOfDecimal, type Channel, type Interval } from "./fields.ts";
export * as fields from "./fields.ts";
export * from "./member-call.ts";
export type {
  Order,
  PlacedOrder,
  RevealedBare,
  RevealedOrder,
  Summary,
  Instrument,
  Candle,
  TickRow,
  UserInfo,
  SignedIn,
  Alert,
  Deposit,
  Withdrawal,
  Identity,
  Notice,
  NoticeSubject,
  SupportMessage,
} from "./shapes.ts";
export * as shapes from "./shapes.ts";
export * from "./stream.ts";
export * from "./topics.ts";
export * from "./validate.ts";
export {
  passkeyAnswer,
  type PasskeyAnswer,
  passkeyMade,
  type PasskeyMade,
  type PasskeyQuestion,
  type PasskeyWish,
} from "./webauthn.ts";
