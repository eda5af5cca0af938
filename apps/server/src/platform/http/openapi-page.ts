type Content = Record<string, { schema?: unknown }>;

interface Operation {
  summary: string;
  description: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character] ?? "");

const schemaBlock = (title: string, content: Content | undefined) => {
  const [media, body] = Object.entries(content ?? {})[0] ?? [];
  if (media === undefined || body === undefined) return "";
  if (body.schema === undefined)
    return `<p>${escapeHtml(title)} <small>${escapeHtml(Object.keys(content ?? {}).join(", "))}</small></p>`;
  return `<details><summary>${escapeHtml(title)} <small>${escapeHtml(media)}</small></summary><pre tabindex="0">${escapeHtml(JSON.stringify(body.schema, null, 2))}</pre></details>`;
};

/** A page for reading the API's description: plain HTML from the server, without scripts or external resources. */
export function apiPage(description: {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
}): string {
  const articles = (under: string, described: Record<string, Record<string, Operation>>) =>
    Object.entries(described).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const parameters = operation.parameters
          .map((p) => `<code>${escapeHtml(p.name)}</code> <small>${p.in}${p.required ? ", required" : ""}</small>`)
          .join(", ");
        const responses = Object.entries(operation.responses)
          .map(
            ([status, response]) =>
              `<li><b>${status}</b> ${escapeHtml(response.description)}${Number(status) < 300 ? schemaBlock("Answer", response.content) : ""}</li>`,
          )
          .join("");
        return `<article><h2><span>${method.toUpperCase()}</span> <code>${escapeHtml(under + path)}</code></h2><p>${escapeHtml(operation.summary)}. ${escapeHtml(operation.description)}</p>${parameters === "" ? "" : `<p>Parameters: ${parameters}</p>`}${schemaBlock("Body", operation.requestBody?.content)}<ul>${responses}</ul></article>`;
      }),
    );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API · Круг</title><style>
:root{color-scheme:dark light}body{margin:0 auto;max-width:880px;padding:32px 20px;font:16px/1.45 system-ui,sans-serif;background:light-dark(#ebf0ea,#0c1915);color:light-dark(#12211c,#ecefe7)}
article{background:light-dark(#f8faf6,#12231d);border:1px solid light-dark(#d0dad1,#25392f);border-radius:10px;padding:16px 20px;margin:16px 0}
h2{font-size:16px;margin:0;overflow-wrap:anywhere}h2 span{color:light-dark(#76520c,#e2bc74)}small{color:light-dark(#48594f,#a7b8ae)}
pre{overflow:auto;font-size:13px;background:light-dark(#fff,#08130f);padding:12px;border-radius:6px}ul{padding-left:20px}a{color:light-dark(#76520c,#e2bc74)}
</style></head><body><main><h1>API</h1><p>Version ${escapeHtml(description.info.version)}. The same as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>${articles("/api", description.paths).join("")}<h1>Webhooks</h1>${articles("", description.webhooks).join("")}</main></body></html>`;
}
