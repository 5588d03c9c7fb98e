let armed: { name: string; left: number } | undefined;

/** Arms one crash point: `name`, or `name:3` for the third time it is passed. Called once, from the configuration. */
export function armCrashPoint(spec: string | null): void {
  if (spec === null) {
    armed = undefined;
    return;
  }
  const [name, count] = spec.split(":");
  armed = { name: name ?? "", left: Number(count ?? 1) };
}

/**
 * Kills this process as a power cut would if a test armed this name. Tests use it to show that everything continues from the
 * tables alone.
 */
export function crashPoint(name: string): void {
  if (armed === undefined || armed.name !== name) return;
  armed.left -= 1;
  if (armed.left <= 0) process.kill(process.pid, "SIGKILL");
}
