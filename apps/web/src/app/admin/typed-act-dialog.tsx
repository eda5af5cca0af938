import { useQueryClient } from "@tanstack/react-query";
import { MEMBERS } from "../../features/club/staff/index.ts";
import { BlockDialog } from "../../features/members/users/block-dialog.tsx";
import { ExtendDialog } from "../../features/members/users/extend-dialog.tsx";
import { LinkDialog } from "../../features/members/users/link-dialog.tsx";
import { useUsersWords } from "../../features/members/users/words.ts";
import { api } from "../../lib/api.ts";
import type { TypedAct } from "./read-act.ts";

interface Props {
  act: TypedAct;
  member: { id: string; username: string; displayName: string; isActive: boolean };
  onClose: () => void;
}

/** Asks before what was typed happens. It also names the username: namesakes look alike. */
export function TypedActDialog({ act, member: found, onClose }: Props) {
  const { link: words, failures } = useUsersWords();
  const queryClient = useQueryClient();
  const member = { ...found, displayName: `${found.displayName} (${found.username})` };
  const onDone = () => {
    onClose();
    void queryClient.invalidateQueries({ queryKey: MEMBERS });
  };
  if (act.act === "block") return <BlockDialog member={member} onClose={onClose} onDone={onDone} />;
  if (act.act === "extend")
    return <ExtendDialog member={member} onClose={onClose} onDone={onDone} {...(act.period && { by: act.period })} />;
  return (
    <LinkDialog
      title={words.title(member.displayName)}
      ask={words.ask}
      lead={words.lead}
      failed={failures.link}
      make={() => api("POST /users/{id}/password-link", { params: { id: member.id } })}
      onClose={onClose}
    />
  );
}
