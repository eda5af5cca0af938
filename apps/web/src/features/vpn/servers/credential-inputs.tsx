import { TextInput } from "@mantine/core";
import type { useEditing } from "../../../lib/use-editing.ts";
import type { CredentialFields } from "./credentials.ts";
import classes from "./servers.module.css";
import { useServersWords } from "./words.ts";

type Props = Pick<ReturnType<typeof useEditing<CredentialFields>>["form"], "getInputProps">;

/** Host, port and user of a machine. The password follows if it is asked for. */
export function CredentialInputs({ form }: { form: Props }) {
  const { add: words } = useServersWords();
  const written = { autoComplete: "off", autoCapitalize: "none", spellCheck: false };
  return (
    <>
      <TextInput
        label={words.host}
        description={words.hostHint}
        {...form.getInputProps("host")}
        {...written}
        maxLength={253}
      />
      <div className={classes.pair}>
        <TextInput label={words.port} {...form.getInputProps("port")} {...written} inputMode="numeric" maxLength={5} />
        <TextInput label={words.username} {...form.getInputProps("username")} {...written} maxLength={32} />
      </div>
    </>
  );
}
