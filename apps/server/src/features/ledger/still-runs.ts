/**
 * SQL condition: order `o` still runs, that is, has no settlement. A member's oldest running order bounds how many of
 * their orders are checked. OFFSET 0 makes PostgreSQL look each one up by its key; a join might read all settlements.
 */
export const STILL_RUNS = `o.order_id >= least((SELECT min(first_id) FROM open_groups), (SELECT min(order_id) FROM awaiting_reveals))
  AND NOT EXISTS (SELECT FROM settlements ended WHERE ended.order_id = o.order_id OFFSET 0)`;
