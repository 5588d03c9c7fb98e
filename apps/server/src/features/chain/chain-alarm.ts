/** Thrown if the chain isn't the one it must be. Nothing on it is read or credited until a person has checked. */
export class ChainAlarm extends Error {
  override readonly name = "ChainAlarm";
}
