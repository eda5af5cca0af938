import { notice } from "./notice.ts";
import { monthsIn } from "./subscription.ts";

/** What waits for staff. */
export const ofStaffWork = {
  /** A member's message in the chat (`ticketId` null) or a ticket; `images`: how many came with it. */
  member_wrote: notice(
    { ticketId: "id or null", member: "person", text: "written", images: "count" },
    {
      group: "chats",
      canWait: false,
      audience: "staff",
      tone: "idle",
      page: "/admin/support",
      ru: ({ member, text, images }) => [
        `${member} пишет в поддержку`,
        [text, ...(images > 0 ? [`Картинок: ${images}, они в панели.`] : [])].filter(Boolean).join("\n\n"),
      ],
      en: ({ member, text, images }) => [
        `${member} writes to support`,
        [text, ...(images > 0 ? [`Pictures: ${images}, see the panel.`] : [])].filter(Boolean).join("\n\n"),
      ],
      locked: {
        ru: ["Сообщение в поддержку", "Прочитать можно в панели."],
        en: ["A message to support", "Read it in the panel."],
      },
    },
  ),
  /** A member says to have paid; `sum` is empty if the club has set no price. */
  payment_claimed: notice(
    { claimId: "id", member: "person", period: "text", months: "positive if any", sum: "sums", receipt: "flag" },
    {
      group: "claims",
      canWait: false,
      audience: "staff",
      tone: "wait",
      page: "/admin/payments",
      ru: ({ member, period, months, sum, receipt }, { money }) => [
        `${member}: «Я оплатил»`,
        `${[monthsIn("ru", period, months), ...sum.map(({ amount, currency }) => money(amount, currency))].join(", ")}. ${receipt ? "Чек приложен." : "Без чека."}`,
      ],
      en: ({ member, period, months, sum, receipt }, { money }) => [
        `${member}: “I have paid”`,
        `${[monthsIn("en", period, months), ...sum.map(({ amount, currency }) => money(amount, currency))].join(", ")}. ${receipt ? "With a receipt." : "No receipt."}`,
      ],
      locked: {
        ru: ["Участник сообщил об оплате", "Подтвердить можно в панели."],
        en: ["A member says they have paid", "Confirm it in the panel."],
      },
    },
  ),
};
