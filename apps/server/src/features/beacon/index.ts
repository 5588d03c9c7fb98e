export { type BeaconDoor, openBeaconDoor, readBeaconChain } from "./ask-beacon.ts";
export { addBeaconPages } from "./beacon-pages.ts";
export { type BeaconKey, openBeaconKey } from "./beacon-key.ts";
export { type RunningBeacon, startBeacon } from "./start-beacon.ts";
