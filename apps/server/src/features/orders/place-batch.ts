import { randomBytes } from "node:crypto";
import { batchCommitments, type Instant, merkleTreeOfHashes, ORDER_NONCES_BYTES } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import { constraintOf } from "../../platform/database-errors.ts";
import { bigintOf, COMMIT, type Lane, ROLLBACK, type Step } from "../../platform/lane.ts";
import { addExposureStep, writeMoneySteps } from "../ledger/index.ts";
import { noncesOf, proveBatch, refusalProof } from "./batch-proof.ts";
import { judgeBatch, type JudgedBatch, type JudgeTools, type LookUp } from "./judge-batch.ts";
import { writeBatchSteps } from "./order-rows.ts";
import { TAKE_TICK_GATE } from "./order-sql.ts";
import type { OrderWish, PlaceOutcome } from "./order-wish.ts";
import type { ResendWatch } from "./resend-watch.ts";

export interface PlaceBatchTools extends JudgeTools {
  readonly resends: ResendWatch;
  /** Called right before COMMIT is sent: from then on the batch may be committed even if no answer arrives. */
  readonly onCommit?: () => void;
  /** Signs the batch once it is committed. */
  readonly signer?: AcceptanceSigner | undefined;
  /** Exposure stripe that only this lane writes. */
  readonly stripe: number;
}

/** Unique key of `orders` that binds a member's client id to one order. */
const CLIENT_ID_KEY = "orders_client_key";

/**
 * Places one batch of orders in a single transaction with two flushes. The first locks the members and reads the data to judge
 * by; the rules then run in Node. The second passes the tick gate, sets acceptedAt, writes everything and commits. Throws
 * PostgreSQL's error with everything rolled back.
 *
 * Nearly every client id is new. If one is not, the unique key rejects the write and the batch is repeated with all ids looked
 * up first, as are the batches that follow shortly after.
 */
export async function placeBatch(
  lane: Lane,
  tools: PlaceBatchTools,
  wishes: readonly OrderWish[],
): Promise<PlaceOutcome[]> {
  const lookUp = tools.resends.areLikely() ? "all" : "refused";
  try {
    return await tryBatch(lane, tools, wishes, lookUp);
  } catch (error) {
    if (lookUp === "all" || constraintOf(error) !== CLIENT_ID_KEY || !lane.isUsable()) throw error;
    tools.resends.seen();
    return await tryBatch(lane, tools, wishes, "all");
  }
}

async function tryBatch(
  lane: Lane,
  tools: PlaceBatchTools,
  wishes: readonly OrderWish[],
  lookUp: LookUp,
): Promise<PlaceOutcome[]> {
  try {
    const judged = await judgeBatch(lane, tools, wishes, lookUp);
    if (judged.writes.length + judged.refusals.length > 0) return await writeBatch(lane, tools, judged);
    await lane.flush([[ROLLBACK]]);
    const unwritten = () => {
      throw new Error("an order was accepted or refused and not written");
    };
    return judged.outcomes(unwritten, unwritten);
  } catch (error) {
    if (lane.isUsable()) await lane.flush([[ROLLBACK]]);
    throw error;
  }
}

async function writeBatch(lane: Lane, tools: PlaceBatchTools, judged: JudgedBatch): Promise<PlaceOutcome[]> {
  const { writes, wallets, added, refusals } = judged;
  const nonces = randomBytes(ORDER_NONCES_BYTES * (writes.length + refusals.length));
  const orders = writes.map(({ order }) => order);
  const commitments = batchCommitments(nodeHashes, nonces, orders, refusals);
  const tree = merkleTreeOfHashes(nodeHashes, commitments);
  const steps: Step[] = [
    [TAKE_TICK_GATE],
    ...writeBatchSteps({
      orders: writes,
      validFrom: judged.validFrom,
      validUntil: judged.validUntil,
      configVersion: judged.configVersion,
      commitments: Buffer.from(commitments.buffer, commitments.byteOffset, commitments.length),
      reasons: refusals.map(({ reason }) => reason),
      merkleRoot: tree.root,
      nonces,
    }),
    ...writeMoneySteps(wallets),
    ...(writes.length > 0 ? [addExposureStep(tools.stripe, added)] : []),
    [COMMIT],
  ];
  crashPoint("orders.judged");
  const claim = tools.exposure.claim(added);
  try {
    tools.onCommit?.();
    const [, written = []] = await lane.flush(steps);
    crashPoint("orders.committed");
    claim.commit();
    const batchNo = bigintOf(written[0]?.[0]);
    const acceptedAt = bigintOf(written[0]?.[1]) as Instant;
    const root = written[0]?.[2];
    const batch =
      tools.signer && root instanceof Buffer
        ? proveBatch(tools.signer, root, tree, orders.length, orders.length + refusals.length)
        : null;
    return judged.outcomes(
      (order, place) => ({
        kind: "accepted",
        order: { ...order, acceptedAt },
        batchNo,
        batchPlace: place,
        proof: batch && { batch, nonces: noncesOf(nonces, place) },
      }),
      (refusal, nth) => {
        const place = orders.length + nth;
        const mine = { batchNo, acceptedAt, place, nonces: noncesOf(nonces, place) };
        return {
          kind: "refused",
          refusal: batch === null ? refusal : { ...refusal, proof: refusalProof(refusal, mine, batch) },
        };
      },
    );
  } catch (error) {
    claim.drop();
    throw error;
  }
}
