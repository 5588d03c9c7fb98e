import { readStoredJson } from "../shared/storage.ts";

/** Returns the id of the logged-in member, as stored at login; empty for a visitor. */
export function storedMemberId(): string {
  const state = readStoredJson("loginState") as { userInfo?: { userId?: unknown } } | null;
  const id = state?.userInfo?.userId;
  return typeof id === "string" ? id : "";
}
