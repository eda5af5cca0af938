import cells from "../../../ui/cells.module.css";
import { Fact } from "../../../ui/fact.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import { CodeState } from "./code-state.tsx";
import { expiresText, givesText, usesText } from "./code-words.ts";
import classes from "./staff-invites.module.css";
import type { InviteCode } from "./staff-queries.ts";
import { useStaffInvitesWords } from "./staff-words.ts";

/** A row on a phone: the code, its state and maker, three facts. */
export function CodeCard({ code }: { code: InviteCode }) {
  const words = useStaffInvitesWords();
  return (
    <StaffLink to={`invites/${code.id}`} className={cells.card}>
      <b className={classes.cardCode}>{code.code}</b>
      <span className={cells.more}>
        <CodeState state={code.state} />
        {code.createdBy && ` · ${code.createdBy.displayName}`}
        {code.template && ` · ${code.template.name}`}
      </span>
      <span className={cells.facts}>
        <Fact of={words.list.gives}>{givesText(code, words)}</Fact>
        <Fact of={code.expiresAt === null ? words.list.lasts : words.list.expires}>{expiresText(code, words)}</Fact>
        <Fact of={words.list.uses}>{usesText(code, words)}</Fact>
      </span>
    </StaffLink>
  );
}
