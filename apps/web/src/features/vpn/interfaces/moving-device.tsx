import { formatBytes } from "@krug/domain/traffic";
import { Button, TextInput } from "@mantine/core";
import { useId } from "react";
import { fullDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { MemberField } from "../../members/member-field/index.ts";
import { type Device, isWanted, type Wish } from "./import.ts";
import classes from "./moving-device.module.css";
import { useMovingWords } from "./moving-words.ts";
import { useInterfacesWords } from "./words.ts";

interface Props {
  device: Device;
  /** Null: it cannot move in. */
  wish: Wish | null;
  isNameWrong: boolean;
  isUsernameWrong: boolean;
  onChange: (change: Partial<Wish>) => void;
}

/** A device of another program's file: its owner and name here, or why it cannot move in. */
export function MovingDevice({ device, wish, isNameWrong, isUsernameWrong, onChange }: Props) {
  const id = useId();
  const { moveIn: words } = useInterfacesWords();
  const more = useMovingWords();
  const { language } = useSpeech();
  const bytes = (amount: number) => formatBytes(amount, language === "ru" ? "," : ".");
  const title = device.name ?? device.address ?? device.publicKey;
  const notes = [
    device.hasPrivateKey ? null : words.noKey,
    device.isEnabled ? null : words.wasOff,
    device.endsAt === null ? null : words.endsAt(fullDay(new Date(device.endsAt), language)),
    device.losesV6 ? words.losesV6 : null,
    device.traffic === null ? null : more.traffic(bytes(device.traffic.received), bytes(device.traffic.sent)),
  ].filter((note) => note !== null);
  return (
    <section className={classes.device} aria-labelledby={id}>
      <h3 id={id} className={classes.name}>
        {title}
      </h3>
      {device.address !== null && <p className={classes.about}>{device.address}</p>}
      {device.strange !== null && <p className={classes.about}>{words.strange[device.strange]}</p>}
      {wish !== null && (
        <>
          {wish.newcomer === null ? (
            <>
              <MemberField
                label={words.owner}
                hint={words.ownerHint}
                picked={wish.owner}
                onPick={(owner) => onChange({ owner })}
              />
              {wish.owner === null && (
                <Button variant="outline" onClick={() => onChange({ newcomer: device.suggestedUsername })}>
                  {more.invite}
                </Button>
              )}
            </>
          ) : (
            <>
              <TextInput
                label={more.username}
                description={more.usernameHint}
                value={wish.newcomer}
                onChange={(event) => onChange({ newcomer: event.currentTarget.value })}
                error={isUsernameWrong ? more.usernameWrong : null}
                maxLength={64}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
              <Button variant="outline" onClick={() => onChange({ newcomer: null })}>
                {more.notInvite}
              </Button>
            </>
          )}
          {isWanted(wish) && (
            <>
              <TextInput
                label={words.name}
                value={wish.name}
                onChange={(event) => onChange({ name: event.currentTarget.value })}
                error={isNameWrong ? words.nameWrong : null}
                maxLength={64}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
              <Segments
                label={words.kind}
                labelHidden
                value={wish.deviceType}
                onChange={(deviceType) => onChange({ deviceType })}
                choices={[
                  { value: "phone", label: words.phone },
                  { value: "computer", label: words.computer },
                ]}
              />
            </>
          )}
          {notes.length > 0 && <p className={classes.about}>{notes.join(" ")}</p>}
        </>
      )}
    </section>
  );
}
