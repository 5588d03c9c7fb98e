/**
 * Words that members' names may not contain, because others would take them for the house. They are listed as people
 * write them. Words and names are both folded before they are compared, so that capitals, accents and lookalike letters
 * make no difference.
 */

/** Words that count anywhere in a name, also with spaces or signs between their letters. */
export const HOUSE_WORDS_ANYWHERE: readonly string[] = [
  // The house's own name.
  "Fairtick",
  "フェアティック",
  "페어틱",
  // English, and words that other languages borrowed from it.
  "support",
  "customer service",
  "customer care",
  "client service",
  "help desk",
  "service desk",
  "administrator",
  "moderator",
  "VIP manager",
  "account manager",
  // Chinese, traditional and simplified.
  "客服",
  "客戶服務",
  "客户服务",
  "官方",
  "管理員",
  "管理员",
  "專屬經理",
  "专属经理",
  "工作人員",
  "工作人员",
  // Japanese.
  "サポート",
  "カスタマー",
  "ヘルプデスク",
  "運営",
  "管理者",
  "公式",
  // Korean.
  "고객센터",
  "고객지원",
  "고객상담",
  "상담원",
  "지원팀",
  "서포트",
  "관리자",
  "운영자",
  "운영진",
  "공식계정",
  // German, Dutch.
  "Kundenservice",
  "Kundendienst",
  "Kundenbetreuung",
  "klantenservice",
  // Spanish, Portuguese, Italian, French.
  "servicio al cliente",
  "atención al cliente",
  "administrador",
  "moderador",
  "atendimento ao cliente",
  "servizio clienti",
  "assistenza clienti",
  "amministratore",
  "amministrazione",
  "moderatore",
  "service client",
  "service clientèle",
  "administrateur",
  "modérateur",
  // Vietnamese.
  "chăm sóc khách hàng",
  "dịch vụ khách hàng",
  "quản trị viên",
  // Russian, Ukrainian, Polish, Turkish, Indonesian, Arabic, Hindi, Thai.
  "поддержка",
  "підтримка",
  "администратор",
  "модератор",
  "obsługa klienta",
  "müşteri hizmetleri",
  "layanan pelanggan",
  "خدمة العملاء",
  "الدعم الفني",
  "ग्राहक सेवा",
  "ฝ่ายบริการลูกค้า",
];

/** Words that count only when they stand alone, because other words contain them (badminton, Stafford, hot rod). */
export const HOUSE_WORDS_ALONE: readonly string[] = [
  "admin",
  "admins",
  "moderation",
  "staff",
  "official",
  "operator",
  "CS team",
  "help team",
  "soporte",
  "suporte",
  "assistance",
  "assistenza",
  "oficial",
  "officiel",
  "ufficiale",
  "offiziell",
  "hỗ trợ",
  "hotro",
  "CSKH",
  "destek",
  "支援",
];

/** Letters and signs that look like a Latin letter once capitals and accents are removed. `l` and `i` count as one. */
const LOOKALIKES: readonly (readonly [latin: string, others: string])[] = [
  ["a", "аαɑᴀ4@"],
  ["b", "вьβʙ8"],
  ["c", "сςᴄϲ"],
  ["d", "ԁđðᴅ"],
  ["e", "еєεэᴇɛ3€"],
  ["f", "ғƒꜰ"],
  ["g", "ɡɢցց9"],
  ["h", "нһħʜհ"],
  ["i", "іӏιıɪɩlłʟ1!|"],
  ["j", "јᴊ"],
  ["k", "кκᴋ"],
  ["m", "мᴍ"],
  ["n", "ипηπɴո"],
  ["o", "оοσօøᴏ0"],
  ["p", "рρþᴘ"],
  ["q", "ԛզ"],
  ["r", "гяʀɾ"],
  ["s", "ѕꜱƽ5$"],
  ["t", "тτŧᴛ7+"],
  ["u", "цυμսᴜʋ"],
  ["v", "ѵνᴠ"],
  ["w", "ԝωᴡшѡ"],
  ["x", "хχ"],
  ["y", "уγʏ"],
  ["z", "ᴢ2"],
];
const LATIN_OF = new Map(
  LOOKALIKES.flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);

/** Returns whether people would take someone of this name for the house, its administrators or its customer service. */
export function namesTheHouse(name: string): boolean {
  const folded = fold(name);
  const bare = squeeze(folded);
  if (ANYWHERE.some((word) => bare.includes(word))) return true;
  // Once with digits read as letters (`adm1n`), and once without digits (`admin24`).
  return [folded, fold(name.replaceAll(/\p{N}/gu, " "))].some((text) => {
    const words = ` ${wordsOf(text)} `;
    return ALONE.some((word) => words.includes(` ${word} `));
  });
}

/**
 * Makes names comparable: one form per letter, no capitals, accents or invisible signs, and lookalikes as Latin
 * letters.
 */
function fold(text: string): string {
  const plain = text
    // `SupportTeam` is two words.
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .normalize("NFKD")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, "")
    // Convert hiragana to katakana.
    .replaceAll(/[\u3041-\u3096]/gu, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0x60));
  return Array.from(plain, (sign) => LATIN_OF.get(sign) ?? sign)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

function squeeze(folded: string): string {
  return folded.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the words of a folded name, separated by single spaces. Spaced-out letters (`a d m i n`) become one word. */
function wordsOf(folded: string): string {
  return folded
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ")
    .replaceAll(/(?<=(?:^| )\S) (?=\S(?: |$))/gu, "");
}

const ANYWHERE = HOUSE_WORDS_ANYWHERE.map((word) => squeeze(fold(word)));
const ALONE = HOUSE_WORDS_ALONE.map((word) => wordsOf(fold(word)));
