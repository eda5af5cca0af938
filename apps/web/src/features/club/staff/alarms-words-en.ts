import { counter } from "@krug/domain/plural";

const payments = counter("en", { one: "payment waiting", other: "payments waiting" });
const chats = counter("en", { one: "chat waiting", other: "chats waiting" });
const servers = counter("en", { one: "more server does not answer", other: "more servers do not answer" });

export const alarms = {
  open: (count: number, first: string) => `Needs attention: ${count}. ${first}`,
  more: (count: number) => `and ${count} more`,
  panel: (since: string) => `No connection to the panel since ${since}`,
  server: (name: string, since: string) => `${name}: no answer since ${since}`,
  servers: (count: number) => servers(count),
  backup: (since: string) => `No fresh backup since ${since}`,
  maintenance: (since: string) => `Maintenance is on since ${since}`,
  claims: (count: number) => `${payments(count)} for a decision`,
  chats: (count: number) => `${chats(count)} for an answer`,
  /** The one button for each. */
  act: {
    server: "Open servers",
    backup: "Download",
    maintenance: "End it",
    claims: "Decide",
    chats: "Answer",
  },
  gone: (count: number) => `no answer: ${count}`,
};
