export { addFaucetRoutes } from "./faucet-routes.ts";
export { sendTestUsdt } from "./send-test-usdt.ts";
