import { wordFor } from "@krug/domain/plural";

const character = wordFor("en", { one: "character", other: "characters" });
const characters = (min: number) => `${min} ${character(min)}`;

export const settings = {
  title: "Settings",
  theme: "Theme",
  dark: "Dark",
  light: "Light",
  asSystem: "Same as the system",
  language: "Language",
  passwordTitle: "Change password",
  current: "Current password",
  fresh: "New password",
  confirm: "Repeat the new password",
  save: "Change password",
  saving: "Saving...",
  saved: "Password changed. Other sessions have ended.",
  check: "Please check that all fields are filled in correctly",
  same: "The new password must differ from the current one",
  failed: "Wrong current password",
  promoted: {
    user: "Your role will change",
    moderator: "You will become a moderator",
    admin: "You will become an admin",
  },
  promotedMore: (min: number) => `Set a password of at least ${characters(min)}, and your rights take effect.`,
  setPassword: "Change password",
};
