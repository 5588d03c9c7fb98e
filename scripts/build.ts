import { APP_NAMES, buildApp } from "./build-app.ts";

for (const name of APP_NAMES) {
  const started = performance.now();
  await buildApp(name);
  console.log(`apps/${name}/dist is built (${((performance.now() - started) / 1000).toFixed(1)} s).`);
}
