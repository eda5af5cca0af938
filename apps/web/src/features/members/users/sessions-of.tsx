import { Button } from "@mantine/core";
import { useState } from "react";
import { ageText, dayText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useMay } from "../../club/staff/index.ts";
import { ResetDialog } from "./lazy-reset-dialog.ts";
import type { MemberFile } from "./queries.ts";
import { useUsersWords } from "./words.ts";

/** Where a member is signed in; an admin can end all of it. */
export function SessionsOf({ file, nowMs }: { file: MemberFile; nowMs: number }) {
  const { page: words } = useUsersWords();
  const { text, language } = useSpeech();
  const mayModify = useMay("members.change");
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      title={words.sessions}
      count={file.sessions.length || undefined}
      beside={
        mayModify &&
        file.sessions.length > 0 && (
          <Button variant="subtle" data-danger onClick={() => setAsking(true)}>
            {words.endAll}
          </Button>
        )
      }
    >
      {file.sessions.length === 0 && <p className={cells.quiet}>{words.noSessions}</p>}
      <Lines>
        {file.sessions.map(({ id, device, createdAt, lastSeenAt }) => (
          <Line key={id}>
            <b>{device ?? words.unknownDevice}</b>
            <span>
              {words.signedIn(
                dayText(createdAt, nowMs, language, text.age),
                ageText(Date.parse(lastSeenAt), nowMs, text.age),
              )}
            </span>
          </Line>
        ))}
      </Lines>
      {asking && <ResetDialog what="sessions" memberId={file.member.id} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
