import { findTool } from "./system-tool.ts";

/**
 * Finds Go with its x/mod library, for the log's independent reader. Missing packages are installed with apt-get if
 * possible. Any Go will do, Debian's or a downloaded one; the library always comes from Debian's package.
 */
export function findGo(): void {
  const found = findTool({
    name: "Go with its x/mod library",
    path: "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog/tlog.go",
    packages: ["golang-go", "golang-golang-x-mod-dev"],
  });
  if (!found.ok) throw new Error(found.sentence);
}
