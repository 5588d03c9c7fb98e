// Preloaded into each process that `npm run dev` starts. Reports over IPC to the start script which of the project's
// files the process has loaded, so that a change of one of them restarts it.
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith("file:") && !url.includes("/node_modules/") && process.connected)
      process.send({ kind: "loaded", url }, () => undefined);
    return nextLoad(url, context);
  },
});
