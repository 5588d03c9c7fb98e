import { formatNote, type SignedNote } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import type { WitnessAnswer, WitnessDesk } from "./ask-witness.ts";

/** A checkpoint that no witness has cosigned yet. */
export interface SignedCheckpoint extends SignedNote {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Stores the checkpoints that end with a commit of the simulated market. The epoch's mix is made from them. */
export interface MixNotes {
  /** Whether a checkpoint of that size still waits for witnesses. Until then, no entry may follow it. */
  isOpen(size: number): boolean;
  /** Notes the newest entry after it got its place and the log has this size. */
  placed(size: number, kind: string, entry: string): void;
  /** Notes a signed checkpoint before the witnesses are asked. */
  signed(checkpoint: SignedCheckpoint): Promise<void>;
  /** Notes the witnesses' answers, in the order of the desks. */
  answered(checkpoint: SignedCheckpoint, answers: readonly (WitnessAnswer | null)[]): Promise<void>;
}

interface Open {
  readonly size: number;
  /** The verifier key of the witness that the commit names. */
  readonly witness: string | null;
}

/** Opens the notes. `size` counts all placed entries, so that a new writer continues where the previous one stopped. */
export async function openMixNotes(
  database: Queryable,
  witnesses: readonly WitnessDesk[],
  size: number,
): Promise<MixNotes> {
  let open: Open | null = null;
  const [last] = await database.query<{ entry: string }>(
    `SELECT o.entry FROM log_entries l JOIN outbox o USING (outbox_id) WHERE l.log_index = $1 AND l.kind = 'epoch.commit'
       AND NOT EXISTS (SELECT FROM mix_notes WHERE size = $1 + 1 AND is_final)`,
    [size - 1],
  );
  if (last !== undefined) open = { size, witness: witnessOf(last.entry) };

  async function store(size: number, isFinal: boolean, note: SignedNote, source: Uint8Array): Promise<void> {
    await database.query(
      "INSERT INTO mix_notes (size, is_final, note, source) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      [size, isFinal, formatNote(note), source],
      "log_mix_note",
    );
  }

  return {
    isOpen: (of) => open?.size === of,
    placed(at, kind, entry) {
      open = kind === "epoch.commit" ? { size: at, witness: witnessOf(entry) } : null;
    },
    async signed({ size: of, root, ...note }) {
      if (open?.size === of) await store(of, false, note, root);
    },
    async answered({ size: of, root, text, signatures }, answers) {
      if (open?.size !== of) return;
      const { witness } = open;
      const place = witnesses.findIndex((desk) => desk.standing().key === witness);
      // Don't wait if no witness is named, or if it is no longer asked.
      const answer = place < 0 ? undefined : answers[place];
      if (answer === null) return;
      const timeless = answer?.timeless ?? null;
      const lines = answer === undefined ? [] : [answer.cosignature, ...(timeless === null ? [] : [timeless])];
      await store(of, true, { text, signatures: [...signatures, ...lines] }, timeless?.signature ?? root);
      open = null;
    },
  };
}

function witnessOf(entry: string): string | null {
  const { witness } = JSON.parse(entry) as { readonly witness?: string };
  return witness ?? null;
}
