/**
 * Renders `/api/docs`: the OpenAPI document as an HTML page with the type of each field, an example of each body, and
 * the notices of webhooks and MQTT. The page has no script and is rendered once.
 */
import { type Endpoint, isMultipart, isStream, statusesOf } from '../../../shared/contract/endpoint.ts';
import { escaped } from '../../kernel/markup.ts';
import type { Json } from './openapi-schemas.ts';

/** Depth of nested types that the page shows. Types below this depth are shown as `object`. */
const MOST_DEPTH = 3;
/** Maximum number of values in a list. Longer lists end with "…"; the OpenAPI document contains all values. */
const MOST_WORDS = 12;

interface Operation {
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Json; example?: unknown }>> };
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation & { readonly summary: string } }>>;
  readonly components: Readonly<Record<'schemas' | 'parameters', Readonly<Record<string, Json>>>>;
}
interface Row {
  readonly name: string;
  readonly where: string;
  readonly type: string;
  readonly note: string;
}

const asList = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** Describes schema types as text. */
class Types {
  readonly #document: OpenApi;

  constructor(document: OpenApi) {
    this.#document = document;
  }

  resolved(schema: Json): Json {
    const [, kind, name] = /^#\/components\/(schemas|parameters)\/(.+)$/.exec(String(schema['$ref'] ?? '')) ?? [];
    if (kind === undefined) return schema;
    return this.#document.components[kind as 'schemas' | 'parameters'][name!] ?? {};
  }

  wordOf(given: Json, depth = 0): string {
    const schema = this.resolved(given);
    if ('const' in schema) return JSON.stringify(schema['const']);
    if (Array.isArray(schema['enum'])) return shortened(schema['enum'].map((word) => JSON.stringify(word))).join(' | ');
    const choices = asList(schema['anyOf'] ?? schema['oneOf']);
    if (choices.length > 0) return shortened([...new Set(choices.map((one) => this.wordOf(one, depth)))]).join(' | ');
    const types = [schema['type'] ?? 'any'].flat() as string[];
    return types.map((type) => this.#plain(type, schema, depth)).join(' | ');
  }

  #plain(type: string, schema: Json, depth: number): string {
    if (type === 'array') return `array of ${this.wordOf((schema['items'] ?? {}) as Json, depth + 1)}`;
    if (type === 'object') return depth >= MOST_DEPTH ? 'object' : this.#object(schema, depth);
    if (type === 'string') return [String(schema['format'] ?? 'string'), bounds(schema, 'Length')].join('');
    return type === 'integer' || type === 'number' ? `${type}${bounds(schema, 'imum')}` : type;
  }

  #object(schema: Json, depth: number): string {
    const names = Object.keys((schema['properties'] ?? {}) as object);
    if (names.length === 0) return 'object';
    const required = new Set(asList(schema['required']) as unknown as string[]);
    const members = names.map((name) => {
      const inner = (schema['properties'] as Record<string, Json>)[name]!;
      return `${name}${required.has(name) ? '' : '?'}: ${this.wordOf(inner, depth + 1)}`;
    });
    return `{ ${shortened(members).join(', ')} }`;
  }
}

const shortened = (words: readonly string[]): readonly string[] =>
  words.length > MOST_WORDS ? [...words.slice(0, MOST_WORDS), '…'] : words;
/** Returns the limits of a value as text, like ` 1–100`, ` ≥ 0` or ` ≤ 200`. */
const bounds = (schema: Json, end: 'Length' | 'imum'): string => {
  const [min, max] = [schema[`min${end}`], schema[`max${end}`]];
  if (min !== undefined && max !== undefined) return ` ${String(min)}–${String(max)}`;
  if (min !== undefined) return ` ≥ ${String(min)}`;
  return max === undefined ? '' : ` ≤ ${String(max)}`;
};

const accessLabel = ({ access }: Endpoint): string => {
  if (access.kind === 'token') return access.scope;
  return access.kind === 'session' ? `session: ${access.role.replaceAll('_', ' ')}` : access.kind;
};

const rowsOfBody = (schema: Json, types: Types): Row[] => {
  const object = types.resolved(schema);
  const required = new Set(asList(object['required']) as unknown as string[]);
  return Object.entries((object['properties'] ?? {}) as Record<string, Json>).map(([name, inner]) => ({
    name,
    where: 'body',
    type: types.wordOf(inner),
    note: [required.has(name) ? 'required' : '', String(inner['description'] ?? '')].filter(Boolean).join('. '),
  }));
};
const rowsOfParameters = (operation: Operation, types: Types): Row[] =>
  (operation.parameters ?? []).map((given) => {
    const parameter = types.resolved(given);
    return {
      name: String(parameter['name']),
      where: String(parameter['in']),
      type: types.wordOf((parameter['schema'] ?? {}) as Json),
      note: [parameter['required'] ? 'required' : '', String(parameter['description'] ?? '')]
        .filter(Boolean)
        .join('. '),
    };
  });

