import type { Language } from "@krug/contract/refusals";

/** The text of a ticket caused at the sign-in page, in the language of that page. */
export const ticketWords: Record<Language, { subject: string; description: string }> = {
  ru: {
    subject: "Потеряно устройство",
    description:
      "Отправлено со страницы входа, без пароля: так мог написать любой, кто знает логин. Прежде чем подтвердить, свяжитесь с участником способом, который знаете сами.",
  },
  en: {
    subject: "A device is lost",
    description:
      "Sent from the sign-in page, without a password: anyone who knows the username could have written this. Before you confirm it, contact the member over a channel that you already know.",
  },
};
