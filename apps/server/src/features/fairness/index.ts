export { FAIRNESS_DAYS, startCounting } from "./count-settled.ts";
export { addFairnessPages, fairnessReportRoutes } from "./fairness-pages.ts";
export { type FairnessReport, openFairness } from "./read-fairness.ts";
