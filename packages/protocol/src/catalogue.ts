import { callsAmong } from "./call.ts";
import * as declared from "./calls/index.ts";
import type { MemberCall } from "./member-call.ts";

/** All member calls. The server has to answer each of them, and the reference and the fuzz tests are made from them. */
export const CALLS = callsAmong(declared) as readonly MemberCall[];
