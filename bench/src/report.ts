import { writeFile } from "node:fs/promises";
import { format } from "./pairs.ts";

/** One line of the report: a figure, its goal and its baseline. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The goal: `atLeast` or `atMost`. */
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly baseline?: string;
  readonly noise?: string;
}

export function meets(figure: Figure): boolean {
  if (figure.atLeast !== undefined && !(figure.value >= figure.atLeast)) return false;
  return figure.atMost === undefined || figure.value <= figure.atMost;
}

/** Prints the figures as a table, with missed goals marked. */
export function printFigures(figures: readonly Figure[]): void {
  for (const figure of figures) {
    const columns = [
      meets(figure) ? "  " : "✗ ",
      figure.name.padEnd(58),
      `${format(figure.value)} ${figure.unit}`.padEnd(18),
      goalOf(figure).padEnd(10),
      figure.baseline ?? "",
      figure.noise ? `(${figure.noise})` : "",
    ];
    console.log(columns.join(" ").trimEnd());
  }
}

function goalOf({ atLeast, atMost }: Figure): string {
  if (atLeast !== undefined) return `≥ ${atLeast}`;
  return atMost === undefined ? "" : `≤ ${atMost}`;
}

export async function writeResults(path: string, settings: unknown, figures: readonly Figure[]): Promise<void> {
  await writeFile(path, `${JSON.stringify({ settings, figures }, null, 2)}\n`);
}
