import type { invited as words } from "./invited-words-ru.ts";

export const invited: typeof words = {
  lead: (day) =>
    `New members set their password by their own link, until ${day}. The links are shown once: copy, save or print them now. You can make a new one on the member's card.`,
  copyAll: "Copy all",
  copy: "Copy",
  copyOf: (name) => `Copy the link: ${name}`,
  save: "Save as a file",
  print: "Print",
  more: (count) => `Show more (${count})`,
  done: "Done",
  file: "krug-links",
  username: "Username",
  name: "Member",
  link: "Link",
  until: "Valid until",
  printedLogin: (username) => `Username: ${username}`,
  printedHow: (day) => `Open the link by ${day} and set a password. It works once.`,
};
