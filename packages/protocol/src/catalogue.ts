import { callsAmong } from "./call.ts";
import * as declared from "./calls/index.ts";
import type { MemberCall } from "./member-call.ts";

/** Every member call: what the server must answer, and what the reference and the fuzz tests are made of. */
export const CALLS = callsAmong(declared) as readonly MemberCall[];
