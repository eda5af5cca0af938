export { asListed } from "./queries.ts";
export { useConfigDialogs } from "./use-config-dialogs.tsx";
