const DIGITS_MIN = 13;
const DIGITS_MAX = 19;
const SHOWN = 4;
/** Code point of each script's zero: ASCII, full-width, Arabic-Indic, Persian, Devanagari, Bengali, Thai. */
const ZEROS = [0x30, 0xff10, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
const DIGIT = `[${ZEROS.map((zero) => `${String.fromCodePoint(zero)}-${String.fromCodePoint(zero + 9)}`).join("")}]`;
/** Characters that people put between digits, visible or not: `4242 4242-4242.4242`. */
const BETWEEN = String.raw`[\s\p{Pd}\p{Cf}.,/_·]`;
/**
 * Matches runs that may contain a card number: digits with at most two characters between neighbours and no comma, or
 * blocks of at least four digits with up to three characters between them. Amounts in a row (`10.00, 20.00`) don't
 * match.
 */
const RUN = new RegExp(
  String.raw`${DIGIT}{4,}(?:${BETWEEN}{1,3}${DIGIT}{4,}){2,}|${DIGIT}(?:[\s\p{Pd}\p{Cf}./_·]{0,2}${DIGIT}){12,}`,
  "gu",
);

/**
 * Masks every card number in a text except its last four digits. A card number is 13 to 19 digits that pass the Luhn
 * check, whatever is between them. Texts are masked before they are stored, so that no card number can be stolen from
 * the database.
 */
export function maskCards(text: string): string {
  return text.replaceAll(RUN, maskRun);
}

interface Digit {
  /** Its index among the run's characters. */
  readonly place: number;
  readonly value: number;
  /** `opens`: no other digit precedes it in its block. `closes`: none follows. */
  readonly opens: boolean;
  readonly closes: boolean;
}

function maskRun(run: string): string {
  const characters = Array.from(run);
  const digits = digitsOf(characters);
  const isHidden = new Set<number>();
  // Try whole blocks first, so that a number before the card (`1234 4242 4242 4242 4242`) doesn't take its first
  // digits.
  for (const isWhole of [true, false]) {
    let start = 0;
    while (start + DIGITS_MIN <= digits.length) {
      const card = cardAt(digits, start, isWhole);
      if (card === null || card.some(({ place }) => isHidden.has(place))) {
        start += 1;
        continue;
      }
      for (const { place } of card) isHidden.add(place);
      for (const { place } of card.slice(0, -SHOWN)) characters[place] = "•";
      start += card.length;
    }
  }
  return characters.join("");
}

function digitsOf(characters: readonly string[]): Digit[] {
  const values = characters.map(digitOf);
  return values.flatMap((value, place) =>
    value === null
      ? []
      : [{ place, value, opens: (values[place - 1] ?? null) === null, closes: (values[place + 1] ?? null) === null }],
  );
}

function cardAt(digits: readonly Digit[], start: number, isWhole: boolean): readonly Digit[] | null {
  if (isWhole && digits[start]?.opens !== true) return null;
  for (let length = Math.min(DIGITS_MAX, digits.length - start); length >= DIGITS_MIN; length -= 1) {
    const card = digits.slice(start, start + length);
    if ((!isWhole || card.at(-1)?.closes === true) && isLuhn(card)) return card;
  }
  return null;
}

/** Runs the Luhn check: every second digit from the right is doubled, and the sum must end in zero. All zeros fail. */
function isLuhn(digits: readonly Digit[]): boolean {
  let sum = 0;
  digits.toReversed().forEach(({ value }, place) => {
    const worth = place % 2 === 1 ? value * 2 : value;
    sum += worth > 9 ? worth - 9 : worth;
  });
  return sum > 0 && sum % 10 === 0;
}

function digitOf(character: string): number | null {
  const code = character.codePointAt(0) ?? 0;
  const zero = ZEROS.find((zero) => code >= zero && code <= zero + 9);
  return zero === undefined ? null : code - zero;
}
