import type { MemberId } from "@fairtick/domain";
import { type Output, userSettings } from "@fairtick/protocol";
import * as v from "valibot";
import type { Context } from "../../platform/context.ts";

export type Settings = Output<typeof userSettings>;
export type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** What a member has who never changed anything: nothing sounds or notifies unless they ask for it. */
const DEFAULTS: Settings = {
  theme: "system",
  textSize: "100",
  priceColours: "auto",
  sounds: false,
  haptics: true,
  confirmOrders: true,
  sealUntilEnd: false,
  notifications: false,
};

/** Stored settings over the defaults; a value that is no longer offered counts as not set. */
function complete(stored: unknown): Settings {
  const merged = { ...DEFAULTS, ...(typeof stored === "object" ? stored : null) };
  const parsed = v.safeParse(userSettings.output, merged);
  return parsed.success ? parsed.output : DEFAULTS;
}

export async function readSettings({ databases }: Pick<Context, "databases">, memberId: MemberId): Promise<Settings> {
  const rows = await databases.sessions.query<{ settings: unknown }>(
    "SELECT settings FROM members WHERE member_id = $1",
    [memberId],
  );
  return complete(rows[0]?.settings);
}

/** Changes what is given, leaves the rest, answers all. */
export async function changeSettings(
  { databases, bus }: Pick<Context, "databases" | "bus">,
  memberId: MemberId,
  change: SettingsChange,
): Promise<Settings> {
  const rows = await databases.sessions.query<{ settings: unknown }>(
    "UPDATE members SET settings = settings || $2::jsonb WHERE member_id = $1 RETURNING settings",
    [memberId, JSON.stringify(change)],
  );
  if (change.notifications !== undefined) bus.publish("listeners", { members: [memberId] });
  return complete(rows[0]?.settings);
}
