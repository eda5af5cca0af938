import { Standing, type Tone } from "../../../ui/standing.tsx";
import { CODE_RINGS } from "./code-words.ts";
import type { InviteCode } from "./staff-queries.ts";
import { useStaffInvitesWords } from "./staff-words.ts";

const TONES: Record<InviteCode["state"], Tone> = { active: "good", expired: null, used: null, deactivated: "bad" };

/** Whether a code is still valid, in the specification's words. */
export function CodeState({ state, ring = false }: { state: InviteCode["state"]; ring?: boolean }) {
  const { states } = useStaffInvitesWords();
  return (
    <Standing tone={TONES[state]} ring={ring ? CODE_RINGS[state] : undefined}>
      {states[state]}
    </Standing>
  );
}
