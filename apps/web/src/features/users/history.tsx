import { ageText, moment } from "../../lib/format.ts";
import { useAuditWords } from "../../lib/i18n/audit.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { useUsersWords } from "../../lib/i18n/users.ts";
import { changesOf, changeText } from "../audit/index.ts";
import classes from "./member-page.module.css";
import { Panel } from "./panel.tsx";
import type { MemberFile } from "./queries.ts";

/** What staff did to a member: what it was before and what after. */
export function History({ entries, nowMs }: { entries: MemberFile["history"]; nowMs: number }) {
  const words = useUsersWords();
  const audit = useAuditWords();
  const { text, language } = useSpeech();
  return (
    <Panel id="history" title={words.page.history}>
      {entries.length === 0 && <p className={classes.lead}>{words.page.noHistory}</p>}
      <ul className={classes.rows}>
        {entries.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be of one moment
          <li key={`${entry.at} ${place}`}>
            <span className={classes.what}>
              <b>{audit.actions[entry.action]}</b>
              {changesOf(entry, { words: audit, language }).map((change) => (
                <span key={change.field}>{changeText(change, audit)}</span>
              ))}
            </span>
            <span className={classes.much}>
              {entry.by?.displayName ?? words.page.panel}
              <span title={moment(Date.parse(entry.at), language)}>
                {ageText(Date.parse(entry.at), nowMs, text.age)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
