import type { Context } from "../../platform/context.ts";
import { checkStretch, type Violation } from "./check-invariants.ts";
import type { Ground } from "./sweep.ts";

type Parts = Pick<Context, "databases">;

/**
 * Compares each member's money with all their facts, in order of member id. It finds what was changed, deleted or
 * inserted long ago.
 */
export function booksGround(parts: Parts): Ground {
  return {
    check: (stretch) => checkStretch(parts, ["whole"], stretch),
    async end(from, size) {
      const [row] = await parts.databases.jobs.query<{ end: bigint }>(
        `SELECT member_id AS "end" FROM members_money WHERE member_id >= $1 ORDER BY member_id OFFSET $2 LIMIT 1`,
        [from, size],
      );
      return row?.end ?? null;
    },
  };
}

/** Sizes of a sweep count items. In a series that is ordered by time, one item is this many milliseconds. */
const MS_A_PIECE = 100n;

/** Compares every order with its batch and the public log, in order of acceptance. */
export function batchesGround(parts: Parts): Ground {
  return {
    check: (stretch) => checkStretch(parts, ["I11"], stretch),
    async end(from, size) {
      const [row] = await parts.databases.jobs.query<{ oldest: bigint | null; newest: bigint | null }>(
        `SELECT (SELECT accepted_at FROM acceptance_batches ORDER BY batch_no LIMIT 1) AS oldest,
           (SELECT accepted_at FROM acceptance_batches ORDER BY batch_no DESC LIMIT 1) AS newest`,
      );
      const [oldest, newest] = [row?.oldest ?? 0n, row?.newest ?? 0n];
      const end = (from > oldest ? from : oldest) + BigInt(size) * MS_A_PIECE;
      return end < newest ? end : null;
    },
  };
}

const HEAD_ROWS = 1_000n;

/**
 * Checks the hash chain of the audit trail. Each time it reads the newest rows and compares the newest row of the previous
 * check, which must be unchanged. This detects a chain that was rewritten from an old row onwards, hashes included.
 */
export function auditGround({ databases }: Parts): Ground & { newest(): Promise<readonly Violation[]> } {
  let seen: { readonly length: bigint; readonly head: Uint8Array } = { length: 0n, head: new Uint8Array(32) };
  let length = 0n;

  async function check(first: bigint, last: bigint): Promise<readonly Violation[]> {
    if (last < first) return [];
    const [row] = await databases.jobs.query<{ broken: bigint | null }>(
      "SELECT broken_audit_between($1, $2) AS broken",
      [first, last],
    );
    return row?.broken === null || row === undefined ? [] : [violation(`does not hold at row ${row.broken}`)];
  }

  return {
    async newest() {
      const [row] = await databases.jobs.query<{ length: bigint; head: Buffer; hash_there: Buffer | null }>(
        "SELECT * FROM audit_standing($1)",
        [seen.length],
      );
      if (row === undefined) return [violation("has no head")];
      const isKept = seen.length === 0n || (row.hash_there !== null && row.hash_there.equals(seen.head));
      if (!isKept) return [violation(`was written anew: row ${seen.length} is not what it was`)];
      length = row.length;
      const found = await check(length > HEAD_ROWS ? length - HEAD_ROWS + 1n : 1n, length);
      if (found.length > 0) return found;
      const standing = await databases.jobs.query<{ hash_there: Buffer | null }>("SELECT * FROM audit_standing($1)", [
        length,
      ]);
      const top = standing[0]?.hash_there ?? null;
      if (length > 0n && (top === null || !top.equals(row.head))) return [violation("does not end at its head")];
      seen = { length, head: row.head };
      return [];
    },
    // Rows are numbered from 1. Rows beyond the newest one are checked the next time.
    end: async (from, size) => (from + BigInt(size) < length ? from + BigInt(size) : null),
    check: ({ from, to }) => check(from < 1n ? 1n : from, to - 1n < length ? to - 1n : length),
  };
}

function violation(wrong: string): Violation {
  return { invariant: "I13", about: "the operators' audit trail", wrong };
}
