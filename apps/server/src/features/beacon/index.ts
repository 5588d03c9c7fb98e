export { type BeaconKey, openBeaconKey } from "./beacon-key.ts";
export { type RunningBeacon, startBeacon } from "./start-beacon.ts";
export { type BeaconFollower, followBeacon } from "./follow-beacon.ts";
