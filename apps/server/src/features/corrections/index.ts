export { correctionRoutes } from "./correction-routes.ts";
export { reportDirections } from "./report-house.ts";
