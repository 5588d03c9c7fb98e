import type { Figure } from "./report.ts";

/** What a benchmark is run with. */
export interface BenchmarkOptions {
  /** Shorter rounds and smaller tables: to see that everything runs, not for figures to be quoted. */
  readonly quick: boolean;
  /** Alternated pairs of baseline and subject. */
  readonly pairs: number;
  /** A line for whoever watches. */
  readonly say: (line: string) => void;
}

/** One benchmark: what it measured, and the settings that the figures hold under. */
export interface BenchmarkResult {
  readonly figures: readonly Figure[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface Benchmark {
  readonly name: string;
  readonly run: (options: BenchmarkOptions) => Promise<BenchmarkResult>;
}
