import { useStaffInvitesWords } from "../../lib/i18n/staff-invites.ts";
import { Ring } from "../../ui/ring.tsx";
import { CODE_RINGS } from "./code-words.ts";
import classes from "./staff-invites.module.css";
import type { InviteCode } from "./staff-queries.ts";

/** Whether a code still lets somebody in, in the specification's words. */
export function CodeState({ state, ring = false }: { state: InviteCode["state"]; ring?: boolean }) {
  const { states } = useStaffInvitesWords();
  return (
    <span className={classes.state} data-state={state}>
      {ring && <Ring state={CODE_RINGS[state]} size={20} />}
      {states[state]}
    </span>
  );
}
