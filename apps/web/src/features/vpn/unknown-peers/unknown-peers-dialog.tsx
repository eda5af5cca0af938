import { whyNotConfigName } from "@krug/domain/config-rules";
import { Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../../../lib/api.ts";
import { ageText, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { AskFirst } from "../../../ui/ask-first.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MemberField, type Named } from "../../members/member-field/index.ts";
import { type UnknownPeer, unknownPeersQuery } from "./queries.ts";
import classes from "./unknown-peers.module.css";
import { useUnknownPeersWords } from "./words.ts";

/** Each device that the backup does not know, with what is known of it. An admin assigns it to a member, or disconnects it. */
export function UnknownPeersDialog({ onClose }: { onClose: () => void }) {
  const words = useUnknownPeersWords();
  const list = useQuery(unknownPeersQuery);
  const [keeping, setKeeping] = useState<UnknownPeer | null>(null);
  const [cutting, setCutting] = useState<readonly UnknownPeer[] | null>(null);
  const peers = list.data?.peers ?? [];
  const total = list.data?.total ?? 0;
  return (
    <>
      <Sheet
        onClose={onClose}
        title={words.title}
        footer={
          <Button fullWidth size="lg" variant="outline" onClick={onClose}>
            {words.close}
          </Button>
        }
      >
        <p className={classes.lead}>{words.lead}</p>
        <Loading of={list} failed={words.failed} label={words.loading} />
        {list.data && peers.length === 0 && <p className={classes.lead}>{words.none}</p>}
        <ul className={classes.rows}>
          {peers.map((peer) => (
            <Row key={peer.id} peer={peer} onKeep={() => setKeeping(peer)} onCut={() => setCutting([peer])} />
          ))}
        </ul>
        {total > peers.length && <p className={classes.lead}>{words.more(peers.length, total)}</p>}
        {peers.length > 1 && (
          <div className={classes.actions}>
            <Button variant="outline" onClick={() => setCutting(peers)}>
              {words.cutAll(peers.length)}
            </Button>
          </div>
        )}
      </Sheet>
      {keeping !== null && <KeepDialog peer={keeping} onClose={() => setKeeping(null)} />}
      {cutting !== null && <CutDialog peers={cutting} onClose={() => setCutting(null)} />}
    </>
  );
}

function Row({ peer, onKeep, onCut }: { peer: UnknownPeer; onKeep: () => void; onCut: () => void }) {
  const words = useUnknownPeersWords();
  const { text, language } = useSpeech();
  const nowMs = useNow(15_000);
  const { address, rival, lastHandshakeAt, received, sent } = peer;
  const seen =
    lastHandshakeAt === null ? words.neverSeen : words.seen(ageText(Date.parse(lastHandshakeAt), nowMs, text.age));
  const bytes =
    received === null || sent === null ? null : words.bytes(sizeText(received, language), sizeText(sent, language));
  return (
    <li>
      <b>{address}</b>
      <p>
        {words.place(peer.interface.name, peer.server.name)} · {words.key(peer.publicKey)}
      </p>
      <p>{bytes === null ? seen : `${seen} · ${bytes}`}</p>
      {rival !== null && <p>{words.rival[rival.by](rival.name, rival.username)}</p>}
      <div className={classes.actions}>
        {rival === null && (
          <Button variant="outline" aria-label={words.keepOf(address)} onClick={onKeep}>
            {words.keep}
          </Button>
        )}
        <Button
          variant="subtle"
          data-flush={rival === null ? undefined : "always"}
          aria-label={words.cutOf(address)}
          onClick={onCut}
        >
          {words.cut}
        </Button>
      </div>
    </li>
  );
}

function CutDialog({ peers, onClose }: { peers: readonly UnknownPeer[]; onClose: () => void }) {
  const words = useUnknownPeersWords();
  const [first] = peers;
  const isOne = peers.length === 1 && first !== undefined;
  return (
    <AskFirst
      words={{
        title: isOne ? words.askOne(first.address) : words.askAll(peers.length),
        text: isOne ? words.askOneMore : words.askAllMore,
        confirm: words.cut,
        working: words.cutting,
        failed: words.cutFailed,
      }}
      send={() => api("POST /admin/unknown-peers/disconnect", { body: { ids: peers.map(({ id }) => id) } })}
      done={({ disconnected }) => words.cutDone(disconnected)}
      changes={unknownPeersQuery.queryKey}
      onClose={onClose}
    />
  );
}

function KeepDialog({ peer, onClose }: { peer: UnknownPeer; onClose: () => void }) {
  const words = useUnknownPeersWords();
  const formId = useId();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [owner, setOwner] = useState<Named | null>(null);
  const [name, setName] = useState(`device-${peer.address.split(".").at(-1)}`);
  const [deviceType, setDeviceType] = useState<"phone" | "computer">("phone");
  const [isTried, setTried] = useState(false);
  const isNameWrong = whyNotConfigName(name.trim()) !== null;
  const keeping = useCommand({
    mutationFn: (userId: string) =>
      api("POST /admin/unknown-peers/{id}/take-in", {
        params: { id: peer.id },
        body: { userId, name: name.trim(), deviceType },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: unknownPeersQuery.queryKey });
      void toast("good", words.keepDone(name.trim()));
      onClose();
    },
  });
  return (
    <Sheet
      onClose={onClose}
      title={words.keepTitle(peer.address)}
      footer={
        <SubmitButton
          fullWidth
          size="lg"
          form={formId}
          busy={keeping.isPending}
          label={words.keep}
          working={words.working}
        />
      }
    >
      <form
        id={formId}
        className={classes.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (owner !== null && !isNameWrong && !keeping.isPending) keeping.mutate(owner.id);
        }}
      >
        <MemberField
          label={words.owner}
          hint={words.ownerHint}
          required
          first
          picked={owner}
          onPick={setOwner}
          error={isTried && owner === null && words.chooseOwner}
        />
        <TextInput
          label={words.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isTried && isNameWrong ? words.nameWrong : null}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Segments
          label={words.kind}
          value={deviceType}
          onChange={setDeviceType}
          choices={[
            { value: "phone", label: words.phone },
            { value: "computer", label: words.computer },
          ]}
        />
        <p className={classes.lead}>{words.keepNote}</p>
        <FormMessage error={keeping.error} failed={words.keepFailed} reason />
      </form>
    </Sheet>
  );
}
