/**
 * Passwords by NIST SP 800-63B-4, 3.1.1.2: at least eight characters, any Unicode, no composition rules, no forced
 * changes, checked against a list of common ones. Hashed with argon2id, 19 MiB, two passes (OWASP).
 */
import { hash, verify } from "@node-rs/argon2";
import { accept, refuse, type Verdict } from "@fairtick/domain";
import { createLimiter } from "../../platform/limiter.ts";

export const PASSWORD_CHARACTERS_MIN = 8;
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type PasswordOwner = "member" | "stranger" | "operator";
/**
 * Each hash takes 19 MiB and a thread for some milliseconds, so more at once would only make all of them late.
 * Strangers and operators have limits of their own, so that neither keeps known members waiting.
 */
const hashing = { member: createLimiter(2), stranger: createLimiter(2), operator: createLimiter(1) };

/** Normalizes characters that keyboards can write in several ways. */
function normalize(password: string): string {
  return password.normalize("NFKC");
}

export function hashPassword(password: string, owner: PasswordOwner = "member"): Promise<string> {
  return hashing[owner](() => hash(normalize(password), ARGON2ID));
}

/** The hash that passwords are compared with for unknown accounts, so that these take as long as known ones. */
const nobody = hash("an account that is not there", ARGON2ID);

/**
 * Returns whether the password matches the hash. For a null hash, returns false after the same time as for a real one.
 */
export async function passwordMatches(
  passwordHash: string | null,
  password: string,
  owner: PasswordOwner = "member",
): Promise<boolean> {
  const against = passwordHash ?? (await nobody);
  const matches = await hashing[owner](() => verify(against, normalize(password)));
  return matches && passwordHash !== null;
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined;
/**
 * Loads the list of common passwords when it is first needed. It has half a megabyte, which most processes never use.
 */
function readCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].map(String)),
  );
  return commonPasswords;
}

/** Rows of keyboards and alphabets. They are matched backwards too. */
const SEQUENCES = [
  "0123456789012345",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qazwsxedcrfvtgbyhnujmikolp",
];

function isSequence(text: string): boolean {
  const backwards = Array.from(text).reverse().join("");
  return SEQUENCES.some((sequence) => sequence.includes(text) || sequence.includes(backwards));
}

/** `abcabcabc` and `11111111`: a short piece repeated. */
function isRepetition(text: string): boolean {
  return /^(.{1,4})\1+.{0,3}$/su.test(text) && new Set(text).size <= 4;
}

/** Characters that people use in place of letters. Guessers who try `password` soon try `Passw0rd` as well. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "l",
  "+": "t",
};
/** The most characters added around a common password with which it still counts as common. */
const ADDED_CHARACTERS_MAX = 6;

/**
 * Lists the spellings of a password to look up in the list of common ones: without the characters added around it, and
 * with letters in place of lookalikes.
 */
function spellingsOf(plain: string): Set<string> {
  const core = plain.replaceAll(/^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu, "");
  const isBarelyLonger = core.length > 3 && plain.length - core.length <= ADDED_CHARACTERS_MAX;
  const written = isBarelyLonger ? [plain, core] : [plain];
  const read = (text: string) => Array.from(text, (character) => LOOKALIKES[character] ?? character).join("");
  const trimmed = plain.replaceAll(/[\p{P}\p{S}\s]+$/gu, "");
  return new Set([...written, trimmed, ...written.map(read), read(trimmed), read(plain.replaceAll(/\d+$/g, ""))]);
}

/**
 * Judges a new login password. `account` is the phone number or mail address it is for. Refuses PASSWORD_TOO_SHORT[min]
 * and PASSWORD_COMMON (in the list in any usual form, a sequence, a repetition, or made from the account's or the
 * product's name).
 */
export async function judgePassword(password: string, account: string): Promise<Verdict<null>> {
  const text = normalize(password);
  if (Array.from(text).length < PASSWORD_CHARACTERS_MIN) {
    return refuse("PASSWORD_TOO_SHORT", { min: PASSWORD_CHARACTERS_MIN });
  }
  const names = new Set([
    account.toLowerCase(),
    account.split("@")[0]?.toLowerCase() ?? "",
    account.replace("+", ""),
    "fairtick",
  ]);
  const common = await readCommonPasswords();
  const isGuessable = [...spellingsOf(text.toLowerCase().trim())].some(
    (spelling) =>
      spelling !== "" &&
      (common.has(spelling) || names.has(spelling) || isSequence(spelling) || isRepetition(spelling)),
  );
  return isGuessable ? refuse("PASSWORD_COMMON") : accept(null);
}
