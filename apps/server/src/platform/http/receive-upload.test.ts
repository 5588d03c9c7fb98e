import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

it("an upload that doesn't fit on the disk leaves nothing behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-full-"));
  const program = join(import.meta.dirname, "test-full-disk.ts");
  const limited = 'ulimit -f 8; exec "$0" "$1" "$2"';
  const child = spawn("sh", ["-c", limited, process.execPath, program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "exit");
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const send = async (bytes: number) => {
      const form = new FormData();
      form.set("file", new Blob([new Uint8Array(bytes)]), "x");
      const response = await fetch(`http://127.0.0.1:${port.toString().trim()}`, { method: "POST", body: form });
      return await response.json();
    };
    expect(await send(500_000)).toEqual({ said: "EFBIG", left: 0 });
    expect(await send(1_000)).toEqual({ said: "taken", left: 1 });
  } finally {
    child.stdin.end();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
});
