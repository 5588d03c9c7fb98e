import { storedMemberId } from "./member-id.ts";
import { onLogOut, sessionToken, watchSession } from "./session.ts";

/**
 * Calls `forget` at a logout and when another member logs in, so that the next person on this tab doesn't see what the
 * previous one typed. It isn't called when a session merely ends, because usually the same member logs in again.
 */
export function forgetForNextMember(forget: () => void): void {
  let owner = memberNow();
  onLogOut(() => {
    owner = "";
    forget();
  });
  watchSession(() => {
    const member = memberNow();
    if (member === "" || member === owner) return;
    owner = member;
    forget();
  });
}

function memberNow(): string {
  return sessionToken() === null ? "" : storedMemberId();
}
