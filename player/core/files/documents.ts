/**
 * Reads and writes documents with state of the player: JSON that is checked by a schema. A damaged document is set
 * aside and logged, never silently overwritten.
 */
import type { z } from 'zod';
import type { Host } from '../ports.ts';

export async function readDocument<T>(
  { documents, log }: Pick<Host, 'documents' | 'log'>,
  name: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const text = await documents.read(name, (copy) => schema.safeParse(jsonOrUndefined(copy)).success);
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(jsonOrUndefined(text));
  if (parsed.success) return parsed.data;
  log.error(`${name} is damaged and was set aside`, parsed.error.issues[0]?.message);
  await documents.setAside(name);
  return undefined;
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
