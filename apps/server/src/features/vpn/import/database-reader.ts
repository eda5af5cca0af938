import { ServerFileError } from "@krug/wireguard/server-file";
import { answerConfined } from "../../../platform/confined.ts";
import { readForeignDatabase } from "./foreign-database.ts";

/* A separate process (read-database.ts): reads the database at the given path, and answers its content. */
answerConfined((path: string) =>
  readForeignDatabase(path).then(
    (file) => ({ file }),
    (error: unknown) => {
      if (!(error instanceof ServerFileError)) throw error;
      return { reason: error.reason, at: error.at };
    },
  ),
);
