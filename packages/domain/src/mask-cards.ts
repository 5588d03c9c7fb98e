const DIGITS_MIN = 13;
const DIGITS_MAX = 19;
const SHOWN = 4;
/** Digits with at most two of what people put between them: `4242 4242-4242.4242`. Full-width digits count too. */
const RUN = /[0-9０-９](?:[\s.\-‐-―/_]{0,2}[0-9０-９]){12,}/gu;

/**
 * Hides every card number in a text but its last four digits: 13 to 19 digits whose Luhn check holds, whatever stands
 * between them. Applied before a text is stored: what is never there cannot be stolen.
 */
export function maskCards(text: string): string {
  return text.replaceAll(RUN, maskRun);
}

function maskRun(run: string): string {
  const characters = Array.from(run);
  const places = characters.flatMap((character, place) => (digitOf(character) === null ? [] : [place]));
  const digits = places.map((place) => digitOf(characters[place] ?? "") ?? 0);
  let start = 0;
  while (start + DIGITS_MIN <= digits.length) {
    const length = cardLengthAt(digits, start);
    if (length === null) {
      start += 1;
      continue;
    }
    for (const place of places.slice(start, start + length - SHOWN)) characters[place] = "•";
    start += length;
  }
  return characters.join("");
}

function cardLengthAt(digits: readonly number[], start: number): number | null {
  for (let length = Math.min(DIGITS_MAX, digits.length - start); length >= DIGITS_MIN; length -= 1)
    if (isLuhn(digits.slice(start, start + length))) return length;
  return null;
}

/** Every second digit from the right is doubled; the sum of all digits ends in zero. Noughts alone are no card. */
function isLuhn(digits: readonly number[]): boolean {
  let sum = 0;
  digits.toReversed().forEach((digit, place) => {
    const worth = place % 2 === 1 ? digit * 2 : digit;
    sum += worth > 9 ? worth - 9 : worth;
  });
  return sum > 0 && sum % 10 === 0;
}

function digitOf(character: string): number | null {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0xff10 && code <= 0xff19 ? code - 0xff10 : null;
}
