/** WebAuthn's JSON forms, limited to the parts that are sent and accepted here. */
import * as v from "valibot";
import * as s from "./shapes.ts";

const base64url = (max: number) => v.pipe(v.string(), v.maxLength(max), v.regex(/^[A-Za-z0-9_-]+$/));
const credentialId = base64url(1364);
const known = {
  id: credentialId,
  rawId: credentialId,
  type: v.literal("public-key"),
  /** Always empty, since no extensions are requested. */
  clientExtensionResults: v.object({}),
};
const transport = v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/));

/** An authenticator's response to a request for a new passkey. */
export const passkeyMade = v.object({
  ...known,
  response: v.object({
    clientDataJSON: base64url(8_192),
    attestationObject: base64url(32_768),
    transports: v.optional(v.pipe(v.array(transport), v.maxLength(10))),
  }),
});
export type PasskeyMade = v.InferOutput<typeof passkeyMade>;

/** An authenticator's response to a challenge. */
export const passkeyAnswer = v.object({
  ...known,
  response: v.object({
    clientDataJSON: base64url(8_192),
    authenticatorData: base64url(4_096),
    signature: base64url(8_192),
    userHandle: v.optional(base64url(128)),
  }),
});
export type PasskeyAnswer = v.InferOutput<typeof passkeyAnswer>;

const descriptor = v.object({ id: s.text, type: v.literal("public-key"), transports: v.array(s.text) });
const verification = v.literal("required");

/** Options for creating a passkey, passed to the browser. */
export const passkeyWish = v.object({
  challenge: s.text,
  rp: v.object({ id: s.text, name: s.text }),
  user: v.object({ id: s.text, name: s.text, displayName: s.text }),
  pubKeyCredParams: v.array(v.object({ type: v.literal("public-key"), alg: v.number() })),
  timeout: s.count,
  attestation: v.literal("none"),
  excludeCredentials: v.array(descriptor),
  authenticatorSelection: v.object({ residentKey: v.literal("preferred"), userVerification: verification }),
});
export type PasskeyWish = v.InferOutput<typeof passkeyWish>;

/** Options for signing with a passkey, passed to the browser. */
export const passkeyQuestion = v.object({
  challenge: s.text,
  rpId: s.text,
  timeout: s.count,
  userVerification: verification,
  allowCredentials: v.array(descriptor),
});
export type PasskeyQuestion = v.InferOutput<typeof passkeyQuestion>;
