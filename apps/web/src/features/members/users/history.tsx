import { ageText, moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { changesOf, changeText, useAuditWords } from "../../club/audit/index.ts";
import type { MemberFile } from "./queries.ts";
import { useUsersWords } from "./words.ts";

/** Staff's changes of a member, with the values before and after. */
export function History({ entries, nowMs }: { entries: MemberFile["history"]; nowMs: number }) {
  const words = useUsersWords();
  const audit = useAuditWords();
  const { text, language } = useSpeech();
  return (
    <Panel title={words.page.history}>
      {entries.length === 0 && <p className={cells.quiet}>{words.page.noHistory}</p>}
      <Lines>
        {entries.map((entry, place) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have the same time
            key={`${entry.at} ${place}`}
            much={
              <>
                {entry.by?.displayName ?? words.page.panel}
                <span title={moment(Date.parse(entry.at), language)}>
                  {ageText(Date.parse(entry.at), nowMs, text.age)}
                </span>
              </>
            }
          >
            <b>{audit.actions[entry.action]}</b>
            {changesOf(entry, { words: audit, language }).map((change) => (
              <span key={change.field}>{changeText(change, audit)}</span>
            ))}
          </Line>
        ))}
      </Lines>
    </Panel>
  );
}
