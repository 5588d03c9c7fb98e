import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Look } from "./plan.ts";

/** Everything that a walk leaves behind. */
export const WALK_FOLDER = resolve(import.meta.dirname, "../../../artifacts/walk");

export interface Shot extends Look {
  /** Whose screens: visitor, member, console. */
  readonly part: string;
  readonly screen: string;
  readonly language: string;
  /** Within the folder. */
  readonly file: string;
}

export interface Finding {
  readonly part: string;
  readonly screen: string;
  readonly language: string;
  /** The sizes at which it shows: "320 light 200 %". */
  readonly where: readonly string[];
  readonly says: string;
}

/** What one part of a walk has seen. Written when it ends, however it ends. */
export class Notes {
  private readonly shots: Shot[] = [];
  private readonly found = new Map<string, Finding>();
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  take(shot: Shot): void {
    this.shots.push(shot);
  }

  /** The same thing at several sizes is one finding. */
  find(finding: Omit<Finding, "where">, where: string): void {
    const key = `${finding.part} ${finding.screen} ${finding.says}`;
    const before = this.found.get(key);
    this.found.set(key, { ...finding, where: [...(before?.where ?? []), where] });
  }

  get findings(): readonly Finding[] {
    return [...this.found.values()];
  }

  async write(): Promise<void> {
    const folder = join(WALK_FOLDER, "notes");
    await mkdir(folder, { recursive: true });
    const text = JSON.stringify({ shots: this.shots, findings: this.findings });
    await writeFile(join(folder, `${this.name}.json`), text);
  }
}
