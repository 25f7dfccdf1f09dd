/**
 * Record of the installed service. The administrator writes the record and everybody can read it; desktop windows and
 * commands use it.
 */
import { z } from 'zod';
import { readStored } from '../kernel/disk/durable.ts';
import { servicePlaces } from './places.ts';

const ServiceRecord = z.object({ data: z.string(), port: z.number().int().min(1).max(65_535), note: z.string() });
export type ServiceRecord = z.infer<typeof ServiceRecord>;

/** Returns the record; undefined when no service is installed or the record cannot be read. */
export const installedService = (file = servicePlaces(process).record): ServiceRecord | undefined =>
  readStored(file, ServiceRecord);
