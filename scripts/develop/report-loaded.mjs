// Preloaded into each process that `npm run dev` starts: tells the start script, over IPC, which of the project's files
// the process has loaded. A change of one of them is what restarts it.
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith("file:") && !url.includes("/node_modules/") && process.connected)
      process.send({ kind: "loaded", url }, () => undefined);
    return nextLoad(url, context);
  },
});
