let armed: { name: string; left: number } | undefined;

/** Arms one crash point: `name`, or `name:3` for its third passing. Called once, from the configuration. */
export function armCrashPoint(spec: string | null): void {
  if (spec === null) {
    armed = undefined;
    return;
  }
  const [name, count] = spec.split(":");
  armed = { name: name ?? "", left: Number(count ?? 1) };
}

/**
 * A place where a test lets this process die as by a power cut, to see that everything goes on from the
 * tables alone. Does nothing unless this very name is armed.
 */
export function crashPoint(name: string): void {
  if (armed === undefined || armed.name !== name) return;
  armed.left -= 1;
  if (armed.left <= 0) process.kill(process.pid, "SIGKILL");
}
