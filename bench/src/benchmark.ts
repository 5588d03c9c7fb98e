import type { Figure } from "./report.ts";

/** Options of a benchmark's run. */
export interface BenchmarkOptions {
  /** Shorter rounds and smaller tables, to check that everything runs; the figures aren't meant to be quoted. */
  readonly quick: boolean;
  /** Number of alternating pairs of baseline and subject. */
  readonly pairs: number;
  /** Prints a progress line. */
  readonly say: (line: string) => void;
}

/** A benchmark's figures, and the settings under which they were measured. */
export interface BenchmarkResult {
  readonly figures: readonly Figure[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface Benchmark {
  readonly name: string;
  readonly run: (options: BenchmarkOptions) => Promise<BenchmarkResult>;
}
