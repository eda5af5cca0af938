import { MOST_IMAGES, MOST_MESSAGE_CHARACTERS, whyNotMessage } from "@krug/domain/support-rules";
import { ActionIcon, FileButton, Textarea } from "@mantine/core";
import { IconMoodSmile, IconPhoto, IconSend } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import "../../../ui/form.css";
import { ComingInPlace } from "../../../ui/coming.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import classes from "./composer.module.css";
import { type Picked, useDraft } from "./draft.ts";
import { ACCEPTED, imageOf } from "./images.ts";
import type { Line } from "./line.ts";
import { PickedImages } from "./picked-images.tsx";

const Emoji = lazyPart(() => import("./emoji.tsx").then(({ Emoji }) => Emoji), ComingInPlace, { ahead: false });

/** An extra button next to the usual ones, and its dialog, which inserts a text at the cursor. */
export interface ComposerTool {
  label: string;
  icon: React.ReactNode;
  dialog: (about: { put: (text: string) => void; onClose: () => void }) => React.ReactNode;
}

interface Props {
  line: Line;
  begun: { text: string | null; taken: () => void } | undefined;
  tool: ComposerTool | undefined;
  /** `images`: data URLs. */
  onSend: (content: string, images: string[]) => void;
}

/** The text box with its tools. Enter sends, Shift+Enter starts a new line (specification, member's side 5). */
export function Composer({ line, begun, tool, onSend }: Props) {
  const words = useSupportWords();
  const [{ text, images }, change] = useDraft(line.writer, line.ticketId);
  const [preparing, setPreparing] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [using, setUsing] = useState(false);
  const [dragged, setDragged] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const wasIn = useRef(false);

  useEffect(() => {
    const asked = begun?.text ?? null;
    if (asked === null) return;
    begun?.taken();
    change(({ text: known }) => ({ text: known.trim() === "" || known === asked ? asked : `${known}\n${asked}` }));
    box.current?.focus();
  }, [begun, change]);

  const over = text.trim().length - MOST_MESSAGE_CHARACTERS;
  const ready = preparing === 0 && whyNotMessage(text.trim(), images.length) === null;
  const send = () => {
    if (!ready) return;
    onSend(
      text.trim(),
      images.map(({ dataUrl }) => dataUrl),
    );
    change(() => ({ text: "", images: [] }));
    setChoosing(false);
    setProblem(null);
    box.current?.focus();
  };

  const attach = async (files: readonly File[]) => {
    const taken = files.slice(0, Math.max(0, MOST_IMAGES - images.length));
    setProblem(taken.length < files.length ? words.tooManyImages : null);
    setPreparing((count) => count + 1);
    const picked: Picked[] = [];
    for (const file of taken) {
      const dataUrl = await imageOf(file);
      if (dataUrl === null) setProblem(words.notImage(file.name));
      else picked.push({ id: idempotencyKey(), dataUrl });
    }
    setPreparing((count) => count - 1);
    change((before) => ({ images: [...before.images, ...picked].slice(0, MOST_IMAGES) }));
  };
  /** `apart`: separated from the preceding word. */
  const insert = (piece: string, apart = false) => {
    // Until the box was focused, browsers do not agree on where its cursor is.
    const { selectionStart, selectionEnd } = (wasIn.current && box.current) || {
      selectionStart: text.length,
      selectionEnd: text.length,
    };
    const put = apart && /\S$/.test(text.slice(0, selectionStart)) ? ` ${piece}` : piece;
    change((before) => ({ text: before.text.slice(0, selectionStart) + put + before.text.slice(selectionEnd) }));
    const caret = selectionStart + put.length;
    requestAnimationFrame(() => box.current?.setSelectionRange(caret, caret));
  };
  const put = (piece: string) => {
    insert(piece, true);
    // By then the dialog it was chosen in is gone.
    requestAnimationFrame(() => box.current?.focus());
  };
  const filesOf = (data: DataTransfer) => [...data.files].filter(({ type }) => type.startsWith("image/"));

  return (
    <>
      <form
        className={classes.composer}
        data-dragged={dragged || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes("Files")) return;
          event.preventDefault();
          setDragged(true);
        }}
        onDragLeave={() => setDragged(false)}
        onDrop={(event) => {
          event.preventDefault();
          setDragged(false);
          const files = filesOf(event.dataTransfer);
          if (files.length > 0) void attach(files);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !choosing) return;
          event.stopPropagation();
          setChoosing(false);
          box.current?.focus();
        }}
      >
        {choosing && <Emoji onPick={(emoji) => insert(emoji)} />}
        <PickedImages
          images={images}
          onRemove={(id) => {
            change((before) => ({ images: before.images.filter((image) => image.id !== id) }));
            box.current?.focus();
          }}
        />
        {(preparing > 0 || dragged) && (
          <p className={classes.note} role="status">
            {dragged ? words.dropHere : words.preparing}
          </p>
        )}
        <FormMessage bad={over > 0 ? words.tooLong(over) : problem} />
        <Textarea
          ref={box}
          aria-label={words.placeholder}
          placeholder={words.placeholder}
          autosize
          minRows={1}
          maxRows={6}
          enterKeyHint="send"
          data-mantine-stop-propagation={choosing}
          classNames={{ input: classes.text ?? "" }}
          value={text}
          onFocus={() => {
            wasIn.current = true;
          }}
          onChange={({ currentTarget }) => change(() => ({ text: currentTarget.value }))}
          onKeyDown={(event) => {
            // While a character is being composed, Enter chooses it.
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          onPaste={(event) => {
            const files = filesOf(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            void attach(files);
          }}
        />
        <div className={classes.tools}>
          <ActionIcon
            aria-label={words.emoji}
            title={words.emoji}
            aria-expanded={choosing}
            onClick={() => setChoosing(!choosing)}
          >
            <IconMoodSmile size={22} stroke={1.6} />
          </ActionIcon>
          <FileButton multiple accept={ACCEPTED} onChange={(files) => void attach(files)}>
            {(button) => (
              <ActionIcon aria-label={words.attach} title={words.attach} {...button}>
                <IconPhoto size={22} stroke={1.6} />
              </ActionIcon>
            )}
          </FileButton>
          {tool && (
            <ActionIcon aria-label={tool.label} title={tool.label} onClick={() => setUsing(true)}>
              {tool.icon}
            </ActionIcon>
          )}
          <ActionIcon
            type="submit"
            variant="filled"
            className={classes.send ?? ""}
            aria-label={words.send}
            title={words.send}
            aria-disabled={!ready || undefined}
          >
            <IconSend size={20} stroke={1.6} />
          </ActionIcon>
        </div>
      </form>
      {/* Outside the form: a press or a submit in the dialog would also reach the form. */}
      {using && tool?.dialog({ put, onClose: () => setUsing(false) })}
    </>
  );
}
