export { configFromJson, configToJson } from "./config-json.ts";
export { seedTradingConfig } from "./seed-trading-config.ts";
export { openTradingConfigs, type TradingConfigs } from "./trading-configs.ts";
