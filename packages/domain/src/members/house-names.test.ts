import { expect, it } from "vitest";
import { HOUSE_WORDS_ALONE, HOUSE_WORDS_ANYWHERE, namesTheHouse } from "./house-names.ts";

it("refuses each of the house's words, also in capitals and between other words", () => {
  const words = [...HOUSE_WORDS_ANYWHERE, ...HOUSE_WORDS_ALONE];
  const taken = words.flatMap((word) =>
    [word, word.toUpperCase(), `Anna ${word} 24`].filter((name) => !namesTheHouse(name)),
  );
  expect(taken).toEqual([]);
});

it.each([
  ["F A I R T I C K"],
  ["F.a.i.r_t-i c k"],
  ["FairTickOfficial"],
  ["Ｆａｉｒｔｉｃｋ"],
  ["𝓕𝓪𝓲𝓻𝓽𝓲𝓬𝓴"],
  ["ꜰᴀɪʀᴛɪᴄᴋ"],
  // With Cyrillic а, с, і; then with Greek ρ and ο.
  ["Fаirtісk"],
  ["Suρρort"],
  ["Ѕuрроrt 24/7"],
  ["Fa1rt1ck"],
  ["Falrtlck"],
  ["$upp0rt"],
  ["Śüppört"],
  ["Fair\u200dtick"],
  ["SUPPORT🛡️"],
  ["adm1n"],
  ["Admin2026"],
  ["a d m i n"],
  ["TheAdmin"],
  ["Adrnin"],
  ["CUSTOMER-SERVICE"],
  ["Kunden-Service"],
  ["ｻﾎﾟｰﾄ"],
  ["さぽーと担当"],
  ["客 服 小 美"],
  ["Hỗ-trợ"],
])("refuses %s", (name) => {
  expect(namesTheHouse(name)).toBe(true);
});

it.each([
  ["Zoé <b> 王"],
  ["Ana Silva"],
  ["Badminton Anna"],
  ["Stafford"],
  ["Hot Rod"],
  ["Officially Tired"],
  ["Cooperator"],
  ["Fair Trader"],
  ["Tick Tock"],
  ["Serviceman"],
  ["Владимир"],
  ["김민준"],
  ["さくら"],
  ["陳小明"],
  ["Nguyễn Thị Hồ"],
  ["m•••@example.com"],
  ["777"],
])("accepts %s", (name) => {
  expect(namesTheHouse(name)).toBe(false);
});
