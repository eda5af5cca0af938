import type { Api } from "@krug/contract/api";
import { Button, FileButton, Textarea } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Sheet, SheetBody } from "../../../ui/sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { InvitedLinks } from "../../members/users/index.ts";
import type { Server } from "../servers/index.ts";
import { filesOf, type ServerFiles } from "./import.ts";
import { MovingDevices } from "./moving-devices.tsx";
import { useMovingWords } from "./moving-words.ts";
import { useOldProgramWords } from "./old-program-words.ts";
import type { OpenedProgram } from "./old-programs.tsx";
import { useInterfacesWords } from "./words.ts";

type Found = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"];
type Invited = Api["POST /admin/servers/{id}/moving-in"]["answer"]["invited"][number];

/** Of more chosen files than this, only the number is shown. */
const NAMED = 3;

const OldPrograms = lazyPart(
  () => import("./old-programs.tsx").then(({ OldPrograms }) => OldPrograms),
  () => (
    <SheetBody>
      <Waiting />
    </SheetBody>
  ),
);

interface Props {
  server: Server;
  onClose: () => void;
  onDone: () => void;
}

/** Where the import stands; each of the two ways ends with the owners of its devices. */
type At =
  | { at: "files" | "server" }
  | { at: "file"; files: ServerFiles; found: Found }
  | { at: "program"; opened: OpenedProgram }
  | { at: "links"; invited: readonly Invited[]; isLast: boolean };

/** Imports another program's interface: first where it is, then the owner of each device. */
export function MoveInDialog({ server, onClose, onDone }: Props) {
  const { moveIn: words, create } = useInterfacesWords();
  const more = useOldProgramWords();
  const toast = useToast();
  const [now, setNow] = useState<At>({ at: server.driver === "ssh" ? "server" : "files" });
  const choice = (now.at === "files" || now.at === "server") && (
    <Segments
      label={more.from}
      value={now.at}
      onChange={(at) => setNow({ at })}
      choices={[
        { value: "server", label: more.onServer },
        { value: "files", label: more.files },
      ]}
    />
  );
  const params = { id: server.id };
  const parts = () => {
    switch (now.at) {
      case "links":
        return <InvitedLinks invited={now.invited} onDone={now.isLast ? onDone : () => setNow({ at: "server" })} />;
      case "files":
        return (
          <ServerFile
            server={server}
            choice={choice}
            onClose={onClose}
            onRead={(read) => setNow({ at: "file", ...read })}
          />
        );
      case "server":
        return (
          <OldPrograms
            server={server}
            choice={choice}
            onClose={onClose}
            onOpen={(opened) => setNow({ at: "program", opened })}
            onLinks={(invited) => setNow({ at: "links", invited, isLast: false })}
          />
        );
      case "file":
        return (
          <MovingDevices
            server={server}
            first={now.found}
            about={<FileAbout server={server} found={now.found} />}
            onClose={onClose}
            source={{
              look: (body, signal) =>
                api("POST /admin/servers/{id}/moving-in/preview", { params, body: { ...now.files, ...body }, signal }),
              async take(body) {
                const taken = await api("POST /admin/servers/{id}/moving-in", {
                  params,
                  body: { ...now.files, ...body },
                });
                const { interface: made, configs, invited } = taken;
                void toast("good", made.conflict === null ? words.done(made.name, configs) : create.notUp(made.name));
                if (invited.length > 0) setNow({ at: "links", invited, isLast: true });
                else onDone();
              },
            }}
          />
        );
      case "program": {
        const { name, found, isContainer } = now.opened;
        return (
          <MovingDevices
            server={server}
            first={found}
            about={
              isContainer ? (
                <Banner tone="move" title={more.stopsContainer(name)}>
                  <p>{more.comesBack}</p>
                </Banner>
              ) : (
                <>
                  {found.runsAs !== null && <p>{words.runs(found.runsAs)}</p>}
                  <p>{more.comesBack}</p>
                </>
              )
            }
            onClose={onClose}
            source={{
              look: (body, signal) =>
                api("POST /admin/servers/{id}/old-programs/preview", {
                  params,
                  body: { program: name, ...body },
                  signal,
                }),
              async take(body) {
                await api("POST /admin/servers/{id}/old-programs/take", {
                  params,
                  body: { program: name, publicKey: found.publicKey, ...body },
                });
                setNow({ at: "server" });
              },
            }}
          />
        );
      }
    }
  };
  return (
    <Sheet
      // The links are shown once: no tap outside the sheet may lose them.
      onClose={now.at === "links" && now.isLast ? null : onClose}
      title={words.title}
      parts={parts()}
    />
  );
}

function FileAbout({ server, found }: { server: Server; found: Found }) {
  const { moveIn: words } = useInterfacesWords();
  return found.runsAs === null ? (
    <Banner tone="move" title={words.stands}>
      <p>{words.standsMore(server.endpoint ?? server.defaultEndpoint)}</p>
    </Banner>
  ) : (
    <p>{words.runs(found.runsAs)}</p>
  );
}

interface FileProps extends Pick<Props, "server" | "onClose"> {
  choice: React.ReactNode;
  onRead: (read: { files: ServerFiles; found: Found }) => void;
}

function ServerFile({ server, choice, onClose, onRead }: FileProps) {
  const { moveIn: words } = useInterfacesWords();
  const more = useMovingWords();
  const [files, setFiles] = useState<ServerFiles>({ file: "" });
  const [fileName, setFileName] = useState<string | null>(null);
  const reading = useCommand({
    mutationFn: async (files: ServerFiles) => ({
      files,
      found: await api("POST /admin/servers/{id}/moving-in/preview", { params: { id: server.id }, body: files }),
    }),
    onSuccess: onRead,
  });
  const take = async (chosen: readonly File[]) => {
    const read = await filesOf(chosen);
    if (read === null) return;
    setFiles(read);
    setFileName(chosen.length > NAMED ? more.files(chosen.length) : chosen.map(({ name }) => name).join(", "));
    reading.mutate(read);
  };
  return (
    <FormParts
      // The file has private keys.
      draft={null}
      onClose={onClose}
      submit={{
        label: words.read,
        working: words.reading,
        busy: reading.isPending,
        disabled: typeof files.file === "string" && files.file.trim() === "",
      }}
      onSubmit={() => reading.mutate(files)}
    >
      {choice}
      <p>{words.lead}</p>
      <p>{more.lead}</p>
      <FileButton multiple onChange={(chosen) => void take(chosen)}>
        {(props) => (
          <Button
            {...props}
            variant="outline"
            size="lg"
            leftSection={<IconFileImport size={20} stroke={1.6} aria-hidden="true" />}
            data-autofocus
          >
            {fileName ?? words.choose}
          </Button>
        )}
      </FileButton>
      <Textarea
        label={words.paste}
        description={words.pasteHint}
        value={fileName === null && typeof files.file === "string" ? files.file : ""}
        onChange={(event) => {
          setFiles({ file: event.currentTarget.value });
          setFileName(null);
          if (reading.isError) reading.reset();
        }}
        rows={6}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <FormMessage error={reading.error} failed={words.notRead} reason />
    </FormParts>
  );
}
