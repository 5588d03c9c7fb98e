export { addFairnessPages, fairnessReportRoutes } from "./fairness-pages.ts";
export { FAIRNESS_DAYS, type FairnessReport, openFairness } from "./read-fairness.ts";
