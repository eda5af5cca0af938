import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { base } from "../../../lib/base.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useMaySave } from "../../../ui/use-may-save.ts";
import classes from "./two-factor.module.css";

/** The recovery codes, shown only once: the dialog stays until the person confirms that they have saved them. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const { twoFactor: words } = useStaffWords();
  const maySave = useMaySave();
  const text = `${codes.join("\n")}\n`;
  return (
    <Sheet
      onClose={null}
      title={words.codesTitle}
      footer={
        <Button fullWidth size="lg" onClick={onSaved}>
          {words.saved}
        </Button>
      }
    >
      <p>{words.codesLead}</p>
      <ol className={classes.codes} translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={classes.keep}>
        <CopyButton text={text} />
        {/* Telegram saves no such file, and no other page shows them. */}
        {!base && (
          <Button
            variant="outline"
            leftSection={<IconDownload size={18} stroke={1.6} aria-hidden="true" />}
            onClick={async () => {
              if (await maySave()) saveFile(new Blob([text], { type: "text/plain" }), words.fileName);
            }}
          >
            {words.download}
          </Button>
        )}
      </div>
    </Sheet>
  );
}
