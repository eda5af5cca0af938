import { NO_LIMIT } from "@krug/domain/config-rules";
import { ROLES, type Role } from "@krug/domain/roles";
import { ageText, moment, shortDay } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { type UsersWords, useUsersWords } from "../../lib/i18n/users.ts";
import classes from "./member-page.module.css";
import { Panel } from "./panel.tsx";
import type { MemberFile } from "./queries.ts";

/** What staff did to a member: what it was before and what after. */
export function History({ entries, nowMs }: { entries: MemberFile["history"]; nowMs: number }) {
  const words = useUsersWords();
  const { text, language } = useSpeech();
  return (
    <Panel id="history" title={words.page.history}>
      {entries.length === 0 && <p className={classes.lead}>{words.page.noHistory}</p>}
      <ul className={classes.rows}>
        {entries.map(({ at, action, by, before, after }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be of one moment
          <li key={`${at} ${place}`}>
            <span className={classes.what}>
              <b>{words.history[action] ?? action}</b>
              {changesOf(before, after, words).map((change) => (
                <span key={change}>{change}</span>
              ))}
            </span>
            <span className={classes.much}>
              {by?.displayName ?? words.page.panel}
              <span title={moment(Date.parse(at), language)}>{ageText(Date.parse(at), nowMs, text.age)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type Values = Record<string, unknown> | null;

/** 'роль: Участник → Модератор' for each field that has a name. */
function changesOf(before: Values, after: Values, words: UsersWords): string[] {
  const names = Object.keys(words.fields).filter((name) => name in (before ?? {}) || name in (after ?? {}));
  return names.map((name) => {
    const [was, is] = [before?.[name], after?.[name]].map((value) => inWords(name, value, words));
    const label = words.fields[name] ?? name;
    return was === null || was === undefined ? `${label}: ${is ?? "—"}` : `${label}: ${was} → ${is ?? "—"}`;
  });
}

function inWords(name: string, value: unknown, { roles, edit, list, states }: UsersWords): string | null {
  if (value === null || value === undefined) return null;
  if (name === "role" && ROLES.includes(value as Role)) return roles[value as Role];
  if (name === "is_active") return value === 1 ? edit.active : states.blocked.toLowerCase();
  if (name === "config_limit") return value === NO_LIMIT ? list.noLimit : String(value);
  if (name === "subscription_end") return shortDay(new Date(Number(value)));
  if (name.startsWith("is_")) return value === 1 ? edit.yes : edit.no;
  return String(value);
}
