import type { Api } from "@krug/contract/api";
import { whyNotUsername } from "@krug/domain/account-rules";
import { whyNotConfigName } from "@krug/domain/config-rules";
import { Button, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { clubNow } from "../../../lib/club-clock.ts";
import { dayField } from "../../../lib/format.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { InvitedLinks } from "../../members/users/index.ts";
import type { Server } from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";
import { firstWishes, isWanted, type Wish, wanted, withNewcomers } from "./import.ts";
import { isPort } from "./interface-form.ts";
import { MovingDevice } from "./moving-device.tsx";
import { useMovingWords } from "./moving-words.ts";
import { useInterfacesWords } from "./words.ts";

type Found = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"];
export type Taken = Omit<Api["POST /admin/servers/{id}/old-programs/take"]["body"], "program" | "publicKey">;

/** How many devices are shown at first, and how many more at a time. */
const SHOWN = 30;
/** What new members get at first: their devices work today. */
const SUBSCRIPTION_MS = 30 * 86_400_000;

/** Where the interface comes from. */
export interface Source {
  /** What becomes of it, asked again after each choice. */
  look(body: { owners: string[]; amneziawg?: boolean }, signal: AbortSignal): Promise<Found>;
  take(body: Taken): Promise<void>;
}

interface Props {
  server: Server;
  source: Source;
  first: Found;
  /** What the import does to the program that has the interface now. */
  about: React.ReactNode;
  onClose: () => void;
}

/** Who gets each device of another program's interface. */
export function MovingDevices({ server, source, first, about, onClose }: Props) {
  const more = useMovingWords();
  const { faults } = useAmneziaWords();
  const { moveIn: words, edit, create } = useInterfacesWords();
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
  const listenPort = isPort(port) ? Number(port) : undefined;
  const ofType = first.isTypeOpen ? { amneziawg: isAmneziawg } : {};
  // The server says who is cut off and what harms the tunnel, again after each choice.
  const look = useQuery({
    queryKey: ["moving-in", first.publicKey, server.id, owners, isAmneziawg],
    queryFn: ({ signal }) => source.look({ owners, ...ofType }, signal),
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
      await source.take({
        ...ofType,
        ...(listenPort === undefined ? {} : { listenPort }),
        ...(name.trim() === "" ? {} : { name: name.trim() }),
        ...(hasNewcomers && until !== "" ? { newMembersUntil: until } : {}),
        devices: chosen,
      });
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
          <FormMessage error={taking.error} failed={words.failed} reason />
        </>
      }
    >
      {about}
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
