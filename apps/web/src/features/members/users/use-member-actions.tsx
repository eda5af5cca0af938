import {
  IconBan,
  IconCalendarPlus,
  IconCheck,
  IconKey,
  IconMessage,
  IconPencil,
  IconStar,
  IconStarOff,
  IconTrash,
  IconUserMinus,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import type { MenuAction } from "../../../ui/more-menu.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MEMBERS, useMay, useViewed } from "../../club/staff/index.ts";
import type { ListedMember } from "./queries.ts";
import { useUsersWords } from "./words.ts";

const EditDialog = lazyDialog(() => import("./edit-dialog.tsx").then(({ EditDialog }) => EditDialog));
const BlockDialog = lazyDialog(() => import("./block-dialog.tsx").then(({ BlockDialog }) => BlockDialog));
const DeleteDialog = lazyDialog(() => import("./delete-dialog.tsx").then(({ DeleteDialog }) => DeleteDialog));
const ExtendDialog = lazyDialog(() => import("./extend-dialog.tsx").then(({ ExtendDialog }) => ExtendDialog));
const LeaveDialog = lazyDialog(() => import("./leave-dialog.tsx").then(({ LeaveDialog }) => LeaveDialog));
const LinkDialog = lazyDialog(() => import("./link-dialog.tsx").then(({ LinkDialog }) => LinkDialog));

const NotifyDialog = lazyDialog(() => import("../../messages/inbox/index.ts").then(({ NotifyDialog }) => NotifyDialog));

interface Open {
  dialog: "edit" | "extend" | "block" | "delete" | "link" | "notify" | "leave";
  member: ListedMember;
}

/** The viewer's actions for one member, with their dialogs. A moderator can at most create a password link, but not for staff. */
export function useMemberActions({ onDeleted }: { onDeleted?: () => void } = {}) {
  const { actions, block, link: linkWords, vip, failures } = useUsersWords();
  const { failure } = useText();
  const { me } = useViewed();
  const mayModify = useMay("members.change");
  const mayDelete = useMay("members.delete");
  const mayNotify = useMay("telegram.notify");
  const maySendLink = useMay("members.send_password_link");
  const [open, setOpen] = useState<Open | null>(null);
  const toast = useToast();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: MEMBERS });

  const turn = useCommand({
    mutationFn: ({ member, change }: { member: ListedMember; change: "unblock" | "vip" }) =>
      api("PUT /users/{id}", {
        params: { id: member.id },
        body:
          change === "unblock"
            ? { isActive: true, expected: { isActive: member.isActive } }
            : { isVip: !member.isVip, expected: { isVip: member.isVip } },
      }),
    onSuccess: (after, { change }) =>
      void toast(
        "good",
        change === "unblock"
          ? block.undone(after.displayName)
          : after.isVip
            ? vip.on(after.displayName)
            : vip.off(after.displayName),
      ),
    onError: (error, { change }) =>
      void toast("bad", explain(error, change === "unblock" ? failures.status : failures.vip, failure.silent)),
    onSettled: refresh,
  });

  const show = (dialog: Open["dialog"], member: ListedMember) => () => setOpen({ dialog, member });
  const close = () => setOpen(null);
  const done = () => {
    close();
    void refresh();
  };

  const link = (member: ListedMember): MenuAction => ({
    label: actions.passwordLink,
    icon: IconKey,
    onClick: show("link", member),
  });

  return {
    /** Whether the viewer has any action at all. */
    hasAny: mayModify || maySendLink,
    edit: (member: ListedMember) => setOpen({ dialog: "edit", member }),
    groupsFor: (member: ListedMember): MenuAction[][] =>
      mayModify
        ? [
            [
              { label: actions.edit, icon: IconPencil, onClick: show("edit", member) },
              ...(member.isUnlimited
                ? []
                : [{ label: actions.extend, icon: IconCalendarPlus, onClick: show("extend", member) }]),
              ...(mayNotify ? [{ label: actions.notify, icon: IconMessage, onClick: show("notify", member) }] : []),
              ...(maySendLink ? [link(member)] : []),
              member.isVip
                ? { label: actions.endVip, icon: IconStarOff, onClick: () => turn.mutate({ member, change: "vip" }) }
                : { label: actions.makeVip, icon: IconStar, onClick: () => turn.mutate({ member, change: "vip" }) },
            ],
            member.id === me.id
              ? []
              : [
                  ...((member.pendingRole ?? member.role) === "user"
                    ? []
                    : [{ label: actions.leave, icon: IconUserMinus, onClick: show("leave", member), danger: true }]),
                  member.isActive
                    ? { label: actions.block, icon: IconBan, onClick: show("block", member), danger: true }
                    : {
                        label: actions.unblock,
                        icon: IconCheck,
                        onClick: () => turn.mutate({ member, change: "unblock" }),
                      },
                  ...(mayDelete
                    ? [{ label: actions.remove, icon: IconTrash, onClick: show("delete", member), danger: true }]
                    : []),
                ],
          ]
        : maySendLink && member.role === "user"
          ? [[link(member)]]
          : [],
    dialogs: (
      <>
        {open?.dialog === "edit" && <EditDialog member={open.member} onClose={close} />}
        {open?.dialog === "extend" && <ExtendDialog member={open.member} onClose={close} onDone={done} />}
        {open?.dialog === "link" && (
          <LinkDialog
            title={linkWords.title(open.member.displayName)}
            ask={linkWords.ask}
            lead={linkWords.lead}
            failed={failures.link}
            make={() => api("POST /users/{id}/password-link", { params: { id: open.member.id } })}
            onClose={close}
          />
        )}
        {open?.dialog === "leave" && <LeaveDialog member={open.member} onClose={close} />}
        {open?.dialog === "notify" && <NotifyDialog member={open.member} onClose={close} />}
        {open?.dialog === "block" && <BlockDialog member={open.member} onClose={close} onDone={done} />}
        {open?.dialog === "delete" && (
          <DeleteDialog
            member={open.member}
            onClose={close}
            onDone={() => {
              done();
              onDeleted?.();
            }}
          />
        )}
      </>
    ),
  };
}
