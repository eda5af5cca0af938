import { endpoint } from "../endpoint.ts";

export const dataExport = {
  /** Beyond the specifications: what the club holds about the member, without secrets, as a file to keep. */
  download: endpoint("GET /users/me/export", {
    access: "member",
    summary: "Everything the club holds about you, as a JSON file without keys and passwords",
    answer: { media: "application/json" },
    creation: true,
  }),
};
