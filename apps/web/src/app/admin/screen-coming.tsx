import type { CodeTrouble } from "../../lib/code.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { PageComing } from "../page-coming.tsx";

export const ScreenComing = ({ trouble }: { trouble: CodeTrouble | null }) =>
  trouble ? <PageComing trouble={trouble} /> : <Waiting room={320} />;
