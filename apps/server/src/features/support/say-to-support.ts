import { accept, maskCards, type MemberId, type MicroUsd, refuse, type Verdict, formatId } from "@fairtick/domain";
import type { SupportMessage } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { claimFile, parseFileId } from "../files/index.ts";
import { presentMessage, SUPPORT_SELECT, type SupportRow } from "./support-rows.ts";

export interface Saying {
  readonly text?: string | undefined;
  readonly fileId?: string | undefined;
  readonly topic?: SupportMessage["topic"] | undefined;
  readonly amount?: MicroUsd | undefined;
  readonly clientId: string;
}

/** Thrown to roll the message back. */
class ClientIdReused extends Error {}

/**
 * Writes a message into a member's chat. Card numbers are hidden before anything is stored. The same client id with the
 * same words returns the same message again. Refuses CLIENT_ID_REUSED, FIELD_INVALID (fileId) for a picture that isn't
 * theirs or was uploaded for another purpose.
 */
export async function sayToSupport(
  { databases, bus }: Pick<Context, "databases" | "bus">,
  memberId: MemberId,
  saying: Saying,
): Promise<Verdict<SupportMessage>> {
  const text = saying.text === undefined ? null : maskCards(saying.text);
  const said = await databases.sessions
    .transaction(async (db): Promise<Verdict<{ row: SupportRow; fresh: boolean }>> => {
      if (saying.fileId !== undefined) {
        const isHis = await claimFile(db, memberId, saying.fileId, "support", formatId("member", memberId));
        if (!isHis) return refuse("FIELD_INVALID", { field: "fileId" }, { fileId: "FIELD_INVALID" });
      }
      const fileId = saying.fileId === undefined ? null : parseFileId(saying.fileId);
      const values = [text, fileId, saying.topic ?? null, saying.amount ?? null];
      const [written] = await db.query<{ id: bigint | null }>("SELECT say_to_support($1, $2, $3, $4, $5, $6) AS id", [
        memberId,
        ...values,
        saying.clientId,
      ]);
      const row = await readByClientId(db, memberId, null, saying.clientId);
      const isSame = [row.body, row.file_id, row.topic, row.amount].every((value, place) => value === values[place]);
      // Rolled back, so that the refused message's picture can still be used.
      if (!isSame) throw new ClientIdReused();
      return accept({ row, fresh: written?.id !== null });
    })
    .catch((error: unknown) => {
      if (error instanceof ClientIdReused) return refuse("CLIENT_ID_REUSED");
      throw error;
    });
  if (!said.ok) return said;
  const { row, fresh } = said.value;
  if (fresh) bus.publish("support", { memberId, from: "member", what: "message", messageId: row.message_id });
  return accept(presentMessage(row));
}

/** Reads the message that was written with a client id. */
export async function readByClientId(
  db: Queryable,
  memberId: bigint,
  operatorId: bigint | null,
  clientId: string,
): Promise<SupportRow> {
  const [row] = await db.query<SupportRow>(
    `${SUPPORT_SELECT} WHERE m.member_id = $1 AND m.operator_id IS NOT DISTINCT FROM $2 AND m.client_id = $3`,
    [memberId, operatorId, clientId],
  );
  if (row === undefined) throw new Error("a written message was not found");
  return row;
}

/** Marks all answers to the member as read. */
export async function readAsMember(
  { databases, bus }: Pick<Context, "databases" | "bus">,
  memberId: MemberId,
): Promise<void> {
  const [row] = await databases.sessions.query<{ done: boolean }>("SELECT read_as_member($1) AS done", [memberId]);
  if (row?.done === true) bus.publish("support", { memberId, from: "member", what: "read", messageId: null });
}
