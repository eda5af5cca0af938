import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { apiFile } from "../../../lib/api.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Ring } from "../../../ui/ring.tsx";
import part from "../../../ui/settings-part.module.css";
import { useMaySave } from "../../../ui/use-may-save.ts";
import { useOwnAccount } from "./account-words.ts";

/** Everything that the club stores about the member, as a file. */
export function DataExport({ username }: { username: string }) {
  const { dataExport: words } = useOwnAccount();
  const maySave = useMaySave();
  const take = useCommand({
    mutationFn: async () => {
      if (await maySave()) saveFile(await apiFile("GET /users/me/export"), `krug-${username}.json`);
    },
  });
  return (
    <section className={part.part} aria-labelledby="own-data">
      <h3 id="own-data" className={part.title}>
        {words.title}
      </h3>
      <p className={part.lead}>{words.lead}</p>
      <Button
        variant="outline"
        className={part.action}
        leftSection={take.isPending ? <Ring state="wait" size={20} /> : <IconDownload size={20} stroke={1.6} />}
        onClick={() => !take.isPending && take.mutate()}
      >
        {take.isPending ? words.working : words.download}
      </Button>
      <FormMessage error={take.error} failed={words.failed} />
    </section>
  );
}
