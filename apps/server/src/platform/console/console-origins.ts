import { passkeyParty } from "../second-factor/passkey-party.ts";

/** Returns the origins of the console's own pages. */
export function ownOrigins(consoleUrl: string): readonly string[] {
  const { origin } = new URL(consoleUrl);
  const party = passkeyParty(consoleUrl);
  return party === null || party.origin === origin ? [origin] : [origin, party.origin];
}
