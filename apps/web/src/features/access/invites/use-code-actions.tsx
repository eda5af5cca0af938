import { IconBan, IconCopy, IconPencil, IconShare } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import type { MenuAction } from "../../../ui/more-menu.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useMay } from "../../club/staff/index.ts";
import { inviteLink } from "./invitation.ts";
import { CLUB_INVITES } from "./queries.ts";
import type { InviteCode } from "./staff-queries.ts";
import { useStaffInvitesWords } from "./staff-words.ts";

const CodeDialog = lazyDialog(() => import("./code-dialog.tsx").then(({ CodeDialog }) => CodeDialog));

/** Actions for a code: an active one can be changed and deactivated, by those with the right. */
export function useCodeActions() {
  const { actions, deactivate: words } = useStaffInvitesWords();
  const mayModify = useMay("invites.change");
  const [open, setOpen] = useState<{ dialog: "edit" | "deactivate"; code: InviteCode } | null>(null);
  const toast = useToast();
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: CLUB_INVITES });
  const close = () => setOpen(null);

  const deactivating = useCommand({
    mutationFn: ({ id }: InviteCode) => api("PUT /admin/invite-codes/{id}/deactivate", { params: { id } }),
    onSuccess: ({ code }) => {
      void toast("good", words.done(code));
      close();
      refresh();
    },
  });
  const copy = async (text: string, copied: string) => {
    try {
      await navigator.clipboard.writeText(text);
      void toast("good", copied);
    } catch {
      void toast("bad", actions.copyFailed);
    }
  };
  const mayChange = ({ state }: InviteCode) => mayModify && state === "active";
  const ask = (code: InviteCode) => {
    deactivating.reset();
    setOpen({ dialog: "deactivate", code });
  };

  return {
    mayChange,
    edit: (code: InviteCode) => setOpen({ dialog: "edit", code }),
    deactivate: ask,
    groupsFor: (code: InviteCode): MenuAction[][] => [
      [
        ...(code.state === "active"
          ? [
              {
                label: actions.copy,
                icon: IconCopy,
                onClick: () => void copy(code.code, actions.copied(code.code)),
              },
              {
                label: actions.copyLink,
                icon: IconShare,
                onClick: () => void copy(inviteLink(code.code), actions.linkCopied(code.code)),
              },
            ]
          : []),
        ...(mayChange(code)
          ? [{ label: actions.edit, icon: IconPencil, onClick: () => setOpen({ dialog: "edit", code }) }]
          : []),
      ],
      mayChange(code) ? [{ label: actions.deactivate, icon: IconBan, onClick: () => ask(code), danger: true }] : [],
    ],
    dialogs: (
      <>
        {open?.dialog === "edit" && <CodeDialog code={open.code} onClose={close} />}
        {open?.dialog === "deactivate" && (
          <Ask
            danger
            onClose={close}
            onConfirm={() => deactivating.mutate(open.code)}
            title={words.title(open.code.code)}
            text={words.text}
            words={words}
            of={deactivating}
          />
        )}
      </>
    ),
  };
}
