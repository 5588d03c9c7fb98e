import { vi } from "vitest";

/**
 * Resets the modules before each test file in a worker that runs many. The project's modules are evaluated again, so
 * that each file has variables of its own, as in a process of its own. Packages stay loaded, because loading them is
 * most of a new worker's cost.
 */
vi.resetModules();
vi.unstubAllGlobals();
vi.useRealTimers();
