import { readStoredJson } from "../shared/storage.ts";

/** Who is logged in, as the login said it; empty for a visitor. */
export function storedMemberId(): string {
  const state = readStoredJson("loginState") as { userInfo?: { userId?: unknown } } | null;
  const id = state?.userInfo?.userId;
  return typeof id === "string" ? id : "";
}
