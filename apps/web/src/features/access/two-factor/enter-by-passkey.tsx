import { Button } from "@mantine/core";
import { usePasskeyWords } from "../../../lib/i18n/passkeys.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { enterByPasskey } from "../../../lib/passkey.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";

/** Passes the two-factor check with a passkey instead of a code. */
export function EnterByPasskey({ onPassed }: { onPassed: () => void }) {
  const words = usePasskeyWords();
  const { language } = useSpeech();
  const entering = useCommand({ mutationFn: () => enterByPasskey(language), onSuccess: onPassed });
  return (
    <div>
      <Button variant="outline" fullWidth aria-busy={entering.isPending} onClick={() => entering.mutate()}>
        {entering.isPending ? words.entering : words.enter}
      </Button>
      <FormMessage error={entering.error} failed={words.enterFailed} />
    </div>
  );
}
