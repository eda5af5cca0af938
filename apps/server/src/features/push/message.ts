import type { NoticeAnswer } from "@krug/contract/inbox";
import type { Language } from "@krug/contract/refusals";
import { type PrivateKind, traitsOf } from "@krug/domain/notices";
import { sayNotice } from "../outbox/index.ts";

/** Push services must take 4,096 bytes of what is encrypted (RFC 8030, section 7.2), which leaves 3,993 for the text. */
const MOST_BYTES = 3_000;
const MOST_TITLE = 200;

/** What a locked screen shows of private kinds. */
const PLAIN = {
  ru: {
    staff_message: ["Сообщение от администрации", "Прочитать можно в кабинете."],
    ticket_opened: ["Новое обращение", "Прочитать можно в панели."],
    member_joined: ["Новый участник", "Вошёл по коду приглашения."],
    daily_digest: ["Сводка за вчера", "Прочитать можно в панели."],
  },
  en: {
    staff_message: ["A message from the club's staff", "Read it in your dashboard."],
    ticket_opened: ["New ticket", "Read it in the panel."],
    member_joined: ["New member", "Joined with an invite code."],
    daily_digest: ["Yesterday's summary", "Read it in the panel."],
  },
} as const satisfies Record<Language, Record<PrivateKind, readonly [title: string, more: string]>>;

/** What the service worker shows (apps/web/build/worker.js), as JSON. */
export function pushMessage(notice: NoticeAnswer, language: Language, today: string): string {
  const { title, more } = sayPlainly(notice, language, today);
  const write = (body: string) =>
    JSON.stringify({
      id: notice.id,
      title: shortened(title, MOST_TITLE),
      body,
      path: traitsOf(notice.kind).page ?? "/dashboard",
      language,
    });
  let length = more.length;
  while (Buffer.byteLength(write(shortened(more, length))) > MOST_BYTES) length = Math.floor(length * 0.8);
  return write(shortened(more, length));
}

function sayPlainly(notice: NoticeAnswer, language: Language, today: string): { title: string; more: string } {
  const { kind } = notice;
  if (!isPlain(kind)) return sayNotice(notice, language, today);
  const [title, more] = PLAIN[language][kind];
  return { title, more };
}

const isPlain = (kind: NoticeAnswer["kind"]): kind is PrivateKind => kind in PLAIN.ru;

/** By whole characters, also where one is two units long. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
