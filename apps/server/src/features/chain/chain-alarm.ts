/** The chain is not what it must be: nothing of it is read or credited until a person has looked. */
export class ChainAlarm extends Error {
  override readonly name = "ChainAlarm";
}