const table = (rows: readonly Row[]): string =>
  rows.length === 0
    ? ''
    : `<div class="wide"><table><tr><th>Member</th><th>In</th><th>Type</th><th></th></tr>${rows
        .map(
          ({ name, where, type, note }) =>
            `<tr><td><code>${escaped(name)}</code></td><td>${where}</td><td>${escaped(type)}</td><td>${escaped(note)}</td></tr>`,
        )
        .join('')}</table></div>`;
const exampleBlock = (example: unknown): string =>
  example === undefined ? '' : `<pre>${escaped(JSON.stringify(example, null, 2))}</pre>`;

/** Returns the table of fields and the example of an operation. */
const described = (operation: Operation, types: Types): string => {
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const rows = body ? rowsOfBody(body.schema, types) : [];
  const where = type === 'multipart/form-data' ? rows.map((row) => ({ ...row, where: 'form file' })) : rows;
  return table([...rowsOfParameters(operation, types), ...where]) + exampleBlock(body?.example);
};

const entry = (e: Endpoint, document: OpenApi, types: Types): string => {
  const streams = isStream(e.response) ? ` ${escaped(e.response.stream.join(', '))}` : '';
  const codes = statusesOf(e).map((code) => ` · ${code}`);
  return `
<section id="${e.name}">
  <h3><b class="${e.method}">${e.method}</b> <code>${escaped(e.path)}</code></h3>
  <p>${escaped(e.summary)}. <i>${escaped(accessLabel(e))}${e.body && isMultipart(e.body) ? ', multipart/form-data' : ''}</i></p>
  ${e.description ? `<p>${escaped(e.description)}</p>` : ''}
  ${described(document.paths[e.path]![e.method.toLowerCase()]!, types)}
  <p class="answers">${e.status}${streams}${codes.join('')}</p>
</section>`;
};

const notices = (document: OpenApi, types: Types): string => `
<h2 id="notices">Notices</h2>
<p>The server posts each notice to the webhook (<i>Server → Alerts</i>) and publishes it to the MQTT broker: on <code>&lt;topic&gt;/screen/&lt;device id&gt;</code> (retained), <code>&lt;topic&gt;/plays/&lt;device id&gt;</code>, or <code>&lt;topic&gt;/events</code> for all others. Where more than 20 of one type come within a minute, the rest is one notice with the list (at most 100) and <code>count</code>.</p>
${Object.entries(document.webhooks)
  .map(
    ([type, { post }]) => `
<section id="notice-${escaped(type)}">
  <h3><code>${escaped(type)}</code></h3>
  <p>${escaped(post.summary)}.</p>
  ${described({ ...post, parameters: [] }, types)}
</section>`,
  )
  .join('')}`;

/** @param openApi OpenAPI document of the same endpoints */
export const docsPage = (endpoints: readonly Endpoint[], openApi: Json, version: string): string => {
  const document = openApi as unknown as OpenApi;
  const types = new Types(document);
  const tags = [...new Set(endpoints.map((e) => e.tag))];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vitrine API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/api/docs/style.css"></head><body>
<header><h1>Vitrine API</h1><p>Version ${escaped(version)}. Machine-readable: <a href="/api/openapi.json">openapi.json</a>. Send a token as <code>Authorization: Bearer …</code>; errors are <code>{ "error": "…" }</code>.</p>
<nav>${tags.map((tag) => `<a href="#tag-${escaped(tag)}">${escaped(tag)}</a>`).join(' ')} <a href="#notices">Notices</a></nav></header>
<main>${tags
    .map(
      (tag) =>
        `<h2 id="tag-${escaped(tag)}">${escaped(tag)}</h2>${endpoints
          .filter((e) => e.tag === tag)
          .map((e) => entry(e, document, types))
          .join('')}`,
    )
    .join('')}${notices(document, types)}</main></body></html>`;
};

export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #33383f); --soft: light-dark(#5b6470, #9aa4b0); --link: light-dark(#0b57d0, #8ab4f8); }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 6rem; color: light-dark(#16191d, #e8eaed); background: light-dark(#fff, #111418); }
a { color: var(--link); } nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
section { padding: .75rem 0; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; } h3 b { display: inline-block; min-width: 4.2em; }
.GET { color: light-dark(#0a6b3d, #6dd58c); } .POST { color: light-dark(#0b57d0, #8ab4f8); } .PUT { color: light-dark(#8a5300, #fdd663); } .DELETE { color: light-dark(#b3261e, #f2b8b5); }
p { margin: .3rem 0; } i, .answers, th { color: var(--soft); } .wide, pre { overflow-x: auto; }
table { border-collapse: collapse; margin: .4rem 0; font-size: .9rem; } td, th { padding: .1rem 1rem .1rem 0; vertical-align: top; text-align: left; font-weight: normal; }
pre { margin: .4rem 0; padding: .6rem .8rem; font-size: .85rem; line-height: 1.4; border: 1px solid var(--line); border-radius: .4rem; background: light-dark(#f6f7f9, #191d22); }
`;
