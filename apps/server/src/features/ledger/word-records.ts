import { hasMessage, type LanguageCode, translate } from "@fairtick/i18n/server";
import type { FundRecord } from "@fairtick/protocol";

/** A record as a file shows it, with type, remark and state in words. */
export type WordedRecord = Omit<FundRecord, "type"> & { readonly type: string };

/** Puts the codes of a record into words of a language, as the screen shows them. */
export function wordRecord(record: FundRecord, lang: LanguageCode): WordedRecord {
  return {
    ...record,
    type: worded(lang, "type", record.type),
    remark: worded(lang, "remark", record.remark),
    ...(record.state !== undefined && { state: worded(lang, "state", record.state) }),
  };
}

/** Puts a stream of records into words, one at a time. */
export async function* wordRecords(
  records: AsyncIterable<FundRecord>,
  lang: LanguageCode,
): AsyncGenerator<WordedRecord> {
  for await (const record of records) yield wordRecord(record, lang);
}

function worded(lang: LanguageCode, part: "type" | "remark" | "state", word: string): string {
  const id = `assets.${part}.${word}`;
  return hasMessage(id) ? translate(lang, id) : word;
}
