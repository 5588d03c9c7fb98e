export { sweepAttempts } from "./attempts.ts";
export { type Authenticator, createAuthenticator, type Session } from "./authenticate.ts";
export { endAllSessions } from "./end-sessions.ts";
export { register } from "./register.ts";
export { sendCode } from "./send-code.ts";
export type { SessionContext } from "./session-context.ts";
export { sessionRoutes } from "./session-routes.ts";
export { startSession } from "./sign-in.ts";
export { checkTradePassword, setTradePassword } from "./trade-password.ts";
