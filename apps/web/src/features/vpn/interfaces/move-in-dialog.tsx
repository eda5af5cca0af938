import type { Api } from "@krug/contract/api";
import { whyNotUsername } from "@krug/domain/account-rules";
import { whyNotConfigName } from "@krug/domain/config-rules";
import { Button, FileButton, Textarea, TextInput } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { dayField } from "../../../lib/format.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { withReason } from "../../../lib/with-reason.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { InvitedLinks } from "../../members/users/index.ts";
import type { Server } from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";
import { filesOf, firstWishes, isWanted, type ServerFiles, type Wish, wanted, withNewcomers } from "./import.ts";
import { isPort } from "./interface-form.ts";
import { MovingDevice } from "./moving-device.tsx";
import { useMovingWords } from "./moving-words.ts";
import { useInterfacesWords } from "./words.ts";

type Found = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"];
type Invited = Api["POST /admin/servers/{id}/moving-in"]["answer"]["invited"][number];

interface Read {
  files: ServerFiles;
  found: Found;
}

/** How many devices are shown at first, and how many more at a time. */
const SHOWN = 30;
/** What new members get at first: their devices work today. */
const SUBSCRIPTION_MS = 30 * 86_400_000;
/** Of more chosen files than this, only the number is shown. */
const NAMED = 3;

interface Props {
  server: Server;
  onClose: () => void;
  onDone: () => void;
}

/** Imports another program's interface: first its file, then the owner of each device. */
export function MoveInDialog({ server, onClose, onDone }: Props) {
  const { moveIn: words } = useInterfacesWords();
  const [read, setRead] = useState<Read | null>(null);
  const [invited, setInvited] = useState<readonly Invited[]>([]);
  return (
    <Sheet
      opened
      // The links are shown once: no tap beside the sheet may lose them.
      onClose={invited.length > 0 ? null : onClose}
      title={words.title}
      parts={
        invited.length > 0 ? (
          <InvitedLinks invited={invited} onDone={onDone} />
        ) : read === null ? (
          <ServerFile server={server} onClose={onClose} onRead={setRead} />
        ) : (
          <Devices
            server={server}
            files={read.files}
            first={read.found}
            onClose={onClose}
            onDone={onDone}
            onInvited={setInvited}
          />
        )
      }
    />
  );
}

function ServerFile({ server, onClose, onRead }: Pick<Props, "server" | "onClose"> & { onRead: (read: Read) => void }) {
  const { moveIn: words } = useInterfacesWords();
  const more = useMovingWords();
  const { failure } = useText();
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
      <FormMessage bad={reading.error && withReason(words.notRead, reading.error, failure.silent)} />
    </FormParts>
  );
}

interface DevicesProps extends Props {
  files: ServerFiles;
  first: Found;
  onInvited: (invited: readonly Invited[]) => void;
}

