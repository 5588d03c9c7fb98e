export { correctionRoutes } from "./correction-routes.ts";
