import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { KEPT } from "../lib/browser-storage.ts";
import type { Spoken } from "../lib/i18n/language.ts";
import { SpeechProvider } from "../lib/i18n/use-text.tsx";
import { theme } from "../ui/theme.ts";

const colorScheme = localStorageColorSchemeManager({ key: KEPT.theme });

interface Props {
  queryClient: QueryClient;
  spoken: Spoken;
  children: React.ReactNode;
  /** "test" turns off transitions and portals. */
  env?: "default" | "test";
}

export function Providers({ queryClient, spoken, children, env = "default" }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <SpeechProvider first={spoken}>
        <MantineProvider
          theme={theme}
          defaultColorScheme="dark"
          colorSchemeManager={colorScheme}
          env={env}
          withCssVariables={false}
          withGlobalClasses={false}
        >
          {children}
        </MantineProvider>
      </SpeechProvider>
    </QueryClientProvider>
  );
}
