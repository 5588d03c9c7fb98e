/** Returns whether the digits count up or down; zero follows nine. */
function isRun(digits: readonly number[]): boolean {
  return [1, 9].some((step) =>
    digits.every((digit, place) => place === 0 || digit === ((digits[place - 1] ?? 0) + step) % 10),
  );
}

/** Writes a birth date (`1990-05-17`) as six digits in each of the three usual orders. */
function datesOf(birthDate: string): readonly string[] {
  const [year = "", month = "", day = ""] = birthDate.split("-");
  const short = year.slice(2);
  return [day + month + short, month + day + short, short + month + day];
}

/**
 * Returns whether six digits are among the first that a thief would try: fewer than three different digits, consecutive
 * digits (123456, 987654, 112233), a repeated group (123123), or the member's own birth date.
 */
export function isGuessablePin(pin: string, birthDate: string | null = null): boolean {
  const digits = Array.from(pin, Number);
  const pairs = digits.filter((_, place) => place % 2 === 0);
  return (
    new Set(digits).size < 3 ||
    isRun(digits) ||
    (/^(?:(.)\1)+$/.test(pin) && isRun(pairs)) ||
    /^(.{1,3})\1+$/.test(pin) ||
    (birthDate !== null && datesOf(birthDate).includes(pin))
  );
}
