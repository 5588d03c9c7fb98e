export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { createTestDatabase, type TestDatabase } from "./test-database.ts";
export { startFakeKraken, type FakeKraken, type FakeTicker } from "./fake-kraken.ts";
export { startFakeBinance, type FakeBinance, type FakeBook } from "./fake-binance.ts";
export { startFakeHermes, type FakeHermes, type FakePrice } from "./fake-hermes.ts";
export { startPriceScript, type PriceScript, type ScriptedPrices } from "./price-script.ts";
export { waitUntil } from "./wait-until.ts";
export { createBuilder, type Builder, type NewMember, type NewTick } from "./builders.ts";
