import { userLiabilityPath } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { type PathParts, readLiabilityPath } from "./read-path.ts";

/** Route for a member's proof that they are included in what the house says it owes. */
export function liabilityRoutes(parts: PathParts): Route[] {
  return [route(userLiabilityPath, ({ input, session }) => readLiabilityPath(parts, session.memberId, input.day))];
}
