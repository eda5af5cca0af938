import type { QueryKey } from "@tanstack/react-query";
import { AskFirst } from "./ask-first.tsx";

interface Props {
  words: {
    title: (name: string) => string;
    text: string;
    confirm: string;
    working: string;
    done: (name: string) => string;
    failed: string;
  };
  name: string;
  remove: () => Promise<unknown>;
  /** The list that it belongs to, refetched whatever the result. */
  list: QueryKey;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before deleting an item of a list, and deletes it. */
export const Deletion = ({ words, name, remove, list, onClose, onDeleted }: Props) => (
  <AskFirst
    words={{ ...words, title: words.title(name) }}
    send={remove}
    done={() => words.done(name)}
    changes={list}
    onClose={onClose}
    onDone={onDeleted}
  />
);
