/**
 * Converts the declared schemas to JSON Schema. Each schema that the contract exports becomes a named component of the
 * document, so that a generated client has one type `Device` instead of one per endpoint.
 */
import { z } from 'zod';
import * as bin from '../../../shared/contract/content/bin.ts';
import * as content from '../../../shared/contract/content/content.ts';
import * as conversion from '../../../shared/contract/content/conversion.ts';
import * as copies from '../../../shared/contract/content/copies.ts';
import * as exchange from '../../../shared/contract/content/exchange.ts';
import * as folders from '../../../shared/contract/content/folders.ts';
import * as kiosk from '../../../shared/contract/content/kiosk.ts';
import * as layouts from '../../../shared/contract/content/layouts.ts';
import * as playback from '../../../shared/contract/content/playback.ts';
import * as playlists from '../../../shared/contract/content/playlists.ts';
import * as widgets from '../../../shared/contract/content/widgets.ts';
import * as endpoint from '../../../shared/contract/endpoint.ts';
import * as fields from '../../../shared/contract/fields.ts';
import * as campaigns from '../../../shared/contract/headquarters/campaigns.ts';
import * as chain from '../../../shared/contract/headquarters/chain.ts';
import * as held from '../../../shared/contract/headquarters/managed.ts';
import * as orders from '../../../shared/contract/headquarters/remote-commands.ts';
import * as waves from '../../../shared/contract/headquarters/rollouts.ts';
import * as storeValues from '../../../shared/contract/headquarters/store-values.ts';
import * as stores from '../../../shared/contract/headquarters/stores.ts';
import * as sticks from '../../../shared/contract/headquarters/transfer-files.ts';
import * as approvals from '../../../shared/contract/people/approvals.ts';
import * as auth from '../../../shared/contract/people/auth.ts';
import * as brand from '../../../shared/contract/people/brand.ts';
import * as rights from '../../../shared/contract/people/rights.ts';
import * as tokens from '../../../shared/contract/people/tokens.ts';
import * as users from '../../../shared/contract/people/users.ts';
import * as workspaces from '../../../shared/contract/people/workspaces.ts';
import * as problems from '../../../shared/contract/problems.ts';
import * as assignments from '../../../shared/contract/screens/assignments.ts';
import * as deviceBulk from '../../../shared/contract/screens/device-bulk.ts';
import * as devices from '../../../shared/contract/screens/devices.ts';
import * as groups from '../../../shared/contract/screens/groups.ts';
import * as screenMessages from '../../../shared/contract/screens/messages.ts';
import * as overlays from '../../../shared/contract/screens/overlays.ts';
import * as pairing from '../../../shared/contract/screens/pairing.ts';
import * as plans from '../../../shared/contract/screens/plans.ts';
import * as schedules from '../../../shared/contract/screens/schedules.ts';
import * as views from '../../../shared/contract/screens/views.ts';
import * as walls from '../../../shared/contract/screens/walls.ts';
import * as activity from '../../../shared/contract/server/activity.ts';
import * as alertCounts from '../../../shared/contract/server/alert-counts.ts';
import * as alerts from '../../../shared/contract/server/alerts.ts';
import * as notices from '../../../shared/contract/server/notices.ts';
import * as reports from '../../../shared/contract/server/reports.ts';
import * as search from '../../../shared/contract/server/search.ts';
import * as server from '../../../shared/contract/server/server.ts';
import * as tls from '../../../shared/contract/server/tls.ts';
import * as updates from '../../../shared/contract/server/updates.ts';
import * as upkeep from '../../../shared/contract/server/upkeep.ts';
import * as mediaFormat from '../../../shared/formats/media-format.ts';
import * as playbackRules from '../../../shared/formats/playback.ts';
import * as screenFormats from '../../../shared/formats/screen-formats.ts';
import * as program from '../../../shared/program/program.ts';
import * as messages from '../../../shared/protocol/messages.ts';
import * as proof from '../../../shared/protocol/server-proof.ts';

export type Json = Record<string, unknown>;

