import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readStatement } from "./bank-statement.ts";
import { type Claimed, matchStatement } from "./match-statement.ts";

const claim = (id: string, displayName: string, rubles: number, about: Partial<Claimed> = {}): Claimed => ({
  id,
  displayName,
  username: `member_${id}`,
  hundredths: rubles * 100,
  currency: "RUB",
  ...about,
});
const sumsIn = (text: string) => readStatement(text).map(({ sums }) => sums);
const found = (text: string, claims: readonly Claimed[]) => {
  const { matched, unclear, left } = matchStatement(readStatement(text), claims);
  return { matched: [...matched.keys()].sort(), unclear: unclear.map(({ ids }) => ids), left: left.length };
};

describe("what banks write", () => {
  test.each([
    ["27.11.2026 14:20 Перевод от Марины О. 1 500 руб. Карта *1234", [[150_000]]],
    ["Павел 12 300,50 ₽", [[1_230_050]]],
    ["27.11 Павел К. 300р.", [[30_000]]],
    ["Анна\u00a0Б. +\u00a0900,00\u00a0₽", [[90_000]]],
    ["+7 999 123-45-67 Борис 900", [[90_000]]],
    ["Пятёрочка −540,20 ₽", []],
    ["27 ноября 2026", []],
    ["anna27 писала", []],
    ["Павел\nПереводы\n+300 ₽\nАнна\nВходящий перевод\n+900 ₽", [[30_000], [90_000]]],
    ["+300 ₽\nПавел\n+900 ₽\nАнна", [[30_000], [90_000]]],
    ["Павел\nПеревод +300 ₽\nАнна\nПеревод +900 ₽", [[30_000], [90_000]]],
    ["26 ноября\nАнна\n14:20\n+900 руб.", [[90_000]]],
  ])("%j", (text, sums) => {
    expect(sumsIn(text)).toEqual(sums);
  });

  test("a file's header says which column came in: neither the balance nor what went out counts", () => {
    const file = [
      "Дата операции;Описание;Сумма;Остаток",
      '27.11.2026;"Перевод; от Павел К.";300,00;12 345,67',
      "26.11.2026;Оплата хостинга;-1 200,00;12 045,67",
      '26.11.2026;Марина О.;"1 500,00 ₽";13 545,67',
    ].join("\r\n");
    expect(sumsIn(file)).toEqual([[30_000], [150_000]]);
    expect(sumsIn("Дата\tКто\tПриход\tРасход\n27.11.2026\tПавел\t300,00\t\n27.11.2026\tМагазин\t\t500,00")).toEqual([
      [30_000],
    ]);
  });
});

test("a second bank's list is read after the first, whatever their forms, and a header counts for its own file only", () => {
  const file = "Дата;Описание;Сумма;Остаток\n27.11.2026;Павел К.;300,00;12 345,67";
  const app = "Анна Б.\nВходящий перевод\n+900 ₽";
  const other = "27.11.2026\tБорис\t1 500,00";
  expect(sumsIn([file, app, other].join("\n"))).toEqual([[30_000], [90_000], [150_000]]);
  expect(sumsIn([app, "", file].join("\n"))).toEqual([[90_000], [30_000]]);
  expect(sumsIn([file, "Борис", "28.11.2026;Борис;700,00;13 045,67"].join("\n"))).toEqual([[30_000], [70_000]]);
});

