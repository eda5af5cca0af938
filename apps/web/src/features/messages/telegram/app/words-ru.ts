/** The club inside Telegram. */
export const app = {
  linkTitle: "Привязать этот Telegram?",
  linkLead: (account: string, username: string) =>
    `Telegram ${account} будет привязан к аккаунту ${username}. Отсюда вы будете входить без пароля, а бот пришлёт уведомления и файлы устройств.`,
  link: "Привязать",
  linked: "Telegram привязан",
  linkFailed: "Не получилось привязать",
  stopped: "Войти не получилось",
  noCookies: "Здесь войти нельзя",
  noCookiesLead: "Этот браузер не хранит вход для страниц внутри Telegram. Откройте клуб в самом браузере.",
  close: "Закрыть",
  openInBrowser: "Открыть в браузере",
};
