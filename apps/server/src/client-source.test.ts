import { join } from "node:path";
import { expect, test } from "vitest";
import { clientSource } from "../testing/client-source.ts";
import { productFolder } from "./installation.ts";

test("packages/client/src/calls.ts matches the contract", async () => {
  await expect(clientSource()).toMatchFileSnapshot(join(productFolder(), "packages", "client", "src", "calls.ts"));
});