describe("whose payment it is", () => {
  const [pavel, marina] = [claim("1", "Павел Кузнецов", 300), claim("2", "Марина Орлова", 1500)];

  test("sum and name together find a claim, in the cases in which banks write names, or by the login", () => {
    expect(found("Павел К. +300 ₽\nПеревод от Марины +1 500 ₽", [pavel, marina]).matched).toEqual(["1", "2"]);
    expect(found("За VPN member_2 +1500 ₽", [pavel, marina]).matched).toEqual(["2"]);
  });

  test("a name with another sum, a sum with another name, and another currency find nobody", () => {
    expect(found("Павел +900 ₽\nСергей +300 ₽\nПавел +300 $", [pavel, marina])).toEqual({
      matched: [],
      unclear: [],
      left: 3,
    });
  });

  test("namesakes who owe the same are asked about; a surname's initial tells them apart", () => {
    const other = claim("3", "Павел Белов", 300);
    expect(found("Павел +300 ₽", [pavel, other])).toEqual({ matched: [], unclear: [["1", "3"]], left: 0 });
    expect(found("Павел Сергеевич К. +300 ₽", [pavel, other]).matched).toEqual(["1"]);
  });

  test("another surname's initial finds nobody, and is shown next to whose name it has", () => {
    const match = matchStatement(readStatement("Павел Ш. +300 ₽\nПавел К. +200 ₽"), [
      pavel,
      claim("3", "Павел Белов", 300),
    ]);
    expect([...match.matched.keys(), ...match.unclear]).toEqual([]);
    expect(match.left.map(({ sameName }) => sameName)).toEqual([["1", "3"], ["1"]]);
    // A first name alone says nothing against anybody.
    expect(found("Перевод от Павла +300 ₽", [pavel]).matched).toEqual(["1"]);
  });

  test("a payment with somebody's whole name and another sum is not a namesake's with half of it", () => {
    const claims = [claim("1", "Анна Белова", 800), claim("2", "Анна Громова", 300)];
    const match = matchStatement(readStatement("Белова Анна Игоревна +300 ₽"), claims);
    expect([...match.matched.keys(), ...match.unclear]).toEqual([]);
    expect(match.left.map(({ sameName }) => sameName)).toEqual([["1"]]);
  });

  test("the name may stand above the line with the sum", () => {
    expect(found("Павел К.\nПеревод +300 ₽\nМарина О.\nПеревод +1 500 ₽", [pavel, marina]).matched).toEqual(["1", "2"]);
  });

  test("who paid twice is found once", () => {
    expect(found("Павел +300 ₽\nПавел +300 ₽", [pavel])).toEqual({ matched: ["1"], unclear: [], left: 1 });
  });

  test("neither an initial nor a short word alone is a name", () => {
    expect(found("П. +300 ₽\nот ИП +300 ₽", [pavel, claim("4", "Ян", 300)])).toEqual({
      matched: [],
      unclear: [],
      left: 2,
    });
  });
});

const NAMES = [
  "Павел",
  "Марина",
  "Анна",
  "Борис",
  "Виктор",
  "Григорий",
  "Дарья",
  "Егор",
  "Жанна",
  "Зоя",
  "Кирилл",
  "Лидия",
];
const people = fc
  .tuple(
    fc.shuffledSubarray(NAMES, { minLength: 1 }),
    fc.array(fc.integer({ min: 50, max: 99_999 }), { minLength: 12, maxLength: 12 }),
  )
  .map(([names, rubles]) => names.map((name, place) => claim(String(place), name, rubles[place] ?? 300)));
const ru = (hundredths: number) => {
  const [whole = "", part = ""] = (hundredths / 100).toFixed(2).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, " ")},${part}`;
};
const FORMATS: Record<string, (claims: readonly Claimed[]) => string> = {
  file: (claims) =>
    [
      "Дата;Описание;Сумма;Остаток",
      ...claims.map((c) => `27.11.2026;Перевод от ${c.displayName};${ru(c.hundredths ?? 0)};1 000 000,00`),
    ].join("\n"),
  table: (claims) =>
    claims.map((c, at) => `${at + 1}\t27.11.2026\t${c.displayName}\t${ru(c.hundredths ?? 0)}`).join("\n"),
  "lines of an app": (claims) =>
    claims.map((c) => `${c.displayName}\nПереводы\n+${ru(c.hundredths ?? 0)} ₽`).join("\n"),
  "one line each": (claims) =>
    claims.map((c) => `27.11.2026 ${c.displayName} ${ru(c.hundredths ?? 0)} руб.`).join("\n"),
};

test.each(Object.entries(FORMATS))(
  "%s: everyone who is listed is found, whoever they are and in any order",
  (_, write) => {
    fc.assert(
      fc.property(people, (claims) => {
        const { matched, unclear } = matchStatement(readStatement(write(claims.toReversed())), claims);
        expect([...matched.keys()].sort()).toEqual(claims.map(({ id }) => id).sort());
        expect(unclear).toEqual([]);
      }),
    );
  },
);

test("whatever is pasted, a claim is offered only for an entry with its sum, an entry for one claim, and namesakes never", () => {
  const some = fc.array(
    fc.record({ name: fc.constantFrom("Павел", "Павел К", "Анна", "Ян"), rubles: fc.constantFrom(300, 900) }),
    { maxLength: 8 },
  );
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("Павел +300 ₽", "Анна +900 ₽", "300", "Павел;300,00;5", "+900 ₽", "Ян", "27.11.2026"),
  );
  fc.assert(
    fc.property(some, fc.array(line, { maxLength: 12 }), (members, lines) => {
      const claims = members.map(({ name, rubles }, place) => claim(String(place), name, rubles));
      const { matched, unclear } = matchStatement(readStatement(lines.join("\n")), claims);
      for (const [id, { sums }] of matched) {
        const { displayName, hundredths } = claims[Number(id)] as Claimed;
        expect(sums).toContain(hundredths);
        const same = claims.filter((one) => one.displayName === displayName && one.hundredths === hundredths);
        expect(same).toHaveLength(1);
      }
      expect(new Set(matched.values()).size).toBe(matched.size);
      for (const { ids } of unclear) expect(ids.length).toBeGreaterThan(1);
    }),
  );
});
