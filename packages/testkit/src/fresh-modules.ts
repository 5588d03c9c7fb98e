import { vi } from "vitest";

/**
 * Run before each file of a worker that takes many: modules of the project are evaluated again, so that what they keep in
 * variables is the file's own, as in a process of its own. Packages stay loaded; reading them is most of what a new worker costs.
 */
vi.resetModules();
vi.unstubAllGlobals();
vi.useRealTimers();
