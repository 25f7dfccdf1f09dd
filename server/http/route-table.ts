import { ApiError } from '../../shared/contract/errors.ts';
import type { Bound } from './api.ts';

interface Node {
  readonly literal: Map<string, Node>;
  param: { name: string; node: Node } | undefined;
  readonly methods: Map<string, { bound: Bound; names: readonly string[] }>;
}

const newNode = (): Node => ({ literal: new Map(), param: undefined, methods: new Map() });

/** Finds the endpoint of a path. A literal segment wins over a parameter (`/content/folders` over `/content/{id}`). */
export class RouteTable {
  readonly #root = newNode();

  constructor(bound: readonly Bound[]) {
    for (const one of bound) this.#add(one);
  }

  /** @throws ApiError 404 for an unknown path, 405 (with Allow in the sentence) for a known one with another method. */
  find(method: string, path: string): { bound: Bound; params: Record<string, string> } {
    const segments = path.split('/').slice(1);
    const values: string[] = [];
    const node = this.#walk(this.#root, segments, 0, values);
    if (!node) throw new ApiError(404, `There is nothing at ${path}`);
    const found = node.methods.get(method === 'HEAD' ? 'GET' : method);
    if (!found) throw new MethodNotAllowed(method, [...node.methods.keys()]);
    const params: Record<string, string> = {};
    for (const [i, name] of found.names.entries()) params[name] = values[i]!;
    return { bound: found.bound, params };
  }

  #walk(node: Node, segments: readonly string[], at: number, values: string[]): Node | undefined {
    if (at === segments.length) return node.methods.size > 0 ? node : undefined;
    const segment = segments[at]!;
    const literal = node.literal.get(segment);
    const found = literal && this.#walk(literal, segments, at + 1, values);
    if (found) return found;
    if (!node.param || segment === '') return undefined;
    const depth = values.length;
    values.push(decode(segment));
    const deeper = this.#walk(node.param.node, segments, at + 1, values);
    if (!deeper) values.length = depth;
    return deeper;
  }

  #add(bound: Bound): void {
    const { method, path } = bound.endpoint;
    const names: string[] = [];
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) {
      const param = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (param) {
        names.push(param);
        node.param ??= { name: param, node: newNode() };
        node = node.param.node;
      } else {
        const next = node.literal.get(segment) ?? newNode();
        node.literal.set(segment, next);
        node = next;
      }
    }
    if (node.methods.has(method)) throw new Error(`${method} ${path} is bound twice`);
    node.methods.set(method, { bound, names });
  }
}

export class MethodNotAllowed extends ApiError {
  readonly allow: string;
  constructor(method: string, allowed: readonly string[]) {
    super(405, `${method} is not possible here; ${allowed.join(', ')} is`);
    this.allow = allowed.join(', ');
  }
}

/** Once; what does not decode is taken as it is and will not be found. */
const decode = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
