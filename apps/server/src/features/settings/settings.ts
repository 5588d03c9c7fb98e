import type { MemberId } from "@fairtick/domain";
import { type Output, userSettings } from "@fairtick/protocol";
import * as v from "valibot";
import type { Context } from "../../platform/context.ts";

export type Settings = Output<typeof userSettings>;
export type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** Settings of a member who has never changed any. Sounds and notifications are off until the member turns them on. */
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

/** Completes stored settings with the defaults. A value that is no longer offered counts as not set. */
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

/** Changes the given settings and leaves the others. Returns all. */
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
