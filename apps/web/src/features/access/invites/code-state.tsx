import { Standing } from "../../../ui/standing.tsx";
import { CODE_RINGS } from "./code-words.ts";
import type { InviteCode } from "./staff-queries.ts";
import { useStaffInvitesWords } from "./staff-words.ts";

/** Whether a code is still valid, in the specification's words. */
export function CodeState({ state, ring = false }: { state: InviteCode["state"]; ring?: boolean }) {
  const { states } = useStaffInvitesWords();
  return (
    <Standing state={CODE_RINGS[state]} ring={ring} quiet={state === "used"}>
      {states[state]}
    </Standing>
  );
}
