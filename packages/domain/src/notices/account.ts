import { notice } from "./notice.ts";

/** Nobody switches these off: they tell the owner what a stranger may have done. */
const own = { group: null, canWait: false, audience: "member" } as const;

/** About how a member signs in. */
export const ofAccount = {
  passkey_added: notice(
    { name: "text" },
    {
      ...own,
      tone: "warn",
      ru: ({ name }) => [
        `К вашей учётной записи добавлен ключ доступа: ${name}`,
        "Если это не вы, удалите его в настройках и смените пароль.",
      ],
      en: ({ name }) => [
        `A passkey was added to your account: ${name}`,
        "If that was not you, remove it in the settings and change your password.",
      ],
    },
  ),
  /** It counts its uses, and the count went back. */
  passkey_copied: notice(
    { name: "text" },
    {
      ...own,
      tone: "bad",
      ru: ({ name }) => [
        `Вход отклонён: у ключа доступа ${name}, похоже, есть копия`,
        "Удалите его в настройках и добавьте новый. Если входили не вы, смените и пароль.",
      ],
      en: ({ name }) => [
        `A sign-in was refused: the passkey ${name} seems to have a copy`,
        "Remove it in the settings and add a new one. If it was not you, change your password too.",
      ],
    },
  ),
  /** All of them ended; `by`: staff did it, or the password was reset. */
  passkeys_reset: notice(
    { by: ["staff", "password", "lost_device"] },
    {
      ...own,
      tone: "warn",
      ru: ({ by }) => [
        "Ваши ключи доступа удалены",
        {
          staff: "Их сбросил администратор. Войдите паролем; новый ключ добавляется в настройках.",
          password: "Пароль задан заново, и прежние ключи больше не действуют. Новый добавляется в настройках.",
          lost_device: "Один из них мог остаться на потерянном устройстве. Новый добавляется в настройках.",
        }[by],
      ],
      en: ({ by }) => [
        "Your passkeys were removed",
        {
          staff: "An admin reset them. Sign in with your password; you can add a new one in the settings.",
          password:
            "The password was set again, so the old passkeys no longer work. You can add a new one in the settings.",
          lost_device: "One of them may be on the device you lost. You can add a new one in the settings.",
        }[by],
      ],
    },
  ),
};
