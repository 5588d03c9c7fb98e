import type { AgreedOrder, ClientId, MemberId, OrderId, OrderPayload, Refusal } from "@fairtick/domain";
import type { BatchProof } from "./batch-proof.ts";

/** An order request before it has an order id. */
export interface OrderWish {
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
  readonly payload: OrderPayload;
  /** For a sealed order: whether its signature matches the device's key. A promise while another thread still examines it. */
  readonly isSigned: boolean | Promise<boolean>;
}

/** Proof of the batch and the order's own nonces; null if this process does not sign. */
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
