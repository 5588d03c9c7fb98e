import {
  secondFactorAsk,
  secondFactorNewRecoveryCodes,
  secondFactorRegisterPasskey,
  secondFactorRegisterTotp,
  secondFactorRemove,
  secondFactorStartPasskey,
  secondFactorStartTotp,
  secondFactorStatus,
} from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import type { SessionContext } from "../sessions/index.ts";
import {
  askOwnPasskey,
  makeRecoveryCodes,
  readSecondFactors,
  registerPasskey,
  registerTotp,
  removeFactor,
  startPasskey,
  startTotp,
} from "./set-up-factors.ts";

/** Routes for a member's own second factors. */
export function factorSettingsRoutes(context: SessionContext): Route[] {
  return [
    route(secondFactorStatus, ({ session }) => readSecondFactors(context, session.memberId)),
    route(secondFactorStartTotp, ({ input, session, now }) => startTotp(context, input, { ...session, now })),
    route(secondFactorRegisterTotp, ({ input, session, deviceKey, now }) =>
      registerTotp(context, input.code, { ...session, deviceKey, now }),
    ),
    route(secondFactorStartPasskey, ({ input, session, now }) => startPasskey(context, input, { ...session, now })),
    route(secondFactorRegisterPasskey, ({ input, session, deviceKey, now }) =>
      registerPasskey(context, input, { ...session, deviceKey, now }),
    ),
    route(secondFactorRemove, ({ input, session, now }) => removeFactor(context, input, { ...session, now })),
    route(secondFactorNewRecoveryCodes, ({ input, session, now }) =>
      makeRecoveryCodes(context, input, { ...session, now }),
    ),
    route(secondFactorAsk, ({ input, session, now }) =>
      askOwnPasskey(context, session.memberId, { purpose: input.purpose, now }),
    ),
  ];
}
