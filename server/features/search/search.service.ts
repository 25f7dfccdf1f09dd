import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import type { SearchHit, SearchKind, search } from '../../../shared/contract/server/search.ts';
import { fold } from '../../db/fold.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Names } from './names.ts';
import { bestOf, orderOf, type Typed, typed } from './rank.ts';
import { isWord, type Named, type SearchStore } from './search.store.ts';

interface Deps {
  readonly store: SearchStore;
  readonly names: Pick<Names, 'of'>;
}

/** The best matches of a kind, and the total number of matches. */
interface Found {
  readonly found: readonly Named[];
  readonly total: number;
}

type IsWanted = (one: { readonly id: string }) => boolean;
const ANY: IsWanted = () => true;

/**
 * Finds records of a workspace by name. The rights are the same as for lists: readers find everything except people.
 */
export class SearchService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async search(
    actor: WorkspaceActor,
    { q, kinds, ids, limit, mine }: QueryOf<typeof search>,
  ): Promise<{ hits: SearchHit[]; total: number }> {
    const { workspaceId } = actor;
    const wanted = typed(fold(q));
    const hits: SearchHit[] = [];
    let total = 0;
    for await (const kind of inSlices(kinds.filter((each) => maySee(actor, each)))) {
      const isWanted = mine ? this.#among(actor, kind) : ANY;
      const part =
        ids.length > 0
          ? await this.#byId(workspaceId, kind, ids)
          : wanted.text === ''
            ? await this.#newest(workspaceId, kind, limit, isWanted)
            : await this.#byName(workspaceId, kind, wanted, limit, isWanted);
      hits.push(...this.#told(workspaceId, kind, part.found));
      total += part.total;
    }
    return { hits, total };
  }

  async #byId(workspace: string, kind: SearchKind, ids: readonly string[]): Promise<Found> {
    const names = kind === 'content' ? undefined : await this.#deps.names.of(workspace, kind);
    const found = names ? ids.flatMap((id) => names.get(id) ?? []) : this.#deps.store.contentsOf(workspace, ids);
    return { found, total: found.length };
  }

  /** Returns a filter for the records of a kind that the actor may change. */
  #among({ limits }: WorkspaceActor, kind: SearchKind): IsWanted {
    if (!limits?.groupIds) return ANY;
    const groups = new Set(limits.groupIds);
    if (kind === 'group') return ({ id }) => groups.has(id);
    if (kind === 'tag') return () => false;
    if (kind !== 'device') return ANY;
    const screens = this.#deps.store.membersOf(limits.groupIds);
    return ({ id }) => screens.has(id);
  }

  async #newest(workspace: string, kind: SearchKind, limit: number, isWanted: IsWanted): Promise<Found> {
    const { store, names } = this.#deps;
    if (kind === 'content')
      return { found: store.newestContents(workspace, limit), total: store.countContents(workspace) };
    const known = [...(await names.of(workspace, kind)).values()];
    const all = known.filter((one) => one.text !== '' && isWanted(one));
    return { found: isWord(kind) ? all.slice(0, limit) : all.slice(-limit).reverse(), total: all.length };
  }

  async #byName(workspace: string, kind: SearchKind, wanted: Typed, limit: number, isWanted: IsWanted): Promise<Found> {
    if (kind === 'content') return this.#contents(workspace, wanted, limit);
    const known = (await this.#deps.names.of(workspace, kind)).values();
    const { best, total } = bestOf(isWanted === ANY ? known : [...known].filter(isWanted), wanted, limit);
    return { found: best, total };
  }

  /**
   * For a short query, only names with this prefix and the newest other matches are ranked. A longer query has few
   * enough matches to rank all.
   */
  #contents(workspace: string, wanted: Typed, limit: number): Found {
    const { store } = this.#deps;
    const { newest, total } = store.contentsWith(workspace, wanted.words);
    const beginning = store.contentsBeginning(workspace, wanted.text, limit);
    const each = new Map([...beginning, ...newest].map(({ id, text }) => [id, { id, text, order: orderOf(text) }]));
    const ids = bestOf(each.values(), wanted, limit).best.map(({ id }) => id);
    const rows = new Map(store.contentsOf(workspace, ids).map((row) => [row.id, row]));
    return { found: ids.flatMap((id) => rows.get(id) ?? []), total };
  }

  #told(workspace: string, kind: SearchKind, found: readonly Named[]): SearchHit[] {
    const details = this.#deps.store.details(
      workspace,
      kind,
      found.map(({ id }) => id),
    );
    return found.map(({ id, name }) => ({
      kind,
      id,
      name,
      hint: '',
      type: '',
      thumbnail: null,
      screens: null,
      ...details.get(id),
    }));
  }
}

/** Only sessions can list members, so tokens cannot find members either. */
const maySee = (actor: WorkspaceActor, kind: SearchKind): boolean => kind !== 'person' || actor.via === 'session';
