import { IconPencil, IconStar, IconTrash, IconUsersPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { withReason } from "../../lib/with-reason.ts";
import { Ask } from "../../ui/ask.tsx";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";
import type { MenuAction } from "../../ui/more-menu.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { SERVERS, type Server } from "./queries.ts";
import { useServersWords } from "./words.ts";

const EditDialog = lazyDialog(() => import("./edit-dialog.tsx").then(({ EditDialog }) => EditDialog));
const DeleteDialog = lazyDialog(() => import("./delete-dialog.tsx").then(({ DeleteDialog }) => DeleteDialog));
const AssignDialog = lazyDialog(() => import("./assign-dialog.tsx").then(({ AssignDialog }) => AssignDialog));

interface Open {
  dialog: "edit" | "main" | "assign" | "delete";
  server: Server;
}

/** What an admin can do with a server, and the dialogs it takes. */
export function useServerActions() {
  const words = useServersWords();
  const { failure } = useText();
  const [open, setOpen] = useState<Open | null>(null);
  const toast = useToast();
  const queryClient = useQueryClient();
  const close = () => setOpen(null);
  const done = () => {
    close();
    void queryClient.invalidateQueries({ queryKey: SERVERS });
  };
  const settingMain = useCommand({
    mutationFn: (id: string) => api("PUT /admin/servers/{id}/set-main", { params: { id } }),
    onSuccess: ({ name }) => {
      void toast("good", words.mainSet(name));
      done();
    },
  });
  const show = (dialog: Open["dialog"], server: Server) => () => {
    settingMain.reset();
    setOpen({ dialog, server });
  };
  return {
    groupsFor: (server: Server): MenuAction[][] => [
      [
        { label: words.actions.edit, icon: IconPencil, onClick: show("edit", server) },
        { label: words.actions.assign, icon: IconUsersPlus, onClick: show("assign", server) },
        ...(server.isMain ? [] : [{ label: words.actions.setMain, icon: IconStar, onClick: show("main", server) }]),
      ],
      [{ label: words.actions.remove, icon: IconTrash, onClick: show("delete", server), danger: true }],
    ],
    dialogs: (
      <>
        {open?.dialog === "edit" && <EditDialog server={open.server} onClose={close} onSaved={done} />}
        {open?.dialog === "assign" && (
          <AssignDialog
            thing={{ kind: "server", id: open.server.id, name: open.server.name }}
            failed={words.assign.serverFailed}
            mayAssign
            onClose={close}
          />
        )}
        {open?.dialog === "delete" && <DeleteDialog server={open.server} onClose={close} onDone={done} />}
        {open?.dialog === "main" && (
          <Ask
            opened
            onClose={close}
            onConfirm={() => settingMain.mutate(open.server.id)}
            title={words.mainAsk(open.server.name)}
            text={words.mainText}
            confirm={words.actions.setMain}
            working={words.mainWorking}
            busy={settingMain.isPending}
            bad={settingMain.error && withReason(words.mainFailed, settingMain.error, failure.silent)}
          />
        )}
      </>
    ),
  };
}
