import { findTool } from "./system-tool.ts";

const PROGRAM = "/usr/bin/python3";

/**
 * Finds Debian's Python with its `cryptography` package, for the second verifier. Missing packages are installed with
 * apt-get if possible. Another Python on the machine wouldn't have Debian's packages.
 */
export function findPython(): string {
  const parts = [
    { name: "Python", path: PROGRAM, packages: ["python3"] },
    {
      name: "Python's cryptography",
      path: "/usr/lib/python3/dist-packages/cryptography/__init__.py",
      packages: ["python3-cryptography"],
    },
  ];
  for (const part of parts) {
    const found = findTool(part);
    if (!found.ok) throw new Error(found.sentence);
  }
  return PROGRAM;
}
