export { followBoards } from "./follow-boards.ts";
