import { formatNote, type SignedNote } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import type { WitnessAnswer, WitnessDesk } from "./ask-witness.ts";

/** A checkpoint before anybody cosigned it. */
export interface SignedCheckpoint extends SignedNote {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Keeps the checkpoints that end with a commit of the simulated market, for the mix of its epoch. */
export interface MixNotes {
  /** Whether a checkpoint of that size is still to be answered: nothing is placed behind it. */
  isOpen(size: number): boolean;
  /** The newest entry, once it is placed: the log has `size` then. */
  placed(size: number, kind: string, entry: string): void;
  /** Before the witnesses are asked. */
  signed(checkpoint: SignedCheckpoint): Promise<void>;
  /** `answers`: of the desks, in their order. */
  answered(checkpoint: SignedCheckpoint, answers: readonly (WitnessAnswer | null)[]): Promise<void>;
}

interface Open {
  readonly size: number;
  /** The verifier key that the commit names. */
  readonly witness: string | null;
}

/** `size`: of all placed entries, so that a writer who takes over goes on where the one before stood. */
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
      // Nobody is waited for who is not named, or not asked any more.
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
