import { wordFor } from "@krug/domain/plural";

const character = wordFor("ru", { one: "символа", other: "символов" });
const characters = (min: number) => `${min} ${character(min)}`;

/** The settings dialog, including the password change. The specification's texts are verbatim. */
export const settings = {
  title: "Настройки",
  theme: "Тема",
  dark: "Тёмная",
  light: "Светлая",
  asSystem: "Как в системе",
  language: "Язык",
  passwordTitle: "Смена пароля",
  current: "Текущий пароль",
  fresh: "Новый пароль",
  confirm: "Повторите новый пароль",
  save: "Сменить пароль",
  saving: "Сохранение...",
  saved: "Пароль изменён. Другие входы завершены.",
  check: "Пожалуйста, проверьте правильность заполнения всех полей",
  same: "Новый пароль должен отличаться от текущего",
  failed: "Неверный текущий пароль",
  promoted: {
    user: "Вам дают другую роль",
    moderator: "Вас назначили модератором",
    admin: "Вас назначили администратором",
  },
  promotedMore: (min: number) => `Задайте пароль от ${characters(min)}, и права начнут действовать.`,
  setPassword: "Сменить пароль",
};
