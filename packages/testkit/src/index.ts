export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { createTestDatabase, type TestDatabase } from "./test-database.ts";
export { waitUntil } from "./wait-until.ts";
export { createBuilder, type Builder, type NewMember, type NewTick } from "./builders.ts";
