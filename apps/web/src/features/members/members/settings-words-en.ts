import { wordFor } from "@krug/domain/plural";

const character = wordFor("en", { one: "character", other: "characters" });
const characters = (min: number) => `${min} ${character(min)}`;

export const settings = {
  title: "Settings",
  theme: "Theme",
  dark: "Dark",
  light: "Light",
  asSystem: "As the system",
  language: "Language",
  passwordTitle: "Change password",
  current: "Current password",
  fresh: "New password",
  confirm: "Repeat the new password",
  save: "Change password",
  saving: "Saving...",
  saved: "Password changed. Other sessions are ended.",
  check: "Please check that all fields are filled in correctly",
  same: "The new password must differ from the current one",
  failed: "Wrong current password",
  promoted: { user: "Your role is to change", moderator: "You are to be a moderator", admin: "You are to be an admin" },
  promotedMore: (min: number) => `Set a password of at least ${characters(min)}, and your rights take effect.`,
  setPassword: "Change password",
};
