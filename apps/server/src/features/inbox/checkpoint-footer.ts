import { languageOf } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import { shortCheckpoint } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import { readPublication } from "../log/index.ts";

/**
 * Returns the newest published checkpoint as one line for a mail; null before the first one. Members can compare the mails they
 * keep with the log at any time, so a house that showed members different logs has given them proof of it.
 */
export async function checkpointFooter(database: Queryable, language: string): Promise<string | null> {
  const published = await readPublication(database);
  const short = published === null || published.size === 0 ? null : shortCheckpoint(published.note);
  if (short === null) return null;
  const { code } = languageOf(language);
  return translate(code, "mail.checkpoint", { origin: short.origin, size: String(short.size), root: short.root });
}
