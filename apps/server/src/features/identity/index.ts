export { openNumber } from "./document-number.ts";
export { identityDeskRoutes } from "./identity-desk-routes.ts";
export { identityRoutes } from "./identity-routes.ts";
export { isWaitingCase, readWaitingCases } from "./read-cases.ts";
export { readIdentity } from "./identity-status.ts";
export { lookForExpiry, startExpiryWatch } from "./watch-expiry.ts";
export { submitBasic } from "./submit-basic.ts";
export { type DocumentContext, submitDocuments } from "./submit-documents.ts";
