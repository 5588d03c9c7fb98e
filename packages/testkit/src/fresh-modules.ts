import { vi } from "vitest";

/**
 * Runs before each test file of a worker that runs many. The project's modules are evaluated again, so that each file has
 * variables of its own, as it would in a process of its own. Packages stay loaded: reading them is most of what a new
 * worker costs.
 */
vi.resetModules();
vi.unstubAllGlobals();
vi.useRealTimers();
