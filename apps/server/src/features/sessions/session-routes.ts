import { accept } from "@fairtick/domain";
import {
  authLogin,
  authLogout,
  authRegister,
  authResetPassword,
  authEndAllSessions,
  authRevokeSession,
  authSendCode,
  authSessions,
  userChangeLoginPassword,
  userResetTradePassword,
  userSetTradePassword,
} from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { changeLoginPassword, resetPassword } from "./change-login-password.ts";
import { endAllSessions, logOut, revokeSession } from "./end-sessions.ts";
import { listSessions } from "./list-sessions.ts";
import { logIn } from "./log-in.ts";
import { register } from "./register.ts";
import { sendCode } from "./send-code.ts";
import type { SessionContext } from "./session-context.ts";
import { resetTradePassword, setTradePassword } from "./trade-password.ts";

/** Routes for registering, logging in and passwords. */
export function sessionRoutes(context: SessionContext): Route[] {
  return [
    route(authSendCode, (request) => sendCode(context, request.input, request)),
    route(authRegister, ({ input, device, ...visitor }) => {
      const address = input[input.channel] ?? "";
      return register(context, { ...input, address }, { ...visitor, userAgent: device });
    }),
    route(authLogin, ({ input, device, ...visitor }) => logIn(context, input, { ...visitor, userAgent: device })),
    route(authLogout, async ({ session, now }) => {
      await logOut(context, session, now);
      return accept(null);
    }),
    route(authSessions, ({ session, now }) => listSessions(context, session, now)),
    route(authEndAllSessions, async ({ session, now }) => {
      await endAllSessions(context, session.memberId, now);
      return null;
    }),
    route(authRevokeSession, ({ input, session, now }) =>
      revokeSession(context, session.memberId, input.sessionId, now),
    ),
    route(authResetPassword, ({ input, ...visitor }) =>
      resetPassword(context, input, { ...visitor, address: input.to, code: input.code }),
    ),
    route(userSetTradePassword, ({ input, session, now }) => setTradePassword(context, input, { ...session, now })),
    route(userResetTradePassword, ({ input, session, ip, deviceKey, now }) =>
      resetTradePassword(context, input, { ...session, ip, deviceKey, now }),
    ),
    route(userChangeLoginPassword, ({ input, session, deviceKey, now }) =>
      changeLoginPassword(context, input, { ...session, deviceKey, now }),
    ),
  ];
}
