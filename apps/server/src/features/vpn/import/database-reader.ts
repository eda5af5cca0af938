import { ServerFileError } from "@krug/wireguard/server-file";
import { answerConfined } from "../../../platform/confined.ts";
import { readForeignDatabase } from "./foreign-database.ts";

/* A process of its own (read-database.ts): reads the database whose path it is given, and sends what it says. */
answerConfined((path: string) =>
  readForeignDatabase(path).then(
    (file) => ({ file }),
    (error: unknown) => {
      if (!(error instanceof ServerFileError)) throw error;
      return { reason: error.reason, at: error.at };
    },
  ),
);
