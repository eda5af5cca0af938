import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ageText, dayText, moment } from "../../../lib/format.ts";
import { hasPasskeys } from "../../../lib/has-passkeys.ts";
import { usePasskeyWords } from "../../../lib/i18n/passkeys.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useNow } from "../../../lib/use-now.ts";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import part from "../../../ui/settings-part.module.css";
import { Waiting } from "../../../ui/waiting.tsx";
import type { Me } from "../auth/index.ts";
import { AddPasskey, RemovePasskey, RenamePasskey } from "./passkey-dialogs.tsx";
import classes from "./passkeys-part.module.css";
import { type Passkey, passkeysQuery } from "./queries.ts";

type Act = { act: "add"; host: string } | { act: "rename" | "remove"; passkey: Passkey };

/** A member's own passkeys: the list, a new one, a new name, removal. */
export function PasskeysPart({ me }: { me: Me }) {
  const words = usePasskeyWords();
  const list = useQuery(passkeysQuery);
  const [open, setOpen] = useState<Act | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const close = () => setOpen(null);
  const { host = null, passkeys = [] } = list.data ?? {};
  const whyNot = !hasPasskeys()
    ? window.isSecureContext && host !== null
      ? words.unable
      : words.noPlace
    : host === null
      ? words.noPlace
      : host !== location.hostname
        ? words.otherPlace(host)
        : null;
  return (
    <section className={part.part} aria-labelledby="own-passkeys">
      <h3 id="own-passkeys" className={part.title} ref={title} tabIndex={-1}>
        {words.title}
      </h3>
      <p className={part.lead}>{words.lead}</p>
      {list.isPending && <Waiting room={68} />}
      {list.isError && !list.data && (
        <LoadFailed title={words.failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data && passkeys.length === 0 && whyNot === null && <p className={part.lead}>{words.none}</p>}
      {passkeys.length > 0 && (
        <ul className={part.list}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} host={host} onAct={(act) => setOpen({ act, passkey })} />
          ))}
        </ul>
      )}
      {list.data &&
        (whyNot === null && host !== null ? (
          <Button variant="outline" className={part.action} onClick={() => setOpen({ act: "add", host })}>
            {words.make}
          </Button>
        ) : (
          <p className={part.lead}>{whyNot}</p>
        ))}
      {open?.act === "add" && <AddPasskey me={me} host={open.host} onClose={close} />}
      {open?.act === "rename" && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.act === "remove" && (
        <RemovePasskey
          me={me}
          passkey={open.passkey}
          onClose={close}
          // The pressed button is gone: the focus moves to the head of the list.
          onRemoved={() => title.current?.focus()}
        />
      )}
    </section>
  );
}

interface RowProps {
  passkey: Passkey;
  host: string | null;
  onAct: (act: "rename" | "remove") => void;
}

function PasskeyRow({ passkey, host, onAct }: RowProps) {
  const words = usePasskeyWords();
  const { text, language } = useSpeech();
  const nowMs = useNow(60_000);
  const { name, createdAt, lastUsedAt } = passkey;
  const used = lastUsedAt === null ? words.unused : words.used(ageText(Date.parse(lastUsedAt), nowMs, text.age));
  return (
    <li className={part.row}>
      <div className={classes.what}>
        <p>{name}</p>
        <p className={part.lead} title={moment(Date.parse(lastUsedAt ?? createdAt), language)}>
          {words.times(dayText(createdAt, nowMs, language, text.age), used)}
        </p>
        {passkey.host !== host && <p className={part.lead}>{words.elsewhere(passkey.host)}</p>}
      </div>
      <div className={classes.acts}>
        <Button variant="subtle" aria-label={words.renameOf(name)} onClick={() => onAct("rename")}>
          {words.rename}
        </Button>
        <Button variant="subtle" aria-label={words.removeOf(name)} onClick={() => onAct("remove")}>
          {words.remove}
        </Button>
      </div>
    </li>
  );
}
