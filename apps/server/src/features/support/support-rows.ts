import { formatMoney, formatPrefixedId, type MicroUsd, parsePrefixedId } from "@fairtick/domain";
import type { SupportMessage } from "@fairtick/protocol";
import { formatFileId } from "../files/index.ts";

const PREFIX = "sup";

export const formatMessageId = (id: bigint): string => formatPrefixedId(PREFIX, id);
/** Parses a message's id; null if the text isn't one. */
export const parseMessageId = (text: string): bigint | null => parsePrefixedId(PREFIX, text);

export interface SupportRow {
  readonly message_id: bigint;
  readonly member_id: bigint;
  readonly operator_id: bigint | null;
  readonly name: string | null;
  readonly body: string | null;
  readonly file_id: bigint | null;
  readonly file_name: string | null;
  readonly topic: SupportMessage["topic"];
  readonly amount: bigint | null;
  readonly client_id: string;
  readonly sent_at: bigint;
  readonly read_at: bigint | null;
}

/** Columns of messages `m`. A message was read once the other side had read that far. */
export const SUPPORT_SELECT = `SELECT m.message_id, m.member_id, m.operator_id, support_name(m.operator_id) AS name, m.body, m.file_id, f.name AS file_name, m.topic, m.amount,
    m.client_id, m.sent_at,
    (SELECT min(read_at) FROM support_reads r WHERE r.member_id = m.member_id AND r.through_id >= m.message_id
       AND r.side = CASE WHEN m.operator_id IS NULL THEN 'operator' ELSE 'member' END) AS read_at
  FROM support_messages m LEFT JOIN files f USING (file_id)`;

export function presentMessage(row: SupportRow): SupportMessage {
  return {
    messageId: formatMessageId(row.message_id),
    from: row.operator_id === null ? "member" : "operator",
    name: row.name ?? "",
    text: row.body,
    fileId: row.file_id === null ? null : formatFileId(row.file_id),
    fileName: row.file_name,
    topic: row.topic,
    amount: row.amount === null ? null : formatMoney(row.amount as MicroUsd),
    clientId: row.client_id,
    createdAt: Number(row.sent_at),
    readAt: row.read_at === null ? null : Number(row.read_at),
  };
}
