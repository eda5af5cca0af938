import { render } from "@testing-library/react";
import { Providers } from "../app/providers.tsx";
import { ru } from "../lib/i18n/ru.ts";
import { makeQueryClient } from "../lib/query-client.ts";

/** What a part of a page needs around it; it speaks Russian. */
export const AroundPart = ({ children }: { children: React.ReactNode }) => (
  <Providers
    queryClient={makeQueryClient({ signedOut: () => {}, underMaintenance: () => {} })}
    spoken={{ language: "ru", text: ru }}
    env="test"
  >
    {children}
  </Providers>
);

/** Shows a part of a page by itself. */
export const renderPart = (content: React.ReactNode) => render(<AroundPart>{content}</AroundPart>);
