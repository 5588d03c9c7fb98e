import { callsAmong } from "./call.ts";
import * as declared from "./calls/index.ts";
import type { MemberCall } from "./member-call.ts";

/**
 * All member calls. The server must implement each of them; the reference and the fuzz tests are generated from this
 * list.
 */
export const CALLS = callsAmong(declared) as readonly MemberCall[];
