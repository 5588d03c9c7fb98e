import type { Database } from "./database.ts";
import { type Lane, openLane, ROLLBACK, type Row, type Step } from "./lane.ts";

/** A lane that is opened at its first flush, and opened again after it broke. For one caller at a time. */
export interface KeptLane {
  /** Works like `Lane.flush`. If it fails, the transaction is rolled back. */
  flush(steps: readonly Step[]): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

export function keepLane(database: Database): KeptLane {
  let lane: Lane | null = null;

  async function take(): Promise<Lane> {
    if (lane?.isUsable() !== true) lane = await openLane(database);
    return lane;
  }

  return {
    async flush(steps) {
      const taken = await take();
      try {
        return await taken.flush(steps);
      } catch (error) {
        // A lane that can't even roll back isn't used again.
        const end = () => taken.close();
        if (taken.isUsable()) await taken.flush([[ROLLBACK]]).catch(end);
        else await end().catch(() => undefined);
        throw error;
      }
    },
    async close() {
      await lane?.close();
      lane = null;
    },
  };
}
