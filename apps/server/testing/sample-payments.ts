import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type PaymentStatus, periodOf } from "@krug/domain/payment-rules";
import type { App } from "../src/app.ts";
import { write } from "../src/features/money/payments/repository.ts";
import type { PaymentRow } from "../src/features/money/payments/table.ts";

const DAY_MS = 86_400_000;
const PRICE = 30_000;

/** The status of their current month; they paid for some months before it. */
const standing: { username: string; status?: PaymentStatus; note?: string; before: number }[] = [
  { username: "anton_k", status: "paid", before: 6 },
  { username: "oleg_s", status: "paid", before: 5 },
  { username: "nina", status: "paid", note: "Перевёл муж, Сергей О.", before: 3 },
  { username: "alina-m", status: "paid", before: 2 },
  { username: "gleb", status: "not_required", note: "Помогал с настройкой роутеров, месяц в подарок", before: 1 },
  { username: "p_t", status: "overdue", before: 2 },
  { username: "kate_r", before: 4 },
];

/** Members with a waiting claim and a receipt. */
const claiming = ["kate_r", "igor_zh"];

type Post = (url: string, payload: object) => Promise<{ id: string }>;

/** Payments as after half a year of a real club, and the claims that wait. */
export async function seedPayments(app: App, as: (username: string) => Promise<Post>): Promise<void> {
  const { db, transact, clock, clubTime, members } = app.parts;
  const now = clock.now().getTime();
  for (const { username, status, note = null, before } of standing) {
    const member = await members.findByUsername(db, username);
    if (member === undefined) continue;
    const month = (monthsAgo: number, of: PaymentStatus, granted: boolean): PaymentRow => {
      const paidAt = now - monthsAgo * 30.4 * DAY_MS - (before + 1) * 3_600_000;
      const until = monthsAgo === 0 ? member.subscription_end : paidAt + 30 * DAY_MS;
      return {
        id: randomUUID(),
        member_id: member.id,
        period: periodOf(now - monthsAgo * 30.4 * DAY_MS, clubTime),
        status: of,
        amount: PRICE,
        currency: "RUB",
        due_day: clubTime.dayOf(paidAt + 3 * DAY_MS),
        paid_at: of === "paid" ? paidAt : null,
        note: monthsAgo === 0 ? note : null,
        granted_from: granted ? (until ?? paidAt) - 30 * DAY_MS : null,
        granted_until: granted ? until : null,
        granted_end_before: granted ? (until ?? paidAt) - 30 * DAY_MS : null,
        granted_source_before: granted ? "payment" : null,
        granted_anchor_day: granted ? Number(clubTime.dayOf(until ?? paidAt).slice(8)) : null,
        prepayment_id: null,
        prepayment_months: null,
        created_at: paidAt,
        changed_at: paidAt,
      };
    };
    await transact(async (tx) => {
      if (status !== undefined) {
        await write(tx, [month(0, status, status !== "overdue")]);
        await members.setSettledPeriod(tx, member.id, periodOf(now, clubTime));
      }
      for (let ago = 1; ago <= before; ago++) await write(tx, [month(ago, "paid", true)]);
    });
  }
  const picture = await readFile(new URL("sample-receipt.png", import.meta.url));
  for (const username of claiming) {
    const post = await as(username);
    await post("/api/payments/claim", { receipt: `data:image/png;base64,${picture.toString("base64")}` });
  }
}
