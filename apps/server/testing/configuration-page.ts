import { variables } from "../src/config.ts";

/** Generates docs/configuration.md from config.ts, so the two cannot differ. */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(
    ([name, { fallback, about }]) => `| \`${name}\` | ${fallback === undefined ? "—" : `\`${fallback}\``} | ${about} |`,
  );
  return `# Configuration

The panel starts without any of these. They are read from the environment once, at the start; a wrong value stops the start
with a sentence that names it. This page is generated from \`apps/server/src/config.ts\`; after a change there run
\`npx vitest run --project rules config --update\`.

| Variable | Without it | What it does |
|---|---|---|
${rows.join("\n")}
`;
}
