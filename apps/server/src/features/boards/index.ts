export { boardNames, followBoards } from "./follow-boards.ts";
