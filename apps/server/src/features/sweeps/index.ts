export { sweepRound } from "./sweep-round.ts";
