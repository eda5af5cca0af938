import { notice } from "./notice.ts";
import { monthIn } from "./subscription.ts";

/** What waits for staff. */
export const ofStaffWork = {
  /** A member says to have paid; `sum` is empty if the club has set no price. */
  payment_claimed: notice(
    { claimId: "id", member: "person", period: "text", sum: "sums", receipt: "flag" },
    {
      group: "claims",
      canWait: false,
      audience: "staff",
      tone: "wait",
      page: "/admin/payments",
      ru: ({ member, period, sum, receipt }, { money }) => [
        `${member}: «Я оплатил»`,
        `${[monthIn("ru", period), ...sum.map(({ amount, currency }) => money(amount, currency))].join(", ")}. ${receipt ? "Чек приложен." : "Без чека."}`,
      ],
      en: ({ member, period, sum, receipt }, { money }) => [
        `${member}: “I have paid”`,
        `${[monthIn("en", period), ...sum.map(({ amount, currency }) => money(amount, currency))].join(", ")}. ${receipt ? "With a receipt." : "No receipt."}`,
      ],
      locked: {
        ru: ["Участник сообщил об оплате", "Подтвердить можно в панели."],
        en: ["A member says they have paid", "Confirm it in the panel."],
      },
    },
  ),
};
