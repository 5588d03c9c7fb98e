/** The chain isn't what it must be. Nothing of it is read or credited until a person has looked. */
export class ChainAlarm extends Error {
  override readonly name = "ChainAlarm";
}
