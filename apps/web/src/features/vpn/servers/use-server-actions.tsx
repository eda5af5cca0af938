import {
  IconArrowsExchange,
  IconBox,
  IconChartLine,
  IconLock,
  IconPencil,
  IconStar,
  IconTrash,
  IconUsersPlus,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { Ask } from "../../../ui/ask.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import type { MenuAction } from "../../../ui/more-menu.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { SERVERS, type Server } from "./queries.ts";
import { useTakesNew } from "./use-takes-new.ts";
import { useServersWords } from "./words.ts";

const AddDialog = lazyDialog(() => import("./add-dialog.tsx").then(({ AddDialog }) => AddDialog));
const SetupDialog = lazyDialog(() => import("./setup-dialog.tsx").then(({ SetupDialog }) => SetupDialog));
const EditDialog = lazyDialog(() => import("./edit-dialog.tsx").then(({ EditDialog }) => EditDialog));
const DeleteDialog = lazyDialog(() => import("./delete-dialog.tsx").then(({ DeleteDialog }) => DeleteDialog));
const EmptyDialog = lazyDialog(() => import("./empty-dialog.tsx").then(({ EmptyDialog }) => EmptyDialog));
const HistoryDialog = lazyDialog(() => import("./history-dialog.tsx").then(({ HistoryDialog }) => HistoryDialog));
const AssignDialog = lazyDialog(() => import("./assign-dialog.tsx").then(({ AssignDialog }) => AssignDialog));

interface Open {
  dialog: "empty" | "history" | "setup" | "edit" | "main" | "assign" | "delete";
  server: Server;
}

/** An admin's actions for a server, and their dialogs. */
export function useServerActions() {
  const words = useServersWords();
  const [open, setOpen] = useState<Open | null>(null);
  const { asked, change } = useListAddress(1);
  const setAdding = (isAdding: boolean) => change({ add: isAdding ? "server" : null });
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
  const turning = useTakesNew();
  const show = (dialog: Open["dialog"], server: Server) => () => {
    settingMain.reset();
    setOpen({ dialog, server });
  };
  const setUp = (server: Server) => setOpen({ dialog: "setup", server });
  const added = (server: Server) => {
    setAdding(false);
    if (server.problem === null) setUp(server);
  };
  return {
    add: () => setAdding(true),
    setUp,
    edit: (server: Server) => show("edit", server)(),
    empty: (server: Server) => show("empty", server)(),
    groupsFor: (server: Server): MenuAction[][] => [
      [
        ...(server.isSetupComplete
          ? [{ label: words.history.action, icon: IconChartLine, onClick: show("history", server) }]
          : []),
        { label: words.actions.edit, icon: IconPencil, onClick: show("edit", server) },
        ...(server.isSetupComplete && server.tunnelsIn !== null
          ? [{ label: words.actions.place, icon: IconBox, onClick: show("setup", server) }]
          : []),
        { label: words.actions.assign, icon: IconUsersPlus, onClick: show("assign", server) },
        ...(server.isMain ? [] : [{ label: words.actions.setMain, icon: IconStar, onClick: show("main", server) }]),
      ],
      server.isSetupComplete
        ? [
            ...(server.configCount > 0
              ? [{ label: words.drain.action, icon: IconArrowsExchange, onClick: show("empty", server) }]
              : []),
            ...(server.takesNew
              ? [
                  {
                    label: words.drain.close,
                    icon: IconLock,
                    onClick: () => turning.mutate({ server, takesNew: false }),
                  },
                ]
              : []),
          ]
        : [],
      [{ label: words.actions.remove, icon: IconTrash, onClick: show("delete", server), danger: true }],
    ],
    dialogs: (
      <>
        {asked.add === "server" && <AddDialog onClose={() => setAdding(false)} onAdded={added} />}
        {open?.dialog === "empty" && (
          <EmptyDialog
            thing={{ kind: "server", id: open.server.id, name: open.server.name }}
            isMain={open.server.isMain}
            onClose={close}
            onDone={done}
          />
        )}
        {open?.dialog === "history" && <HistoryDialog server={open.server} onClose={close} />}
        {open?.dialog === "setup" && <SetupDialog server={open.server} onClose={done} />}
        {open?.dialog === "edit" && <EditDialog server={open.server} onClose={close} />}
        {open?.dialog === "assign" && (
          <AssignDialog
            thing={{ kind: "server", id: open.server.id, name: open.server.name }}
            failed={words.assign.serverFailed}
            mayAssign
            onClose={close}
          />
        )}
        {open?.dialog === "delete" && (
          <DeleteDialog server={open.server} onClose={close} onDone={done} onEmpty={show("empty", open.server)} />
        )}
        {open?.dialog === "main" && (
          <Ask
            onClose={close}
            onConfirm={() => settingMain.mutate(open.server.id)}
            title={words.mainAsk(open.server.name)}
            text={words.mainText}
            confirm={words.actions.setMain}
            working={words.mainWorking}
            of={settingMain}
            failed={words.mainFailed}
            reason
          />
        )}
      </>
    ),
  };
}
