import type { AgreedOrder, ClientId, MemberId, OrderId, OrderPayload, Refusal } from "@fairtick/domain";
import type { BatchProof } from "./batch-proof.ts";

/** An order request before it has an order id. */
export interface OrderWish {
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
  readonly payload: OrderPayload;
  /** Whether a sealed order's signature matches the device's key. A promise while another thread still examines it. */
  readonly isSigned: boolean | Promise<boolean>;
}

/** Proof of the batch, with the order's own nonces. Null if this process doesn't sign. */
export interface OrderProof {
  readonly batch: BatchProof;
  readonly nonces: Buffer;
}

/** Outcome of one order request. */
export type PlaceOutcome =
  | {
      readonly kind: "accepted";
      readonly order: AgreedOrder;
      readonly batchNo: bigint;
      readonly batchPlace: number;
      readonly proof: OrderProof | null;
    }
  /** The client id is already bound to an order with this payload; that order is returned again. */
  | { readonly kind: "known"; readonly orderId: OrderId }
  | { readonly kind: "refused"; readonly refusal: Refusal };
