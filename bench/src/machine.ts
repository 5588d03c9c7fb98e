import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";

/** Describes the machine of the measurement. The load from others at the start shows how reliable the figures are. */
export function machineFacts(): Record<string, unknown> {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    virtual: isVirtual(),
    node: process.version,
    loadAtStart: loadavg().map((load) => Number(load.toFixed(2))),
    at: new Date().toISOString(),
  };
}

function isVirtual(): boolean {
  try {
    return /^flags\b.*\bhypervisor\b/m.test(readFileSync("/proc/cpuinfo", "utf8"));
  } catch {
    return false;
  }
}
