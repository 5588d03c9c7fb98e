/** Wide signs as plain ones, and the digits of any script as 0 to 9: what a keyboard of another script types is as good. */
export function plainDigits(typed: string): string {
  return typed.normalize("NFKC").replaceAll(/\p{Nd}/gu, valueOfDigit);
}

/** Unicode keeps each script's ten digits in a row, so that a digit's value is how many of them stand before it. */
function valueOfDigit(digit: string): string {
  const place = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(place - value - 1))) value += 1;
  return String(value);
}
