/**
 * Records what was installed as a service of this machine. The administrator writes it for everybody to read: windows
 * and commands go by it.
 */
import { z } from 'zod';
import { readStored } from '../kernel/durable.ts';
import { servicePlaces } from './places.ts';

const ServiceRecord = z.object({ data: z.string(), port: z.number().int().min(1).max(65_535), note: z.string() });
export type ServiceRecord = z.infer<typeof ServiceRecord>;

/** Returns undefined when no service is installed, or nobody can say. */
export const installedService = (file = servicePlaces(process).record): ServiceRecord | undefined =>
  readStored(file, ServiceRecord);
