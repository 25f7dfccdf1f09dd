import { ApiError } from '../../shared/contract/errors.ts';

/** Error 405: the path exists, but not with this method. */
export class MethodNotAllowed extends ApiError {
  readonly allow: string;
  constructor(method: string, allowed: readonly string[]) {
    super(405, `${method} is not possible here; ${allowed.join(', ')} is`);
    this.allow = allowed.join(', ');
  }
}
