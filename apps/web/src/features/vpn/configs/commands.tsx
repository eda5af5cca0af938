import { COMMAND_TARGETS, deviceCommands, readDeviceConfig, takesCommands } from "@krug/wireguard/device-commands";
import { Button, NativeSelect, Textarea } from "@mantine/core";
import { IconRouter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Steps } from "../../../ui/steps.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { useCommandsWords } from "./commands-words.ts";
import classes from "./new-file.module.css";
import { type Config, qrTextQuery } from "./queries.ts";

/** `text`: the file, if this browser made the key. */
interface Props {
  made: { config: Config; text: string | null };
}

/** A way to set up a router or a Linux machine, which take commands rather than the file; folded until it is asked for. */
export function Commands({ made }: Props) {
  const words = useCommandsWords();
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <Opened made={made} />;
  return (
    <Button
      variant="subtle"
      leftSection={<IconRouter size={20} stroke={1.6} aria-hidden="true" />}
      onClick={() => setIsOpen(true)}
    >
      {words.open}
    </Button>
  );
}

function Opened({ made: { config, text } }: Props) {
  const words = useCommandsWords();
  const file = useQuery({ ...qrTextQuery(config.id), enabled: text === null });
  const [target, setTarget] = useState<(typeof COMMAND_TARGETS)[number]>("keenetic");
  const { version } = config.tunnel;
  const known = text ?? file.data;
  const isOwnPackage = version !== null && (target === "openwrt" || target === "linux");
  return (
    <section className={classes.body} aria-label={words.open}>
      <NativeSelect
        autoFocus
        label={words.target}
        value={target}
        data={COMMAND_TARGETS.map((value) => ({ value, label: words.targets[value] }))}
        onChange={({ currentTarget }) =>
          setTarget(COMMAND_TARGETS.find((each) => each === currentTarget.value) ?? "keenetic")
        }
      />
      {!takesCommands(target, version) ? (
        <Hint>{words.none(words.targets[target])}</Hint>
      ) : file.isError ? (
        <LoadFailed title={words.failed} error={file.error} onRetry={() => void file.refetch()} />
      ) : known === undefined ? (
        <Waiting />
      ) : (
        <>
          <Steps steps={words.steps[isOwnPackage ? (`${target}Amnezia` as const) : target]} />
          <Shown commands={deviceCommands(target, readDeviceConfig(known, version), config.name)} />
        </>
      )}
    </section>
  );
}

function Shown({ commands }: { commands: string }) {
  const words = useCommandsWords();
  return (
    <div className={classes.line}>
      <Textarea
        className={classes.value ?? ""}
        label={words.commands}
        description={words.secret}
        readOnly
        value={commands}
        rows={8}
        wrap="off"
        translate="no"
        spellCheck={false}
      />
      <CopyButton text={commands} label={words.copy} />
    </div>
  );
}
