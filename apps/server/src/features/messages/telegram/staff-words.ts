import type { Language } from "@krug/contract/refusals";

export interface StaffWords {
  confirm: string;
  decline: string;
  receipt: string;
  open: string;
  /** Under a claim that somebody decided on. */
  confirmed(who: string, when: string): string;
  declined(who: string, when: string, reason: string | null): string;
  /** Before it was recorded who decides, and colleagues whom the reader must not know. */
  somebody: string;
  claimGone: string;
  /** Instead of a message about a member who was deleted. */
  gone: string;
  askReason: string;
  noReason: string;
  cancel: string;
  cancelled: string;
  /** Before an act in a chat that has not been confirmed for 12 hours. */
  askCode: string;
  codeWanted: string;
  notStaff: string;
  switchedOff: string;
}

const ru: StaffWords = {
  confirm: "Подтвердить",
  decline: "Отклонить",
  receipt: "Чек",
  open: "Открыть",
  confirmed: (who, when) => `Подтверждено: ${who}, ${when}`,
  declined: (who, when, reason) => `Отклонено: ${who}, ${when}${reason === null ? "" : `\nПричина: ${reason}`}`,
  somebody: "кто-то из сотрудников",
  claimGone: "Этой заявки больше нет: участник её отозвал или удалён.",
  gone: "Этого сообщения больше нет: участник удалён.",
  askReason: "Почему отклонить? Следующее сообщение увидит участник, до 300 символов.",
  noReason: "Отклонить без причины",
  cancel: "Отмена",
  cancelled: "Хорошо, ничего не сделано.",
  askCode:
    "Сначала подтвердите, что это вы: отправьте сюда код из приложения двухфакторной защиты. Затем 12 часов он не понадобится.",
  codeWanted: "Жду код из приложения: шесть цифр.",
  notStaff: "Это могут только сотрудники клуба.",
  switchedOff: "Администратор выключил действия сотрудников в Telegram. Откройте панель.",
};

const en: StaffWords = {
  confirm: "Confirm",
  decline: "Decline",
  receipt: "Receipt",
  open: "Open",
  confirmed: (who, when) => `Confirmed: ${who}, ${when}`,
  declined: (who, when, reason) => `Declined: ${who}, ${when}${reason === null ? "" : `\nReason: ${reason}`}`,
  somebody: "one of the staff",
  claimGone: "This claim is gone: the member took it back or was deleted.",
  gone: "This message is gone: the member was deleted.",
  askReason: "Why decline it? The member will see your next message, up to 300 characters.",
  noReason: "Decline without a reason",
  cancel: "Cancel",
  cancelled: "All right, nothing was done.",
  askCode: "First confirm that it is you: send the code from your two-factor app here. It is good for 12 hours.",
  codeWanted: "Waiting for the code from the app: six digits.",
  notStaff: "Only the club's staff can do this.",
  switchedOff: "An admin has switched off staff's acts in Telegram. Open the panel.",
};

export const staffWords: Readonly<Record<Language, StaffWords>> = { ru, en };
