/**
 * Converts full-width characters and the digits of any script to plain ones, so that any keyboard's input is accepted.
 */
export function plainDigits(typed: string): string {
  return typed.normalize("NFKC").replaceAll(/\p{Nd}/gu, valueOfDigit);
}

/**
 * Returns a digit's value. Unicode keeps each script's ten digits in a row, so it is the number of digits before it.
 */
function valueOfDigit(digit: string): string {
  const place = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(place - value - 1))) value += 1;
  return String(value);
}
