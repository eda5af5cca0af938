import { type Icon, IconArrowLeft, IconEye, IconLanguage, IconLogout, IconMoon, IconSun } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useLeave } from "../../features/access/auth/use-leave.ts";
import { useFrame } from "../../features/club/staff/index.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { useTheme } from "../../ui/page-tools.tsx";
import type { PaletteWords } from "./palette-words.ts";

interface OwnAction {
  title: keyof PaletteWords["act"];
  icon: Icon;
  act: () => void;
}

/** The viewer's own settings: role, theme, language, and the exits. */
export function useOwnActions(): OwnAction[] {
  const { me, viewedRole, viewAs } = useFrame();
  const { theme, turn } = useTheme();
  const { language, speak } = useSpeech();
  const navigate = useNavigate();
  const leave = useLeave();
  const themes: (OwnAction & { theme: typeof theme })[] = [
    { theme: "dark", title: "themeDark", icon: IconMoon, act: () => turn("dark") },
    { theme: "light", title: "themeLight", icon: IconSun, act: () => turn("light") },
    { theme: "auto", title: "themeAuto", icon: IconSun, act: () => turn("auto") },
  ];
  return [
    ...(me.role !== "admin"
      ? []
      : viewedRole === "admin"
        ? [{ title: "asModerator" as const, icon: IconEye, act: () => viewAs("moderator") }]
        : [{ title: "asAdmin" as const, icon: IconEye, act: () => viewAs("admin") }]),
    ...themes.filter((choice) => choice.theme !== theme),
    { title: "language", icon: IconLanguage, act: () => void speak(language === "ru" ? "en" : "ru") },
    { title: "back", icon: IconArrowLeft, act: () => void navigate({ to: "/dashboard" }) },
    { title: "logout", icon: IconLogout, act: leave },
  ];
}
