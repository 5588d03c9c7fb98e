export { type PolicyName, seedPolicy } from "./seed-policy.ts";
