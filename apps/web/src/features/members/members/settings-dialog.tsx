import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { LanguageComing, useTheme } from "../../../ui/page-tools.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { TokensPart } from "../../access/api-tokens/index.ts";
import type { Me } from "../../access/auth/index.ts";
import { PasskeysPart } from "../../access/passkeys/index.ts";
import { PushPart } from "../../messages/push/index.ts";
import { TelegramPart } from "../../messages/telegram/index.ts";
import { DataExport } from "./data-export.tsx";
import { PasswordChange } from "./password-change.tsx";
import { Sessions } from "./sessions.tsx";
import classes from "./settings-dialog.module.css";
import { useSettingsWords } from "./settings-words.ts";

export function SettingsDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { language, speak } = useSpeech();
  const settings = useSettingsWords();
  const { theme, turn } = useTheme();
  return (
    <Sheet onClose={onClose} title={settings.title}>
      <div className={classes.parts}>
        <Segments
          label={settings.theme}
          value={theme}
          onChange={turn}
          choices={[
            { value: "dark", label: settings.dark },
            { value: "light", label: settings.light },
            { value: "auto", label: settings.asSystem },
          ]}
        />
        <Segments
          label={settings.language}
          value={language}
          onChange={(next) => void speak(next)}
          choices={[
            { value: "ru", label: "Русский" },
            { value: "en", label: "English" },
          ]}
        />
        <LanguageComing />
        <TelegramPart me={me} />
        <PushPart me={me} />
        <PasswordChange username={me.username} staff={(me.pendingRole ?? me.role) !== "user"} onDone={onClose} />
        <PasskeysPart me={me} />
        <Sessions />
        <DataExport username={me.username} />
        <TokensPart me={me} />
      </div>
    </Sheet>
  );
}
