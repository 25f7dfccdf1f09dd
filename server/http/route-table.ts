import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { MethodNotAllowed } from './method-not-allowed.ts';

interface Route {
  readonly endpoint: Endpoint;
}

interface Node<R> {
  readonly literal: Map<string, Node<R>>;
  param: { name: string; node: Node<R> } | undefined;
  readonly methods: Map<string, { bound: R; names: readonly string[] }>;
}

const newNode = <R>(): Node<R> => ({ literal: new Map(), param: undefined, methods: new Map() });

/**
 * Finds the endpoint for a path. A literal segment takes precedence over a parameter (`/content/folders` over
 * `/content/{id}`).
 */
export class RouteTable<R extends Route> {
  readonly #root = newNode<R>();

  constructor(bound: readonly R[]) {
    for (const one of bound) this.#add(one);
  }

  /**
   * Returns the endpoint of a path.
   * @throws ApiError 404 for an unknown path, 405 (with the allowed methods) for a known path with another method
   */
  find(method: string, path: string): { bound: R; params: Record<string, string> } {
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

  #walk(node: Node<R>, segments: readonly string[], at: number, values: string[]): Node<R> | undefined {
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

  #add(bound: R): void {
    const { method, path } = bound.endpoint;
    const names: string[] = [];
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) {
      const param = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (param) {
        names.push(param);
        node.param ??= { name: param, node: newNode<R>() };
        node = node.param.node;
      } else {
        const next = node.literal.get(segment) ?? newNode<R>();
        node.literal.set(segment, next);
        node = next;
      }
    }
    if (node.methods.has(method)) throw new Error(`${method} ${path} is bound twice`);
    node.methods.set(method, { bound, names });
  }
}

/** Decodes a path segment once. A segment with invalid encoding stays as it is, and no record will be found for it. */
const decode = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
