/** Returns lower case without accents, for searching: "Åland" is found by "aland". */
export function plainWords(words: string): string {
  return words.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}
