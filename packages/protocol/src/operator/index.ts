export * from "./config-calls.ts";
export * from "./file-calls.ts";
export * from "./member-calls.ts";
export * from "./money-calls.ts";
export * from "./operator-admin-calls.ts";
export * from "./operator-call.ts";
export { type OperatorPerson } from "./operator-fields.ts";
export * from "./policy.ts";
export * from "./session-calls.ts";
