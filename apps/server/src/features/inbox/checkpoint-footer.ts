import { languageOf } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import { shortCheckpoint } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import { readPublication } from "../log/index.ts";

/**
 * The newest published checkpoint in one line for a mail: who keeps mails can hold each against the log for good, and a house that showed
 * its members different logs has said so in writing. Null before there is one.
 */
export async function checkpointFooter(database: Queryable, language: string): Promise<string | null> {
  const published = await readPublication(database);
  const short = published === null || published.size === 0 ? null : shortCheckpoint(published.note);
  if (short === null) return null;
  const { code } = languageOf(language);
  return translate(code, "mail.checkpoint", { origin: short.origin, size: String(short.size), root: short.root });
}
