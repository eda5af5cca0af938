import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import type { Language } from "@krug/contract/refusals";
import { traitsOf } from "@krug/domain/notices";
import { renderNotice } from "../outbox/index.ts";

/** Push services must accept 4,096 encrypted bytes (RFC 8030, section 7.2), which leaves 3,993 for the text. */
const MOST_BYTES = 3_000;
const MOST_TITLE = 200;

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
  const { locked } = traitsOf(notice.kind);
  if (locked === undefined) return renderNotice(notice, language, today);
  const [title, more] = locked[language];
  return { title, more };
}

/** By whole characters, even if one is two units long. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
