import type { AgreedOrder, ClientId, MemberId, OrderId, OrderPayload, Refusal } from "@fairtick/domain";
import type { BatchProof } from "./batch-proof.ts";

/** What a member asks for, before it has an order id. */
export interface OrderWish {
  readonly memberId: MemberId;
  readonly clientOrderId: ClientId;
  readonly payload: OrderPayload;
  /** Of a sealed wish, whether its device's key made its signature. */
  readonly isSigned: boolean;
}

/** The batch's proof and the order's own nonces; null where this process signs nothing. */
export interface OrderProof {
  readonly batch: BatchProof;
  readonly nonces: Buffer;
}

/** How the batch ended for one wish. */
export type PlaceOutcome =
  | {
      readonly kind: "accepted";
      readonly order: AgreedOrder;
      readonly batchNo: bigint;
      readonly batchPlace: number;
      readonly proof: OrderProof | null;
    }
  /** The client id is bound to an order of this payload: the same order again. */
  | { readonly kind: "known"; readonly orderId: OrderId }
  | { readonly kind: "refused"; readonly refusal: Refusal };
