import { Button } from "@mantine/core";
import { Sheet } from "./sheet.tsx";

interface Props {
  words: Record<"title" | "lead" | "done", string>;
  onDone: () => void;
  children: React.ReactNode;
}

/** What is shown this once: the dialog stays until the person says that it is kept. */
export const ShownOnce = ({ words: say, onDone, children }: Props) => (
  <Sheet
    opened
    onClose={null}
    title={say.title}
    footer={
      <Button fullWidth size="lg" onClick={onDone}>
        {say.done}
      </Button>
    }
  >
    <p>{say.lead}</p>
    {children}
  </Sheet>
);