function Devices({ server, files, first, onClose, onDone, onInvited }: DevicesProps) {
  const more = useMovingWords();
  const { faults } = useAmneziaWords();
  const { moveIn: words, edit, create } = useInterfacesWords();
  const { failure } = useText();
  const toast = useToast();
  const [blank] = useState(() => ({
    name: "",
    isAmneziawg: first.amneziawg !== null,
    port: String(first.listenPort ?? ""),
    wishes: firstWishes(first.devices),
    until: dayField(new Date(clubNow() + SUBSCRIPTION_MS)),
  }));
  const [name, setName] = useState(blank.name);
  const [isAmneziawg, setIsAmneziawg] = useState(blank.isAmneziawg);
  const [port, setPort] = useState(blank.port);
  const [wishes, setWishes] = useState(blank.wishes);
  const [until, setUntil] = useState(blank.until);
  const [isTried, setIsTried] = useState(false);
  const [shown, setShown] = useState(SHOWN);
  const chosen = wanted(wishes, first.devices);
  const owners = [...new Set(chosen.flatMap(({ userId }) => userId ?? []))].sort();
  const hasNewcomers = chosen.some(({ newMember }) => newMember !== undefined);
  const params = { id: server.id };
  const listenPort = isPort(port) ? Number(port) : undefined;
  const ofType = first.isTypeOpen ? { amneziawg: isAmneziawg } : {};
  // The server says who is cut off and what harms the tunnel, again after each choice.
  const look = useQuery({
    queryKey: ["moving-in", first.publicKey, server.id, owners, isAmneziawg],
    queryFn: ({ signal }) =>
      api("POST /admin/servers/{id}/moving-in/preview", { params, body: { ...files, owners, ...ofType }, signal }),
    initialData: () =>
      isAmneziawg === (first.amneziawg !== null) && owners.every((id) => first.owners.some((owner) => owner.id === id))
        ? first
        : undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const taking = useCommand({
    mutationFn: async () => {
      // The links are shown once, so what shows them must be there.
      if (hasNewcomers) await InvitedLinks.load();
      return api("POST /admin/servers/{id}/moving-in", {
        params,
        body: {
          ...files,
          ...ofType,
          ...(listenPort === undefined ? {} : { listenPort }),
          ...(name.trim() === "" ? {} : { name: name.trim() }),
          ...(hasNewcomers && until !== "" ? { newMembersUntil: until } : {}),
          devices: chosen,
        },
      });
    },
    onSuccess: ({ interface: made, configs, invited }) => {
      void toast("good", made.conflict === null ? words.done(made.name, configs) : create.notUp(made.name));
      if (invited.length > 0) onInvited(invited);
      else onDone();
    },
  });
  const set = (publicKey: string, change: Partial<Wish>) => {
    setWishes((old) => ({ ...old, [publicKey]: { ...(old[publicKey] as Wish), ...change } }));
    if (taking.isError) taking.reset();
  };
  const cut = (look.data?.owners ?? []).filter(({ id, isEntitled }) => !isEntitled && owners.includes(id));
  const { amneziawg } = look.data ?? first;
  const left = first.devices.length - chosen.length;
  const badName = (wish: Wish) => isWanted(wish) && whyNotConfigName(wish.name.trim()) !== null;
  const badUsername = ({ newcomer }: Wish) => newcomer !== null && whyNotUsername(newcomer.trim()) !== null;
  const isWrong = listenPort === undefined || Object.values(wishes).some((wish) => badName(wish) || badUsername(wish));
  return (
    <FormParts
      draft={draftOf(
        `moving-in.${first.publicKey}`,
        { name, isAmneziawg, port, wishes, until },
        blank,
        eachBy({ name: setName, isAmneziawg: setIsAmneziawg, port: setPort, wishes: setWishes, until: setUntil }),
      )}
      onClose={onClose}
      submit={{
        label: words.take(chosen.length),
        working: words.taking,
        busy: taking.isPending || taking.isSuccess,
        disabled: chosen.length === 0,
      }}
      onSubmit={() => {
        setIsTried(true);
        if (!isWrong) taking.mutate();
      }}
      effect={
        <>
          {left > 0 && <p>{words.left(left)}</p>}
          <FormMessage bad={taking.error && withReason(words.failed, taking.error, failure.silent)} />
        </>
      }
    >
      {first.runsAs === null ? (
        <Banner tone="move" title={words.stands}>
          <p>{words.standsMore(server.endpoint ?? server.defaultEndpoint)}</p>
        </Banner>
      ) : (
        <p>{words.runs(first.runsAs)}</p>
      )}
      {first.isTypeOpen && (
        <>
          <Segments
            label={words.type}
            value={isAmneziawg ? "amneziawg" : "wireguard"}
            onChange={(type) => {
              setIsAmneziawg(type === "amneziawg");
              if (taking.isError) taking.reset();
            }}
            choices={[
              { value: "wireguard", label: "WireGuard" },
              { value: "amneziawg", label: "AmneziaWG" },
            ]}
          />
          <p>{words.typeOpen}</p>
        </>
      )}
      {amneziawg !== null && amneziawg.faults.length > 0 && (
        <Banner tone="move" live={first.isTypeOpen} title={words.faults}>
          {amneziawg.faults.map((fault) => (
            <p key={`${fault.field} ${fault.other} ${fault.reason}`}>{faults[fault.reason](fault)}</p>
          ))}
        </Banner>
      )}
      {first.givesWay.map((each) => (
        <p key={each.name}>{words.givesWay(each)}</p>
      ))}
      <Facts
        facts={[
          [words.type, amneziawg === null ? "WireGuard" : `AmneziaWG ${amneziawg.version}`],
          [words.subnet, first.subnet],
          ...(first.ignored.length > 0 ? [[words.ignored, first.ignored.join(", ")] as [string, string]] : []),
          ...(first.unread.length > 0
            ? [[words.unread, first.unread.map(words.unreadOne).join("; ")] as [string, string]]
            : []),
        ]}
      />
      <TextInput
        label={create.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        placeholder={`Interface ${server.interfaceCount + 1}`}
        maxLength={64}
        autoComplete="off"
      />
      <TextInput
        label={edit.port}
        description={words.portHint}
        error={(isTried || port !== "") && listenPort === undefined ? edit.portWrong : null}
        value={port}
        onChange={(event) => setPort(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="off"
      />
      {cut.length > 0 && (
        <Banner tone="move" live title={words.cut(cut.length)}>
          <p>{cut.map(({ displayName }) => displayName).join(", ")}</p>
        </Banner>
      )}
      {Object.values(wishes).some((wish) => !isWanted(wish)) && (
        <Button variant="outline" size="lg" onClick={() => setWishes(withNewcomers(wishes, first.devices))}>
          {more.inviteAll}
        </Button>
      )}
      {hasNewcomers && (
        <TextInput
          type="date"
          label={more.until}
          description={more.untilHint}
          value={until}
          max="9999-12-31"
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      )}
      {first.devices.slice(0, shown).map((device) => {
        const wish = wishes[device.publicKey];
        return (
          <MovingDevice
            key={device.publicKey}
            device={device}
            wish={wish ?? null}
            isNameWrong={wish !== undefined && badName(wish)}
            isUsernameWrong={wish !== undefined && badUsername(wish)}
            onChange={(change) => set(device.publicKey, change)}
          />
        );
      })}
      {first.devices.length > shown && (
        <Button variant="outline" size="lg" onClick={() => setShown(shown + SHOWN)}>
          {words.more(first.devices.length - shown)}
        </Button>
      )}
    </FormParts>
  );
}
