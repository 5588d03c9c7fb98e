import { buildMemberApp } from "./member-app.ts";

const started = performance.now();
await buildMemberApp();
console.log(`apps/member/dist is built (${((performance.now() - started) / 1000).toFixed(1)} s).`);
