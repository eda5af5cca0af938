import { Button } from "@mantine/core";
import { explain } from "../../../lib/api.ts";
import { usePasskeyWords } from "../../../lib/i18n/passkeys.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { enterByPasskey } from "../../../lib/passkey.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";

/** Passes the two-factor check with a passkey instead of a code. */
export function EnterByPasskey({ onPassed }: { onPassed: () => void }) {
  const words = usePasskeyWords();
  const { text, language } = useSpeech();
  const entering = useCommand({ mutationFn: () => enterByPasskey(language), onSuccess: onPassed });
  return (
    <div>
      <Button variant="outline" fullWidth aria-busy={entering.isPending} onClick={() => entering.mutate()}>
        {entering.isPending ? words.entering : words.enter}
      </Button>
      <FormMessage bad={entering.error && explain(entering.error, words.enterFailed, text.failure.silent)} />
    </div>
  );
}
