/** Makes `/api/docs`: the declarations as a page that people read. It has no script, and is made once. */
import { type Endpoint, isMultipart, isStream, statusesOf } from '../../shared/contract/endpoint.ts';
import { escaped } from '../kernel/markup.ts';

const accessLabel = ({ access }: Endpoint): string => {
  if (access.kind === 'token') return access.scope;
  return access.kind === 'session' ? `session: ${access.role.replaceAll('_', ' ')}` : access.kind;
};

const membersOf = (endpoint: Endpoint): string => {
  const rows: string[] = [];
  const row = (name: string, where: string, note: string) =>
    rows.push(`<tr><td><code>${escaped(name)}</code></td><td>${where}</td><td>${escaped(note)}</td></tr>`);
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) row(name!, 'path', '');
  for (const name of Object.keys(endpoint.query.shape)) row(name, 'query', '');
  const { body } = endpoint;
  if (body && isMultipart(body)) row(body.multipart, 'form file', 'required');
  const shape =
    body && !isMultipart(body)
      ? ((body as { shape?: Record<string, { safeParse(v: unknown): { success: boolean } }> }).shape ?? {})
      : {};
  for (const [name, schema] of Object.entries(shape))
    row(name, 'body', schema.safeParse(undefined).success ? '' : 'required');
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : '';
};

const entry = (e: Endpoint): string => `
<section id="${e.name}">
  <h3><b class="${e.method}">${e.method}</b> <code>${escaped(e.path)}</code></h3>
  <p>${escaped(e.summary)}. <i>${escaped(accessLabel(e))}</i></p>
  ${e.description ? `<p>${escaped(e.description)}</p>` : ''}
  ${membersOf(e)}
  <p class="answers">${e.status}${isStream(e.response) ? ` ${escaped(e.response.stream.join(', '))}` : ''}${statusesOf(
    e,
  )
    .map((code) => ` · ${code}`)
    .join('')}</p>
</section>`;

export const docsPage = (endpoints: readonly Endpoint[], version: string): string => {
  const tags = [...new Set(endpoints.map((e) => e.tag))];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vitrine API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/api/docs/style.css"></head><body>
<header><h1>Vitrine API</h1><p>Version ${escaped(version)}. Machine-readable: <a href="/api/openapi.json">openapi.json</a>. Send a token as <code>Authorization: Bearer …</code>; errors are <code>{ "error": "…" }</code>.</p>
<nav>${tags.map((tag) => `<a href="#tag-${escaped(tag)}">${escaped(tag)}</a>`).join(' ')}</nav></header>
<main>${tags
    .map(
      (tag) =>
        `<h2 id="tag-${escaped(tag)}">${escaped(tag)}</h2>${endpoints
          .filter((e) => e.tag === tag)
          .map(entry)
          .join('')}`,
    )
    .join('')}</main></body></html>`;
};

export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #33383f); --soft: light-dark(#5b6470, #9aa4b0); --link: light-dark(#0b57d0, #8ab4f8); }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 6rem; color: light-dark(#16191d, #e8eaed); background: light-dark(#fff, #111418); }
a { color: var(--link); } nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
section { padding: .75rem 0; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 0; } h3 b { display: inline-block; min-width: 4.2em; }
.GET { color: light-dark(#0a6b3d, #6dd58c); } .POST { color: light-dark(#0b57d0, #8ab4f8); } .PUT { color: light-dark(#8a5300, #fdd663); } .DELETE { color: light-dark(#b3261e, #f2b8b5); }
p { margin: .3rem 0; } i, .answers { color: var(--soft); } table { border-collapse: collapse; margin: .4rem 0; font-size: .9rem; } td { padding: .1rem 1rem .1rem 0; vertical-align: top; }
`;
