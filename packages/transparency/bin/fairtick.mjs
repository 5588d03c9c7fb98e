#!/usr/bin/env node
// Plain JavaScript, since an older Node has to read it; the launcher finds one that runs the command itself.
const main = new URL("../src/cli/main.ts", import.meta.url);
process.argv.splice(2, 0, decodeURIComponent(main.pathname));
await import(new URL("../../../scripts/launch.mjs", import.meta.url).href);
