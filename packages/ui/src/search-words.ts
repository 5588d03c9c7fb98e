/**
 * Returns lower case without accents and in plain letters, for searching: "Åland" is found by "aland", and full-width
 * and half-width letters are the same.
 */
export function plainWords(words: string): string {
  // Unicode doesn't take the Vietnamese đ apart, and people who type without accents type a d.
  return words.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("đ", "d").trim();
}
