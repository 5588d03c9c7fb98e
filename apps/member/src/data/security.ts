import type {
  authEndAllSessions,
  authFreeze,
  authRevokeSession,
  authSessions,
  Fields,
  Output,
  userChangeLoginPassword,
  userFreezeWithdrawals,
  userLiftFreeze,
  userResetTradePassword,
  userSetTradePassword,
} from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys, queryClient } from "./queries.ts";
import { endSessionBy } from "./session.ts";
import { ask } from "./transport.ts";
import { refreshWithdrawalMethods } from "./withdrawals.ts";

export type DeviceSession = Output<typeof authSessions>[number];

/** The member's sessions on all devices. */
export function useSessions(): UseQueryResult<DeviceSession[]> {
  return useQuery({ queryKey: keys.sessions, queryFn: () => ask<typeof authSessions>("auth/sessions", {}) });
}

/** Ends one session at once, including its socket. */
export async function revokeSession(sessionId: string): Promise<void> {
  await ask<typeof authRevokeSession>("auth/revokeSession", { sessionId });
  await queryClient.invalidateQueries({ queryKey: keys.sessions });
}

/** Ends every session, including this one. */
export async function endAllSessions(): Promise<void> {
  await endSessionBy(() => ask<typeof authEndAllSessions>("auth/endAllSessions", {}));
}

/** Changes the login password. The member's other sessions end. */
export async function changeLoginPassword(fields: Fields<typeof userChangeLoginPassword>): Promise<void> {
  await ask<typeof userChangeLoginPassword>("user/changeLoginPassword", fields);
  await queryClient.invalidateQueries({ queryKey: keys.sessions });
}

/** Sets the transaction password for the first time, or changes it if the old one is given. */
export async function setPaymentPassword(fields: Fields<typeof userSetTradePassword>): Promise<void> {
  await ask<typeof userSetTradePassword>("user/setTradePassword", fields);
  await queryClient.invalidateQueries({ queryKey: keys.info });
}

/** Resets a forgotten transaction password with a code and the login password. */
export async function resetPaymentPassword(fields: Fields<typeof userResetTradePassword>): Promise<void> {
  await ask<typeof userResetTradePassword>("user/resetTradePassword", fields);
  await queryClient.invalidateQueries({ queryKey: keys.info });
  await refreshWithdrawalMethods();
}

/** Freezes withdrawals by the link of a warning. If this browser is logged in, its session has ended too by then. */
export async function freezeByLink(token: string): Promise<void> {
  await ask<typeof authFreeze>("auth/freeze", { token });
  await queryClient.invalidateQueries({ queryKey: keys.member });
}

/** Freezes the member's withdrawals. */
export async function freezeWithdrawals(): Promise<void> {
  await ask<typeof userFreezeWithdrawals>("user/freezeWithdrawals", {});
  await freezeChanged();
}

/** Lifts the member's own freeze. */
export async function liftFreeze(fields: Fields<typeof userLiftFreeze>): Promise<void> {
  await ask<typeof userLiftFreeze>("user/liftFreeze", fields);
  await freezeChanged();
}

async function freezeChanged(): Promise<void> {
  await Promise.all(
    [keys.info, keys.withdrawals, keys.withdrawalMethods].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}
