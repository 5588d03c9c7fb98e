/**
 * Whether an order `o` still runs: a part of a WHERE. What has no settlement runs; the oldest running one bounds how many of a
 * member's orders are asked for theirs. OFFSET 0 has each looked up by its key: a join might read all settlements there are.
 */
export const STILL_RUNS = `o.order_id >= least((SELECT min(first_id) FROM open_groups), (SELECT min(order_id) FROM awaiting_reveals))
  AND NOT EXISTS (SELECT FROM settlements ended WHERE ended.order_id = o.order_id OFFSET 0)`;
