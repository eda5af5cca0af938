import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { PaymentLength } from "@krug/domain/prepaid-months";
import { newMemberRow } from "../apps/server/src/features/members/members/new-member.ts";
import { insert } from "../apps/server/src/features/members/members/repository.ts";
import type { MemberRow } from "../apps/server/src/features/members/members/table.ts";
import { insertClaim, insertReceipt } from "../apps/server/src/features/money/payments/repository.ts";
import type { SampleClub } from "./sample.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PRICES: Readonly<Record<PaymentLength, number>> = { 1: 300, 3: 800, 6: 1_500, 12: 2_900 };
const MEN = "Антон Борис Виктор Глеб Денис Егор Захар Иван Кирилл Леонид".split(" ");
const WOMEN = "Алина Вера Галина Дарья Елена Жанна Зоя Инна Клара Лидия".split(" ");
const SURNAMES =
  "Авдеев Баранов Власов Гусев Дорохов Ерёмин Жилин Зайцев Исаев Комаров Лаптев Мухин Носков Орехов Пахомов Рыбаков Сидоров Титов Уваров Филин Хохлов Цветков Чижов Шубин Щукин Юдин Яшин Агапов Быков Воронин".split(
    " ",
  );

/** What a statement says of a claim. */
type Case =
  | "paid"
  | "paid elsewhere"
  | "both namesakes"
  | "one of two namesakes"
  | "another sum"
  | "missing"
  | "twice"
  | "unlimited";

interface Payer {
  name: string;
  months: PaymentLength;
  of: Case;
}

const CASES: [of: Case, count: number][] = [
  ["paid", 226],
  ["paid elsewhere", 34],
  ["both namesakes", 6],
  ["one of two namesakes", 6],
  ["another sum", 12],
  ["missing", 10],
  ["twice", 4],
  ["unlimited", 2],
];

function payers(): Payer[] {
  const all: Payer[] = [];
  for (const [of, count] of CASES)
    for (let n = 0; n < count; n++) {
      const twin = of.includes("namesakes") && n % 2 === 1 ? all.at(-1) : undefined;
      const months = ([1, 1, 3, 1, 6, 12] as const)[all.length % 6] ?? 1;
      all.push(twin ? { ...twin } : { name: nameOf(all.length), months, of });
    }
  return all;
}

/** Nobody else has it. */
function nameOf(n: number): string {
  const isWoman = n % 2 === 1;
  const first = (isWoman ? WOMEN : MEN)[Math.floor(n / 2) % 10];
  const last = SURNAMES[Math.floor(n / 20) + (Math.floor(n / 2) % 2) * 15];
  return `${first} ${last}${isWoman ? "а" : ""}`;
}

const rubles = (sum: number) => `${sum},00`;

/** 250 lines of a file: full names, what went out, a salary, a transfer listed twice. */
function statement(all: readonly Payer[]): string {
  const entry = ({ name }: Payer, sum: number) => {
    const [first, last] = name.split(" ");
    return `27.11.2026;Перевод по СБП. ${last} ${first};${rubles(sum)}`;
  };
  const lines = all.flatMap((payer, place): string[] => {
    const line = entry(payer, PRICES[payer.months]);
    switch (payer.of) {
      case "paid":
      case "both namesakes":
        return [line];
      case "one of two namesakes":
        return all[place - 1]?.name === payer.name ? [] : [line];
      case "another sum":
        return [entry(payer, PRICES[payer.months] - 50)];
      case "twice":
        return [line, line];
      default:
        return [];
    }
  });
  const noise = ["27.11.2026;Пятёрочка;-540,20", "27.11.2026;Зарплата ООО «Ромашка»;84 000,00"];
  const other = Array.from({ length: 250 - lines.length - noise.length }, (_, n) => `27.11.2026;Метро;-${60 + n},00`);
  return ["Дата;Описание;Сумма", ...[...lines, ...noise, ...other].sort()].join("\n");
}

/** As another bank's app copies it. */
const elsewhere = (all: readonly Payer[]) =>
  all
    .filter(({ of }) => of === "paid elsewhere")
    .map(({ name, months }) => `${name.replace(/(\S+) (\p{L}).*/u, "$1 $2.")}\nВходящий перевод\n+${PRICES[months]} ₽`)
    .join("\n");

/** 2,000 members, of whom 300 say on one evening that they have paid. */
export async function fillEvening({ app, asAdmin }: SampleClub) {
  await asAdmin("PUT /admin/payments/settings", "/admin/payments/settings", {
    price: "300",
    price3: "800",
    price6: "1500",
    price12: "2900",
    currency: "RUB",
  });
  const { transact } = app.parts;
  const waiting = (await asAdmin("GET /admin/payments/claims", "/admin/payments/claims?limit=50")).map(({ id }) => id);
  for (const id of waiting)
    await asAdmin("PUT /admin/payments/claims/{id}/decline", `/admin/payments/claims/${id}/decline`, {});
  const picture = await readFile(new URL("../apps/server/testing/sample-receipt.png", import.meta.url));
  const now = Date.now();
  const all = payers();
  const rows = Array.from(
    { length: 2_000 },
    (_, n): MemberRow =>
      newMemberRow({
        username: `m${String(n).padStart(4, "0")}`,
        display_name: all[n]?.name ?? `Участник ${n}`,
        created_at: now - (3_000 - n) * 60 * MINUTE_MS,
        accepted_rules_at: now,
        is_unlimited: all[n]?.of === "unlimited" ? 1 : 0,
        subscription_end: now + ((n * 7) % 40) * DAY_MS - 5 * DAY_MS,
        subscription_source: "payment",
      }),
  );
  await transact(async (tx) => {
    for (const row of rows) await insert(tx, row);
    for (const [place, { months, of }] of all.entries()) {
      const receipt = of.includes("namesakes") ? randomUUID() : null;
      if (receipt !== null) await insertReceipt(tx, { id: receipt, media: "image/png", picture });
      await insertClaim(tx, {
        id: randomUUID(),
        member_id: rows[place]?.id ?? "",
        state: "waiting",
        claimed_at: now - (300 - place) * MINUTE_MS,
        decided_at: null,
        decided_by: null,
        reason: null,
        receipt_id: receipt,
        months,
        amount: PRICES[months] * 100,
        currency: "RUB",
      });
    }
  });
  const usernames = (...of: Case[]) =>
    all.flatMap((payer, place) => (of.includes(payer.of) ? [rows[place]?.username ?? ""] : []));
  return {
    statement: statement(all),
    elsewhere: elsewhere(all),
    usernames,
    nameOf: (username: string) => all[Number(username.slice(1))]?.name ?? "",
  };
}