const MODULES: readonly object[] = [
  ...[
    alertCounts,
    alerts,
    activity,
    approvals,
    assignments,
    auth,
    bin,
    brand,
    campaigns,
    chain,
    content,
    conversion,
    copies,
    deviceBulk,
    devices,
    endpoint,
    exchange,
    fields,
    folders,
    groups,
    held,
    kiosk,
    layouts,
    notices,
    orders,
    screenMessages,
    overlays,
    pairing,
    plans,
    playback,
    playlists,
    problems,
    reports,
  ],
  ...[
    rights,
    schedules,
    search,
    server,
    sticks,
    stores,
    storeValues,
    tls,
    tokens,
    updates,
    upkeep,
    users,
    views,
    walls,
    waves,
    widgets,
    workspaces,
    mediaFormat,
    screenFormats,
    playbackRules,
    program,
    messages,
    proof,
  ],
];

/** Returns whether a schema becomes a component: objects and enums do; plain texts and numbers do not. */
const deservesName = (value: unknown): value is z.ZodType =>
  value instanceof z.ZodObject ||
  value instanceof z.ZodEnum ||
  (value instanceof z.ZodPipe && value.in instanceof z.ZodObject);

/**
 * Published names of schemas whose name in the code has changed since. Generated clients contain these names as types.
 */
const PUBLISHED: Readonly<Record<string, string>> = {
  CampaignPreview: 'DryRun',
  ManagedRecord: 'HeldRecord',
  RemoteCommand: 'StoreOrder',
  RemoteCommandStore: 'OrderStore',
  TransferState: 'StickState',
  WrittenTransferFile: 'WrittenStick',
};

const named = z.registry<{ id: string }>();
for (const [name, value] of MODULES.flatMap((module) => Object.entries(module)))
  if (deservesName(value)) named.add(value, { id: PUBLISHED[name] ?? name });

/** Collects the named schemas that other schemas refer to. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** Returns the schema of a request body, in which fields with a default are optional. */
  body(schema: z.ZodType): Json {
    return this.#schema(schema, 'input', told);
  }

  /** Returns the schema of a query parameter. */
  query(schema: z.ZodType): Json {
    return this.#schema(schema, 'input');
  }

  /** Returns the schema of an answer, in which all fields are present. */
  answer(schema: z.ZodType): Json {
    return this.#schema(schema, 'output');
  }

  #schema(schema: z.ZodType, io: 'input' | 'output', finish: (json: Json) => Json = (json) => json): Json {
    const {
      $schema: _dialect,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      metadata: named,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      override: declared,
    }) as Json;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      this.#add(name, finish(referring(definition)));
    return finish(referring(json));
  }

  #add(name: string, { id: _same, ...definition }: Json): void {
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`${name} is sent in one form and returned in another: it needs two names`);
    this.schemas[name] = definition;
  }
}

/** Returns the schema with references into the document, and with each schema simplified. */
const referring = (json: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'), (_, value: unknown) =>
    isSchema(value) ? plain(value) : value,
  ) as Json;

/**
 * Moves the defaults of a body to the descriptions. Client generators treat a field with a default as required, even in
 * requests.
 */
const told = (json: Json): Json =>
  JSON.parse(JSON.stringify(json), (_, value: unknown) => {
    if (!isSchema(value) || !('default' in value) || isSchema(value['default'])) return value;
    const { default: absent, ...schema } = value;
    return { ...schema, description: `Default ${JSON.stringify(absent)}` };
  }) as Json;

const declared = ({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void => {
  // Describes a query parameter by its meaning (a number or an enum value), although it is sent as text.
  const meaning = z.globalRegistry.get(zodSchema);
  if (meaning) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, meaning);
  }
  // Further fields are allowed: answers may get more fields in later versions, and unknown fields of requests are
  // ignored.
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined)
    delete jsonSchema.additionalProperties;
};

interface Schema extends Json {
  type?: string;
  anyOf?: Schema[];
}
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a schema that generators handle well: one list for a choice of values, one type for a nullable value, no
 * limits that every number satisfies.
 */
const plain = ({ anyOf, ...schema }: Schema): Json => {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (!Array.isArray(anyOf)) return anyOf === undefined ? schema : { ...schema, anyOf };
  const [first, second] = anyOf;
  if (anyOf.every((each) => 'const' in each && each.type === first?.type)) {
    return {
      ...schema,
      type: first?.type === 'number' ? 'integer' : first?.type,
      enum: anyOf.map((each) => each['const']),
    };
  }
  const simple = typeof first?.type === 'string' && !('enum' in first) && !('const' in first);
  if (simple && anyOf.length === 2 && second?.type === 'null')
    return { ...schema, ...first, type: [first.type, 'null'] };
  return { ...schema, anyOf };
};
