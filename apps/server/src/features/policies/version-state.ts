/** Returns whether a version is earlier than, the same as, or later than the one in force. */
export function stateOfVersion(version: number, current: number): "past" | "current" | "coming" {
  if (version === current) return "current";
  return version < current ? "past" : "coming";
}
